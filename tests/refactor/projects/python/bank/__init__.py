"""Money and who has it."""

from .accounts import Account, Entry, total
from .counting import *
from .counting import LIMIT

__all__ = ["Account", "Entry", "total", "LIMIT", "bump", "counter", "pairs"]
