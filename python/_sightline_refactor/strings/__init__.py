"""Names that stand in strings, comments and documentation, or are found by their text as the program runs."""
