"""OpenSearch pipelines on Spark: which columns are read and written, and the UDF in between."""
