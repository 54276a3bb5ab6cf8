"""The Spark edge of chunkmill: one thin script a job, configuration, reading, writing, command line."""
