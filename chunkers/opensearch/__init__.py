"""OpenSearch `text_chunking` pipelines: the same definition gives the same passages off the cluster."""

from __future__ import annotations

from chunkers.opensearch.pipeline import Pipeline, read_pipeline
from chunkers.opensearch.semantic_field import semantic_field_pipeline
from chunkers.opensearch.simulate import RequestError, simulate
from chunkers.opensearch.trace import Passage

__all__ = ["Passage", "Pipeline", "RequestError", "read_pipeline", "semantic_field_pipeline", "simulate"]
