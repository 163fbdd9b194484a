"""Numbers for objects that are held in more than one place of what one stop shows, so that sameness can be seen.

A text that is not finished has a mark of control characters before each object; strings have theirs escaped. An object
keeps its number during a stop, and beyond it where a weak reference can tell that it is still the same object.
"""

import re
import weakref

_MARK = re.compile("\x01(\\d+)([\x02\x03])")

_of_stop = {}
_lasting = {}
_last = [0]


def forget():
    """Whatever lived during the stop may be gone now, and another object be where it was."""
    _of_stop.clear()


class Marks(object):
    """Those of the values that are told together; while the program runs, their numbers are good for that one text."""

    def __init__(self, is_stopped):
        self.is_stopped = is_stopped
        self.own = {}
        self.places = {}
        self.holders = [[0, 0]]
        self.objects = {}
        self.opened = set()

    def begin(self):
        """The next value is another text: an object that was opened in the last one is opened again."""
        self.opened = set()
        del self.holders[1:]

    def visit(self, value):
        key = id(value)
        # Kept until the texts are finished: an object made for the drawing must not give its place to another.
        self.objects[key] = value
        holder = self.holders[-1]
        holder[1] += 1
        self.places.setdefault(key, set()).add(tuple(holder))
        return "\x01%d" % key

    def enter(self, value):
        self.holders.append([id(value), 0])

    def leave(self):
        self.holders.pop()

    def finish(self, text):
        return _MARK.sub(self._number, text) if "\x01" in text else text

    def _number(self, found):
        key, is_alone = int(found.group(1)), found.group(2) == "\x03"
        value = self.objects.get(key)
        if not (is_alone or len(self.places.get(key, ())) > 1 or (self.is_stopped and _known(key, value))):
            return ""
        if self.is_stopped:
            number = _number_of(key, value)
        else:
            number = self.own[key] = self.own.get(key) or _new_number()
        return "#%d%s" % (number, "" if is_alone else " ")


def length(text):
    """Of the text as it will be read, when none of its marks gets a number."""
    return len(_MARK.sub("", text)) if "\x01" in text else len(text)


def _known(key, value):
    if key in _of_stop:
        return True
    reference, _ = _lasting.get(key, (None, 0))
    return reference is not None and reference() is value


def _number_of(key, value):
    if key in _of_stop:
        return _of_stop[key]
    if _known(key, value):
        number = _lasting[key][1]
    else:
        number = _new_number()
        try:
            _lasting[key] = (weakref.ref(value), number)
        except TypeError:
            _lasting.pop(key, None)
        if len(_lasting) > 1000:
            _lasting.clear()
    _of_stop[key] = number
    return number


def _new_number():
    _last[0] += 1
    return _last[0]
