"""What several algorithms need: offsets, graphemes, blanks, context, sizes, Markdown blocks."""
