"""The configuration of a job: what it may say, how it is read, and what is checked before Spark starts."""

from __future__ import annotations

from jobs.configuration.model import (
    Configuration,
    ContextConfig,
    InputConfig,
    LimitsConfig,
    OutputConfig,
    from_mapping,
    load,
)

__all__ = ["Configuration", "ContextConfig", "InputConfig", "LimitsConfig", "OutputConfig", "from_mapping", "load"]
