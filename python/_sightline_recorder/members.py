"""What an object or container holds, in a form that can be compared later and keeps nothing alive."""

from . import values

_MAX_MEMBERS = 40
# Of a dict inside of an object.
_MAX_SEEN = 8


def members(value):
    """Values that cannot change as they are, others by identity and size; None for what holds nothing that changes."""
    kind = type(value)
    if kind is list:
        return [len(value)] + [mark(each) for each in value[:_MAX_MEMBERS]]
    if kind is dict:
        return _pairs(value)
    bases = type.__getattribute__(kind, "__mro__")
    if list in bases:
        return [list.__len__(value)] + [mark(each) for each in list.__getitem__(value, slice(0, _MAX_MEMBERS))]
    if dict in bases:
        return _pairs(value)
    if set in bases:
        held = list(set.__iter__(value))
        return {None: len(held), "": sum(id(each) for each in held[:1000])}
    stored = values.stored_dict(value) if type(value).__module__ != "builtins" else None
    if stored is not None:
        return _pairs(stored)
    return {name: mark(each) for name, each in values.fields(value)} if values.slots(kind) else None


def _pairs(stored):
    found = {None: dict.__len__(stored)}
    # A copy in one step of the interpreter: another thread may be adding to it.
    for key, each in list(dict.items(stored))[:_MAX_MEMBERS]:
        found[key if type(key) is str else id(key)] = mark(each)
    return found


def mark(value):
    kind = type(value)
    if kind is int or kind is str or kind is bool or value is None or kind is float:
        return (kind, value)
    if kind is list:
        return (id(value), len(value)) + tuple(id(each) for each in value[-3:])
    if kind is dict:
        return (id(value), len(value)) + tuple(id(each) for each in list(value.values())[:_MAX_SEEN])
    if kind is set:
        return (id(value), len(value))
    return id(value)


def mark_text(marked):
    """What a mark tells of the value it was made of, or None."""
    if type(marked) is not tuple:
        return None
    if type(marked[0]) is type:
        return values.show(marked[1])
    return "%d item%s" % (marked[1], "" if marked[1] == 1 else "s")


def changed_names(seen, now):
    """The attributes that differ, when both are those of an object."""
    if type(seen) is not dict or type(now) is not dict:
        return []
    names = [name for name in list(now) + [each for each in seen if each not in now] if type(name) is str and name]
    return [name for name in names if seen.get(name, names) != now.get(name, names)]
