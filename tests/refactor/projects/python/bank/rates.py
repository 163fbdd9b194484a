"""What is taken away."""

RATE = 0.5
_BASE = 2


def taxed(value: int) -> float:
    """The value with tax."""
    share = value / _BASE
    return value - share
