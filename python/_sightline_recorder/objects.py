"""A number for each object that was noted, the same for the same object, without keeping it alive."""

import weakref

from .members import members

_MAX_NUMBERS = 200000


class Numbers(object):
    def __init__(self):
        self._numbers = {}
        self._last = 0
        # Objects that are kept alive anyway, by identity: these are always told apart.
        self.kept = {}

    def of(self, value, is_same=False):
        """The number of an object, or None for one that nobody can tell from another.

        Lists and dicts cannot be referred to weakly, and a later one may stand where an earlier one was: it is the same
        when it holds the same, or when the caller knows (`is_same`). Of empty ones nobody knows.
        """
        key = id(value)
        known = self._numbers.get(key)
        try:
            reference = weakref.ref(value)
            if known is not None and known[1] is reference:
                return known[0]
        except TypeError:
            reference = members(value)
            if reference is None:
                return None
            is_same = is_same or self._is_kept(value, known)
            if known is not None and (is_same or (known[1] == reference and _is_filled(reference))):
                self._numbers[key] = (known[0], reference)
                return known[0]
        if len(self._numbers) > _MAX_NUMBERS:
            self._numbers.clear()
        self._last += 1
        self._numbers[key] = (self._last, reference)
        return self._last

    def _is_kept(self, value, known):
        held = self.kept.get(id(value))
        return held is not None and held[0] is value and known is not None


def _is_filled(seen):
    size = seen[0] if type(seen) is list else seen.get(None, 0)
    return size > 0
