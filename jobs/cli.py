"""The `chunkmill` command."""

from __future__ import annotations

import argparse
import io
import logging
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from chunkers.errors import ChunkmillError
from jobs.errors import InputError
from jobs.own_modules import OPTION, import_modules
from jobs.reasons import reason

if TYPE_CHECKING:
    from jobs.configuration import Configuration

log = logging.getLogger("chunkmill")

DESCRIPTION = "Turn a table of documents into a table of chunks that is ready for embedding."
EPILOG = """\
exit codes: 0 done, 1 unexpected or Spark, 2 configuration, 3 input, 4 too many failed documents,
5 output busy

example:
  chunkmill validate conf/handbook.yaml
  chunkmill preview conf/handbook.yaml --documents 2
  chunkmill run conf/handbook.yaml --set output.path=out/trial
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; what is returned is the exit code."""
    return _execute(_parser().parse_args(argv))


def script(argv: Sequence[str] | None = None) -> int:
    """The command line of the script for spark-submit: `run` with the configuration as an option."""
    parser = argparse.ArgumentParser("chunk_documents.py", description=DESCRIPTION)
    parser.add_argument(
        "--config", required=True, metavar="CONFIG", dest="configuration", help="configuration file (YAML)"
    )
    _add_run_options(parser)
    return _execute(parser.parse_args(argv))


def _execute(arguments: argparse.Namespace) -> int:
    """Run a command; every error becomes one message and an exit code."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s")
    log.setLevel(arguments.log_level.upper())
    for handler in logging.getLogger().handlers:
        handler.addFilter(_is_wanted)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        code = command(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read the output (`| head`) has enough; the flush at exit must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ChunkmillError as error:
        print(f"chunkmill: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("chunkmill: interrupted; what was published before stays as it was.", file=sys.stderr)
        return 130
    except Exception as error:
        return _unexpected(error)


def _is_wanted(record: logging.LogRecord) -> bool:
    """Not what py4j logs, by the root logger, with a traceback, when a signal cuts a call short: it raises that too."""
    return log.isEnabledFor(logging.DEBUG) or Path(record.pathname).parent.name != "py4j"


def _unexpected(error: Exception) -> int:
    """One line for an error that nobody foresaw; the traceback is for `--log-level debug`."""
    log.debug("unexpected error", exc_info=error)
    print(f"chunkmill: {reason(error)} (--log-level debug shows where)", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "chunkmill", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"chunkmill {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    run = _add(commands, "run", _run, "chunk the documents and publish the chunks")
    _add_configuration(run)
    _add_run_options(run)

    validate = _add(commands, "validate", _validate, "check a configuration, without Spark")
    _add_configuration(validate)
    _add_options(validate)

    preview = _add(commands, "preview", _preview, "show how the first documents would be cut")
    _add_configuration(preview)
    which = preview.add_mutually_exclusive_group()
    which.add_argument("--documents", type=_positive, default=3, metavar="N", help="how many documents (default 3)")
    which.add_argument("--doc-id", metavar="ID", help="the document with this id instead")
    _add_options(preview)

    simulate = _add(commands, "simulate", _simulate, "answer as OpenSearch's _simulate does, without Spark")
    simulate.add_argument("pipeline", metavar="PIPELINE", help="pipeline (JSON): a PUT body, or what GET returns")
    simulate.add_argument("docs", metavar="DOCS", help="documents (JSON): a list, or a _simulate body with docs")
    simulate.add_argument(
        "--max-token-count",
        type=_positive,
        default=10_000,
        metavar="N",
        help="index.analyze.max_token_count (default 10000)",
    )
    simulate.add_argument(
        "--skip-processors",
        action="append",
        default=[],
        metavar="TYPE",
        help="a type of processors to pass over, as text_embedding, or if, or on_failure; may be repeated",
    )
    _add_log_level(simulate)

    current = _add(commands, "current", _current, "show which run of an output is current")
    current.add_argument(
        "output", metavar="OUTPUT", help="the output's folder, or the configuration (.yaml, .json) that names it"
    )
    current.add_argument("--path", action="store_true", help="print the path of the chunks alone, for scripts")
    _add_import(current)
    _add_log_level(current)
    return parser


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    command: Callable[[argparse.Namespace], int],
    summary: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    parser.set_defaults(command=command)
    return parser


def _add_configuration(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("configuration", metavar="CONFIG", help="configuration file (YAML)")


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command=_run)
    parser.add_argument(
        "--dry-run", action="store_true", help="check configuration and input, show the plan, write nothing"
    )
    _add_options(parser)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="overrides",
        help="set one key, as in --set output.path=out/trial; may be repeated",
    )
    _add_import(parser)
    _add_log_level(parser)


def _add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        OPTION,
        action="append",
        default=[],
        metavar="MODULE",
        dest="modules",
        help="import a module of your own that registers algorithms; may be repeated",
    )


def _add_log_level(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--log-level",
        choices=["debug", "info", "warning", "error"],
        default="info",
        help="least level that goes to the log on stderr (default info); debug adds tracebacks",
    )


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return number


def _configuration(arguments: argparse.Namespace) -> Configuration:
    """The configuration that a command was given; what its modules register is known in it."""
    from jobs.configuration import load

    import_modules(arguments.modules)
    return load(arguments.configuration, arguments.overrides)


def _run(arguments: argparse.Namespace) -> int:
    from jobs import chunk_documents

    config = _configuration(arguments)
    chunk_documents.run(config, dry_run=arguments.dry_run)
    return 0


def _validate(arguments: argparse.Namespace) -> int:
    from jobs.configuration.summary import summary_lines

    config = _configuration(arguments)
    print(f"{arguments.configuration} is valid.\n")
    for line in summary_lines(config):
        print(f"  {line}")
    return 0


def _preview(arguments: argparse.Namespace) -> int:
    from jobs.preview import preview

    config = _configuration(arguments)
    preview(config, sys.stdout, documents=arguments.documents, doc_id=arguments.doc_id)
    return 0


def _simulate(arguments: argparse.Namespace) -> int:
    from jobs.opensearch.simulation import simulate_files

    simulate_files(
        arguments.pipeline,
        arguments.docs,
        sys.stdout,
        max_token_count=arguments.max_token_count,
        skip_processors=arguments.skip_processors,
    )
    return 0


def _current(arguments: argparse.Namespace) -> int:
    from jobs.publishing import CURRENT, current
    from jobs.storage import open_storage

    import_modules(arguments.modules)
    storage = open_storage(_output_path(arguments.output))
    run = current(storage)
    if run is None:
        raise InputError(f"{storage.root} has no current run: nothing was published there yet.")
    chunks = storage.path(f"{run['path']}/chunks")
    if not storage.sizes(f"{run['path']}/chunks"):
        raise InputError(
            f"{chunks} is gone, though {storage.path(CURRENT)} says that its run is current: restore it, or run again."
        )
    if arguments.path:
        print(chunks)
    else:
        print(f"run        {run['run_id']}\npublished  {run['published_at']}\nchunks     {chunks}")
    return 0


def _output_path(argument: str) -> str:
    """The output's folder: given as such, or as the configuration that names it."""
    if not argument.endswith((".yaml", ".yml", ".json")):
        return argument
    from jobs.configuration import load

    return load(argument).output.path


def _version() -> str:
    try:
        return version("chunkmill")
    except PackageNotFoundError:
        return "(not installed: run from its source)"


if __name__ == "__main__":
    sys.exit(main())
