"""The job every night, as an Airflow DAG: spark-submit, and retries only where they help.

Airflow 3 with apache-airflow-providers-apache-spark. The connection `spark_default` says where Spark is:
`spark://host:7077`, `local[*]`, `yarn`. CHUNKMILL_HOME is a folder with jobs/, conf/ and dist/, as `make build`
leaves this repository.
"""

from __future__ import annotations

import os
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.sdk import DAG
from airflow.sdk.exceptions import AirflowException, AirflowFailException

HOME = Path(os.environ.get("CHUNKMILL_HOME", "/opt/chunkmill"))

# 2: the configuration is wrong; 4: too many documents failed. The same run would end the same way again.
# 1 (Spark), 3 (the input may come late) and 5 (another run is writing) are worth another try.
NOT_WORTH_A_RETRY = frozenset({2, 4})


class ChunkOperator(SparkSubmitOperator):
    """spark-submit that looks at the exit code of the job before it is tried again."""

    def execute(self, context: Any) -> None:
        try:
            super().execute(context)
        except AirflowException as error:
            code = re.search(r"Error code is: (\d+)", str(error))
            if code and int(code[1]) in NOT_WORTH_A_RETRY:
                raise AirflowFailException(f"exit code {code[1]}: see the log of this task for the reason") from error
            raise


with DAG(
    dag_id="chunkmill_nightly",
    schedule="0 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,  # a second run on the same output would only exit with 5
    default_args={"retries": 2, "retry_delay": timedelta(minutes=15)},
    doc_md=__doc__,
) as dag:
    ChunkOperator(
        task_id="chunk",
        name="chunkmill",
        conn_id="spark_default",
        properties_file=str(HOME / "conf/spark/standalone.conf"),
        py_files=str(HOME / "dist/chunkmill-jobs.zip"),
        application=str(HOME / "jobs/chunk_documents.py"),
        application_args=["--config", str(HOME / "conf/handbook.yaml")],
        execution_timeout=timedelta(hours=6),
    )
