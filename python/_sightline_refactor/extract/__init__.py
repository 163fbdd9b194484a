"""Extracting a variable or a function from a selection."""
