"""Which of the tests that a runner has found are the chosen ones."""

import os
import re


class Selection(object):
    def __init__(self, request):
        tests = request.get("tests")
        self._tests = None if tests is None else {_key(each) for each in tests}
        self._name = request.get("name")
        pattern = request.get("pattern")
        self._pattern = None if pattern is None else re.compile(pattern)

    @property
    def is_whole(self):
        return self._tests is None and self._name is None and self._pattern is None

    def chosen(self, pairs):
        """Of (item, ref) pairs the items that are meant."""
        if self._tests is not None:
            pairs = [pair for pair in pairs if _key(pair[1]) in self._tests]
        if self._pattern is not None:
            pairs = [pair for pair in pairs if self._pattern.search(" ".join(_parts(pair[1])))]
        if self._name is not None:
            pairs = _named(self._name, pairs)
        return [item for item, _ in pairs]


def _named(name, pairs):
    """Those whose whole name it is, else those of that suite or without parameters, else those that contain it."""
    wanted = normalised(name)

    def ends(parts):
        joined = "::".join(parts)
        return joined == wanted or joined.endswith("::" + wanted)

    def suites(parts):
        return any(ends(parts[:count]) for count in range(1, len(parts)))

    def base(parts):
        return parts[:-1] + [parts[-1].split("[")[0]]

    for matches in (
        lambda parts: ends(parts),
        lambda parts: ends(base(parts)) or suites(parts),
        lambda parts: name in " ".join(parts) or wanted in "::".join(parts),
    ):
        found = [pair for pair in pairs if matches(_parts(pair[1]))]
        if found:
            return found
    return []


def normalised(name):
    """Dots separate a class from its method; in the brackets of a parametrised test they are its own."""
    plain, bracket, parameters = name.partition("[")
    return plain.replace(".", "::").replace(" > ", "::").replace(" ", "::") + bracket + parameters


def _parts(ref):
    return list(ref["suite"]) + [ref["name"]]


def _key(ref):
    return os.path.realpath(ref.get("file") or ""), tuple(ref["suite"]), ref["name"]
