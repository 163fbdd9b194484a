"""What the project's files say, read once for as long as they do not change."""

import os

_stamps = {}
_texts = {}
_absent = set()


def see(stamps):
    """Takes note of how the files are now (path -> stamp); one with another stamp than before is read again."""
    global _stamps
    for path in [path for path in _texts if path not in stamps or stamps[path] != _stamps.get(path)]:
        del _texts[path]
    _absent.clear()
    _stamps = stamps


def text(path, how, read):
    """The text of a file as somebody reads it: `how` says who, since not all decode alike."""
    known = _texts.setdefault(path, {}) if path in _stamps else {}
    if how not in known:
        known[how] = read()
    return known[how]


def exists(path):
    if path in _stamps:
        return True
    if path in _absent:
        return False
    found = os.path.isfile(path)
    if not found:
        _absent.add(path)
    return found
