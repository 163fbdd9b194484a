"""Renames: which places mean the same thing, and what a new name would change."""
