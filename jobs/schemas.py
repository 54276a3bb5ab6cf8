"""Spark's types for what chunkers gives, made without a running session."""

from __future__ import annotations

import pyarrow as pa
from pyspark.sql.types import ArrayType, BooleanType, DataType, IntegerType, StringType, StructField, StructType

from chunkers import CHUNK_TYPE

_TYPES: dict[pa.DataType, DataType] = {
    pa.int32(): IntegerType(),
    pa.string(): StringType(),
    pa.bool_(): BooleanType(),
    pa.list_(pa.string()): ArrayType(StringType()),
}

CHUNK_STRUCT = StructType([StructField(field.name, _TYPES[field.type]) for field in CHUNK_TYPE])
"""One chunk: `chunkers.CHUNK_TYPE` as Spark has it."""

CHUNKS = ArrayType(CHUNK_STRUCT)
"""What the UDF gives for one document."""
