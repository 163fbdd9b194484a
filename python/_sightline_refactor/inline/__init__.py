"""Inlining a variable or a function at its uses."""
