"""chunkmill beside other libraries: which promises hold on which texts, and how fast."""
