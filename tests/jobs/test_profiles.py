"""The ready profiles in conf/: every key is one that Spark knows, and the job runs with them."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pyspark
import pytest
import yaml
from pyspark.sql import SparkSession

from jobs.configuration import load
from jobs.java import ensure_java
from tests.jobs.documents import write_documents

ROOT = Path(__file__).parents[2]
CONF = ROOT / "conf"
PROPERTIES = sorted((CONF / "spark").glob("*.conf"))
MANIFEST = CONF / "kubernetes" / "spark_application.yaml"
DAG = CONF / "airflow" / "chunkmill_nightly.py"

OLDEST_SPARK = (3, 5)


@dataclass(frozen=True)
class Setting:
    """A key of a properties file, its value, and the comment lines right above it."""

    key: str
    value: str
    comment: str

    @property
    def since(self) -> tuple[int, ...]:
        """The Spark version that the comment says the key needs."""
        found = re.search(r"Spark (\d+)\.(\d+) and newer", self.comment)
        return tuple(int(part) for part in found.groups()) if found else OLDEST_SPARK


def settings(path: Path) -> Iterator[Setting]:
    """The settings of a properties file, as spark-submit reads it."""
    comment: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            comment = []
        elif line.startswith("#"):
            comment.append(line.removeprefix("# "))
        else:
            key, value = line.split(None, 1)
            yield Setting(key, value, " ".join(comment))
            comment = []


class SparkKeys:
    """The keys that this Spark has entries for, with the version that brought each."""

    # What spark-submit and PySpark read by themselves has no entry.
    UNREGISTERED = frozenset({"spark.master"})

    def __init__(self, spark: SparkSession) -> None:
        jvm: Any = spark._jvm
        loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
        for registry in ("internal.config", "deploy.yarn.config"):
            jvm.java.lang.Class.forName(f"org.apache.spark.{registry}.package$", True, loader)
        jvm.java.lang.Class.forName("org.apache.spark.internal.config.Python$", True, loader)
        self._find = jvm.org.apache.spark.internal.config.ConfigEntry.findEntry

    def since(self, key: str) -> tuple[int, ...] | None:
        """Major and minor version; None for a key that this Spark does not know."""
        if key in self.UNREGISTERED:
            return (0,)
        entry = self._find(key)
        return None if entry is None else tuple(int(part) for part in entry.version().split(".")[:2])


@pytest.fixture(scope="module")
def spark_keys(spark: SparkSession) -> SparkKeys:
    return SparkKeys(spark)


def spark_version() -> tuple[int, ...]:
    return tuple(int(part) for part in pyspark.__version__.split(".")[:2])


@pytest.mark.parametrize("path", PROPERTIES, ids=lambda path: path.name)
class TestProperties:
    def test_every_key_is_one_that_spark_knows(self, path: Path, spark_keys: SparkKeys) -> None:
        """In this version, or from a later one that the comment names."""
        for setting in settings(path):
            since = spark_keys.since(setting.key)
            if since is None:
                assert setting.since > spark_version(), f"Spark {pyspark.__version__} knows no {setting.key}"
            else:
                assert since <= max(setting.since, OLDEST_SPARK), f"{setting.key} came with Spark {since}"

    def test_no_key_is_there_twice(self, path: Path) -> None:
        keys = [setting.key for setting in settings(path)]
        assert len(keys) == len(set(keys))

    def test_sizes_and_numbers_can_be_read(self, path: Path, spark: SparkSession) -> None:
        jvm: Any = spark._jvm
        conf = jvm.org.apache.spark.SparkConf(False)
        for setting in settings(path):
            conf.set(setting.key, setting.value)
        for setting in settings(path):
            if setting.key.endswith(("memory", "memoryOverhead")):
                assert conf.getSizeAsMb(setting.key) >= 1024
            elif setting.key.endswith(("Seconds", "minTaskRuntime")):
                assert conf.getTimeAsSeconds(setting.key) > 60
            elif setting.key.endswith((".cores", ".instances", "cores.max", "partitions")):
                assert int(setting.value) >= 1

    def test_the_command_in_its_head_names_what_is_there(self, path: Path) -> None:
        head = path.read_text(encoding="utf-8").partition("\nspark.")[0]
        named = re.findall(r"(?:conf|jobs|docs)/[\w/.]+\w", head)
        assert f"conf/spark/{path.name}" in named
        assert all((ROOT / name).is_file() for name in named)


@pytest.mark.spark
def test_the_job_runs_with_the_local_profile(tmp_path: Path) -> None:
    ensure_java()
    write_documents(tmp_path / "in.parquet", id=["a"], text=["one\n\ntwo"])
    job = {
        "input": {"path": str(tmp_path / "in.parquet"), "id": "id", "text": "text"},
        "chunk": {"delimiter": {}},
        "output": {"path": str(tmp_path / "out")},
    }
    (tmp_path / "job.yaml").write_text(json.dumps(job), encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK_", "SPARK_"))}
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    command = [str(submit), "--properties-file", str(CONF / "spark" / "local.conf"), "--conf", "spark.ui.enabled=false"]
    done = subprocess.run(
        [*command, str(ROOT / "jobs" / "chunk_documents.py"), "--config", "job.yaml"],
        cwd=tmp_path,
        env={**environment, "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert list((tmp_path / "out").glob("runs/*/chunks/*.zstd.parquet"))


# The fields that the manifest uses, by the types from which Kubeflow's Spark operator generates its CRD:
# api/v1beta2/sparkapplication_types.go at 07f3cecdbf9afe670d991dfbdb911334eb29930b.
STRINGS = {"type": "array", "items": {"type": "string"}}
MAP_OF_STRINGS = {"type": "object", "additionalProperties": {"type": "string"}}
STRING, AT_LEAST_ONE = {"type": "string"}, {"type": "integer", "minimum": 1}


def fields(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


POD = {
    "cores": AT_LEAST_ONE,
    "memory": STRING,
    "memoryOverhead": STRING,
    "serviceAccount": STRING,
    "configMaps": {"type": "array", "items": fields(["name", "path"], name=STRING, path=STRING)},
    "volumeMounts": {"type": "array", "items": fields(["name", "mountPath"], name=STRING, mountPath=STRING)},
}
CLAIM = fields(["claimName"], claimName=STRING)
SPARK_APPLICATION = fields(
    ["apiVersion", "kind", "metadata", "spec"],
    apiVersion={"const": "sparkoperator.k8s.io/v1beta2"},
    kind={"const": "SparkApplication"},
    metadata=fields(["name"], name={"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}),
    spec=fields(
        ["type", "sparkVersion", "mainApplicationFile", "driver", "executor"],
        type={"enum": ["Java", "Python", "Scala", "R"]},
        pythonVersion={"enum": ["2", "3"]},
        mode={"enum": ["cluster", "client"]},
        sparkVersion=STRING,
        image=STRING,
        mainApplicationFile=STRING,
        arguments=STRINGS,
        restartPolicy=fields([], type={"enum": ["Never", "Always", "OnFailure"]}),
        timeToLiveSeconds={"type": "integer"},
        volumes={
            "type": "array",
            "items": fields(["name"], name=STRING, persistentVolumeClaim=CLAIM),
        },
        driver=fields([], **POD),
        executor=fields([], **POD, instances=AT_LEAST_ONE),
        sparkConf=MAP_OF_STRINGS,
    ),
)


class TestKubernetes:
    @pytest.fixture
    def spec(self) -> Any:
        return yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))["spec"]

    def test_the_manifest_has_the_operators_fields(self) -> None:
        jsonschema.validate(yaml.safe_load(MANIFEST.read_text(encoding="utf-8")), SPARK_APPLICATION)

    def test_every_setting_is_one_that_spark_knows(self, spec: Any, spark_keys: SparkKeys) -> None:
        newest = {"spark.python.worker.idleTimeoutSeconds", "spark.python.worker.killOnIdleTimeout"}
        for key in spec["sparkConf"]:
            assert spark_keys.since(key) is not None or (key in newest and spark_version() < (4, 1)), key

    def test_volumes_that_are_mounted_are_there(self, spec: Any) -> None:
        volumes = {volume["name"] for volume in spec["volumes"]}
        assert {mount["name"] for pod in ("driver", "executor") for mount in spec[pod]["volumeMounts"]} == volumes

    def test_the_configuration_comes_from_the_config_map(self, spec: Any) -> None:
        _, configuration = spec["arguments"]
        (config_map,) = spec["driver"]["configMaps"]
        assert Path(configuration).parent == Path(config_map["path"])
        assert load(CONF / Path(configuration).name, [])

    def test_image_and_manifest_agree(self, spec: Any) -> None:
        dockerfile = (CONF / "kubernetes" / "Dockerfile").read_text(encoding="utf-8")
        assert f"ARG SPARK_VERSION={spec['sparkVersion']}\n" in dockerfile
        script = Path(spec["mainApplicationFile"].removeprefix("local://"))
        assert f"COPY jobs/{script.name} {script.parent}/\n" in dockerfile


class TestAirflow:
    def test_it_compiles(self) -> None:
        compile(DAG.read_text(encoding="utf-8"), str(DAG), "exec")

    def test_what_it_names_is_there(self) -> None:
        """Paths below CHUNKMILL_HOME; dist/ is what `make build` makes."""
        named = [
            str(node.right.value)
            for node in ast.walk(ast.parse(DAG.read_text(encoding="utf-8")))
            if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant)
        ]
        assert sorted(named) == [
            "conf/handbook.yaml",
            "conf/spark/standalone.conf",
            "dist/chunkmill-jobs.zip",
            "jobs/chunk_documents.py",
        ]
        assert all((ROOT / name).is_file() for name in named if not name.startswith("dist/"))

    def test_airflow_loads_it(self) -> None:
        pytest.importorskip("airflow.providers.apache.spark", reason="Airflow is not installed: docs/deploying.md")
        spec = importlib.util.spec_from_file_location("chunkmill_nightly", DAG)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        (task,) = module.dag.tasks
        assert (module.dag.max_active_runs, module.dag.catchup, task.retries) == (1, False, 2)
        assert task.application_args == ["--config", str(module.HOME / "conf" / "handbook.yaml")]
