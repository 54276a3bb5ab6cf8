"""What produces every number in docs/performance.md."""
