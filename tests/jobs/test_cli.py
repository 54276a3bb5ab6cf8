"""The command line: exit codes, what goes to stdout and what to stderr."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs import cli
from jobs.errors import InputError, OutputBusyError, QualityError

CONFIGURATION = """\
input:
  path: {folder}/documents.parquet
  id: doc_id
  text: text
  columns: [source]
chunk:
  - delimiter:
  - fixed_char_length: {{char_limit: 40}}
context: {{columns: [title], lead_chars: 10}}
output:
  path: {folder}/out
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A configuration and three documents."""
    (tmp_path / "job.yaml").write_text(CONFIGURATION.format(folder=tmp_path))
    rows = {"doc_id": ["a", "b", "c"], "source": ["s"] * 3, "title": ["t"] * 3, "text": ["One.", "Two.", "Three."]}
    pq.write_table(pa.table(rows), tmp_path / "documents.parquet")
    return tmp_path


def publish(folder: Path) -> None:
    pointer = {"run_id": "r1", "path": "runs/r1", "published_at": "2026-01-31T10:00:00+00:00"}
    (folder / "out/runs/r1/chunks").mkdir(parents=True)
    (folder / "out/runs/r1/chunks/part-0.parquet").touch()
    (folder / "out" / "current.json").write_text(json.dumps(pointer))


class TestValidate:
    def test_says_what_will_be_done(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["validate", f"{folder}/job.yaml", "--set", "input.where=lang = 'en'"]) == 0
        assert capsys.readouterr().out == (
            f"{folder}/job.yaml is valid.\n\n"
            f"  input    {folder}/documents.parquet (parquet): id doc_id, text text, carried source\n"
            "  where    lang = 'en'\n"
            "  chunk    delimiter, then fixed_char_length (char_limit 40)\n"
            "  context  title, the first 10 characters\n"
            f"  output   {folder}/out\n"
            "  limits   at most 64 MB a document, at most 1% of the documents failed\n"
        )

    def test_says_everything_that_is_wrong(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["validate", f"{folder}/job.yaml", "--set", "input.idd=x", "--set", "output.path="]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err == (
            "chunkmill: 2 problems in the configuration:\n"
            "  input.idd: unknown parameter (did you mean 'id'?)\n"
            "  output.path: is required (Folder of the output; every run gets a folder of its own in it.)\n"
        )

    def test_needs_no_spark(self, folder: Path) -> None:
        code = "import sys; from jobs.cli import main; assert main() == 0; assert 'pyspark' not in sys.modules"
        for arguments in (["validate", f"{folder}/job.yaml"], ["preview", f"{folder}/job.yaml"]):
            subprocess.run([sys.executable, "-c", code, *arguments], check=True, stdout=subprocess.DEVNULL)


class TestCurrent:
    def test_of_an_output(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        publish(folder)
        assert cli.main(["current", f"{folder}/out"]) == 0
        assert capsys.readouterr().out == (
            f"run        r1\npublished  2026-01-31T10:00:00+00:00\nchunks     {folder}/out/runs/r1/chunks\n"
        )

    def test_path_alone_of_a_configuration(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        publish(folder)
        assert cli.main(["current", f"{folder}/job.yaml", "--path"]) == 0
        assert capsys.readouterr().out == f"{folder}/out/runs/r1/chunks\n"

    def test_of_a_configuration_in_json(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        publish(folder)
        (folder / "job.yaml").rename(folder / "job.json")
        assert cli.main(["current", f"{folder}/job.json", "--path"]) == 0
        assert capsys.readouterr().out == f"{folder}/out/runs/r1/chunks\n"

    @pytest.mark.parametrize("options", [[], ["--path"]])
    def test_a_run_that_is_gone(self, folder: Path, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        publish(folder)
        shutil.rmtree(folder / "out/runs")
        assert cli.main(["current", f"{folder}/out", *options]) == 3
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"chunkmill: {folder}/out/runs/r1/chunks is gone")

    def test_a_damaged_pointer(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        publish(folder)
        (folder / "out/current.json").write_text('{"run_id": "x')
        assert cli.main(["current", f"{folder}/out"]) == 3
        assert capsys.readouterr().err.startswith(f"chunkmill: {folder}/out/current.json is damaged")

    def test_none(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["current", f"{folder}/out", "--path"]) == 3
        out, err = capsys.readouterr()
        assert (out, err) == ("", f"chunkmill: {folder}/out has no current run: nothing was published there yet.\n")


class TestPreview:
    def test_so_many_documents(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["preview", f"{folder}/job.yaml", "--documents", "2"]) == 0
        out = capsys.readouterr().out
        assert "One." in out
        assert "Two." in out
        assert "Three." not in out

    def test_one_document(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["preview", f"{folder}/job.yaml", "--doc-id", "c"]) == 0
        out = capsys.readouterr().out
        assert "Three." in out
        assert "One." not in out

    def test_a_missing_input(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["preview", f"{folder}/job.yaml", "--set", "input.path=none.parquet"]) == 3
        assert capsys.readouterr().err.startswith("chunkmill: The input none.parquet does not exist: ")

    def test_into_a_pipe_that_nobody_reads(self, folder: Path) -> None:
        code = "import sys; from jobs.cli import main; sys.exit(main())"
        reader, writer = os.pipe()
        os.close(reader)
        command = [sys.executable, "-c", code, "preview", f"{folder}/job.yaml"]
        done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
        os.close(writer)
        assert (done.returncode, done.stderr) == (0, b"")


class TestRun:
    @pytest.mark.parametrize(
        ("error", "code"),
        [
            (InputError("The input is not there."), 3),
            (QualityError("Too many documents failed."), 4),
            (OutputBusyError("Another run is writing."), 5),
        ],
    )
    def test_errors_are_sentences(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        error: Exception,
        code: int,
    ) -> None:
        self.stand_in(monkeypatch, error)
        assert cli.main(["run", f"{folder}/job.yaml"]) == code
        assert capsys.readouterr().err == f"chunkmill: {error}\n"

    def test_an_interruption_is_a_sentence(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.stand_in(monkeypatch, KeyboardInterrupt())
        assert cli.main(["run", f"{folder}/job.yaml"]) == 130
        assert capsys.readouterr().err.startswith("chunkmill: interrupted; ")

    def test_an_unexpected_error_is_one_line(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.stand_in(monkeypatch, KeyError("text\nmore"))
        assert cli.main(["run", f"{folder}/job.yaml"]) == 1
        assert capsys.readouterr().err == "chunkmill: KeyError: 'text\\nmore' (--log-level debug shows where)\n"

    def test_what_failed_on_a_worker(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        where = 'Traceback (most recent call last):\n  File "worker.py", line 7, in loads\n    return loads(it)\n'
        said = f"\n  An exception was thrown:\n{where}ModuleNotFoundError: No module named 'x'\n\n\tat java"
        self.stand_in(monkeypatch, RuntimeError(said))
        assert cli.main(["run", f"{folder}/job.yaml"]) == 1
        assert capsys.readouterr().err == (
            "chunkmill: RuntimeError: on a worker: ModuleNotFoundError: No module named 'x'"
            " (--log-level debug shows where)\n"
        )

    @pytest.mark.parametrize(("level", "shown"), [("info", False), ("debug", True)])
    def test_what_py4j_logs_is_for_debugging(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, level: str, shown: bool
    ) -> None:
        self.stand_in(monkeypatch, None)
        assert cli.main(["run", f"{folder}/job.yaml", "--log-level", level]) == 0
        for place in ("py4j/java_gateway.py", "pyspark/worker.py"):
            record = logging.LogRecord("root", logging.ERROR, f"/lib/{place}", 1, "from %s", (place,), None)
            logging.getLogger().handle(record)
        assert ("from py4j" in caplog.text) is shown
        assert "from pyspark" in caplog.text

    def test_debug_shows_where(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        self.stand_in(monkeypatch, KeyError("text"))
        assert cli.main(["run", f"{folder}/job.yaml", "--log-level", "debug"]) == 1
        assert "Traceback" in caplog.text

    def test_what_the_job_is_told(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        told = self.stand_in(monkeypatch, None)
        assert cli.main(["run", f"{folder}/job.yaml", "--dry-run", "--set", "output.path=out/x"]) == 0
        ((config, options),) = told
        assert config.output.path == "out/x"
        assert options == {"dry_run": True}

    def test_the_script_is_the_same_job(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        told = self.stand_in(monkeypatch, None)
        assert cli.script(["--config", f"{folder}/job.yaml", "--set", "output.path=out/x"]) == 0
        assert cli.main(["run", f"{folder}/job.yaml", "--set", "output.path=out/x"]) == 0
        assert told[0] == told[1]

    def test_a_wrong_configuration_never_starts(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        told = self.stand_in(monkeypatch, None)
        assert cli.main(["run", f"{folder}/job.yaml", "--set", "chunk.x=1"]) == 2
        assert told == []

    def stand_in(self, monkeypatch: pytest.MonkeyPatch, error: BaseException | None) -> list[tuple[Any, ...]]:
        """Replace the job by one that raises; gives the list of what it is called with."""
        from jobs import chunk_documents

        told: list[tuple[Any, ...]] = []

        def run(config: object, **options: object) -> None:
            told.append((config, options))
            if error is not None:
                raise error

        monkeypatch.setattr(chunk_documents, "run", run)
        return told


class TestUsage:
    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as raised:
            cli.main(["--version"])
        assert raised.value.code == 0
        assert capsys.readouterr().out.startswith("chunkmill ")

    @pytest.mark.parametrize("arguments", [[], ["chunk"], ["run"], ["preview", "x.yaml", "--documents", "0"]])
    def test_wrong_arguments_exit_with_2(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as raised:
            cli.main(arguments)
        assert raised.value.code == 2
        assert "usage: chunkmill" in capsys.readouterr().err
