"""`chunkmill preview`: how documents would be cut, on a terminal."""

from __future__ import annotations

from jobs.preview.lines import preview, preview_lines

__all__ = ["preview", "preview_lines"]
