"""Safe delete."""
