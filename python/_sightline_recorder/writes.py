"""Who changed it: what a watch names is read before and after each statement that may write it.

Which statements may is told from the text of the focus's files (see sites); which object is meant is told while the
program runs, by identity, so that a write through another name is seen as well. What changed without any such statement
(in code outside the focus) is seen when a call of the focus ends, and told as a change between two lines.
"""

import collections
import weakref

from . import reading, sites, values
from .members import members
from .reading import MISSING
from .targets import ATTRIBUTE, ITEM, VARIABLE, Target, path_text

_MAX_HOLDERS = 8
_MAX_VALUES = 500
_MAX_STRANGERS = 2000
_MAX_OF_STRANGER = 20


class Watch(object):
    def __init__(self, orders):
        self.id = orders.get("id")
        self.target = Target(orders["expression"])
        self.hits = 0
        self.file = orders.get("file")
        # `Cart.total` is the attribute of each cart.
        holder = self.target.holder
        self.owner = holder if holder and holder[:1].isupper() and "." not in holder else None

    def is_in(self, plan):
        return self.file is None or self.file == plan.path


class _Slot(object):
    """An attribute or element of one object that was met, as it was last."""

    __slots__ = ("watch", "reference", "text", "value", "seen", "shown", "place", "serial")


class _Pending(object):
    __slots__ = ("watch", "site", "holder", "name", "value", "seen", "shown", "serial")


class Writes(object):
    def __init__(self, orders, stream, calls):
        self.watches = [Watch(each) for each in orders["watches"]]
        self.all_writes = orders["allWrites"]
        self.stream = stream
        self.calls = calls
        self.limit = orders["limits"]["maxPerPlace"]
        self.pending = {}
        self.meetings = {}
        # Writes to objects that no watched name has stood for yet, by the number of the object.
        self.strangers = collections.OrderedDict()
        self.slots = {}
        # Objects that a watched name stands for, by identity: (object, watch).
        self.held = calls.numbers.kept = collections.OrderedDict()
        self.places = collections.Counter()

    # --- when a code object is first met ---

    def sites_of(self, plan, first, last, inner):
        """line -> sites, for this code object alone."""
        if plan.source is None or not (self.watches or self.all_writes):
            return None
        watches = [each for each in self.watches if each.is_in(plan)]
        variables = {each.target.name for each in watches if each.target.kind == VARIABLE}
        # Where the name of a holder gets an object, that object is met.
        variables.update(each.target.root for each in self.watches if each.target.holder)
        attributes = {each.target.name for each in watches if each.target.kind == ATTRIBUTE}
        found = {}
        for site in sites.of(plan.source):
            if not first <= site.line <= last or any(start <= site.line <= end for start, end in inner):
                continue
            if site.kind == "name" and site.name not in variables and not (self.all_writes and plan.wants_call):
                continue
            if site.kind == "attribute" and not (self.all_writes or site.name in attributes):
                continue
            if site.kind == "content" and not (watches or self.all_writes and (site.is_change or site.key is not None)):
                continue
            # A statement of several lines may write when any of them is reached.
            for line in range(site.line, site.last + 1):
                found.setdefault(line, []).append(site)
        return found or None

    def entry_watches(self, plan):
        """Watches whose object may be found among the variables of this code when it begins."""
        names = plan.code.co_varnames + plan.code.co_freevars + plan.code.co_cellvars
        return [each for each in self.watches if each.target.root in names]

    # --- while it runs ---

    def enter(self, plan, frame):
        scope = frame.f_locals
        for watch in plan.entry_watches:
            target = watch.target
            if target.kind == VARIABLE:
                value = scope.get(target.name, MISSING)
                if value is not MISSING:
                    self._hold(watch, value)
            elif target.holder is not None:
                self._meet_by_name(watch, scope, frame, plan, plan.code.co_firstlineno)

    def _meet_by_name(self, watch, scope, frame, plan, line):
        holder = reading.read(watch.target.holder_node, scope, frame.f_globals)
        if holder is not MISSING and not values.is_atom(holder):
            self._meet(watch, holder, watch.target.text, plan, line)

    def line(self, plan, frame, line):
        self.settle(plan, frame)
        scope = None
        for site in plan.sites.get(line, ()):
            if scope is None:
                scope = frame.f_locals
            self._begin(site, plan, frame, scope)

    def _begin(self, site, plan, frame, scope):
        if site.kind == "name":
            for watch in self.watches:
                if watch.target.kind == VARIABLE and watch.target.name == site.name and watch.is_in(plan):
                    self._wait(watch, site, None, site.name, self._variable(frame, scope, site.name), frame)
                elif watch.target.holder and watch.target.root == site.name:
                    self.meetings.setdefault(id(frame), []).append((watch, site.line))
            if self.all_writes and not any(each.target.name == site.name for each in self.watches):
                self._wait(None, site, None, site.name, self._variable(frame, scope, site.name), frame)
            return
        base = reading.read(site.base, scope, frame.f_globals)
        if base is MISSING or values.is_atom(base):
            return
        if site.kind == "attribute":
            for watch in self.watches:
                if watch.target.kind != ATTRIBUTE or watch.target.name != site.name or not watch.is_in(plan):
                    continue
                self._wait(watch, site, base, site.name, reading.attribute(base, site.name), frame)
                break
            else:
                if self.all_writes:
                    self._wait(None, site, base, site.name, reading.attribute(base, site.name), frame)
            return
        held = self.held.get(id(base))
        if held is not None and held[0] is base and held[1].is_in(plan):
            self._wait(held[1], site, None, None, base, frame)
        if self.all_writes:
            self._begin_any(site, base, frame, scope)
        for watch in self.watches:
            if watch.target.kind == ITEM and watch.is_in(plan):
                self._wait(watch, site, base, watch.target.name, reading.item(base, watch.target.name), frame)

    def _begin_any(self, site, base, frame, scope):
        """Everything is wanted: the element that is stored, or what a method leaves in a container."""
        if site.key is not None:
            key = reading.key_of(site.key, scope, frame.f_globals)
            if key is not MISSING and issubclass(type(base), (list, dict)):
                self._wait(None, site, base, key, reading.item(base, key), frame)
        elif site.is_change and issubclass(type(base), (list, dict, set, collections.deque)):
            self._wait(None, site, None, None, base, frame)

    @staticmethod
    def _variable(frame, scope, name):
        if name in scope:
            return scope[name]
        code = frame.f_code
        if name in code.co_varnames or name in code.co_cellvars:
            return MISSING
        return frame.f_globals.get(name, MISSING)

    def _means(self, watch, site, holder):
        """Whether the object whose attribute or element is written here is one that the watch is about."""
        target = watch.target
        if watch.owner is not None:
            kind = holder if issubclass(type(holder), type) else type(holder)
            return any(base.__name__ == watch.owner for base in kind.__mro__)
        if (watch.id, id(holder)) in self.slots:
            return True
        text = path_text(site.base)
        return target.holder == "self" or text.split(".")[-1] == target.holder.split(".")[-1]

    def _wait(self, watch, site, holder, name, value, frame):
        pending = _Pending()
        pending.watch, pending.site, pending.holder, pending.name = watch, site, holder, name
        pending.value = value
        pending.seen = None if value is MISSING or values.is_atom(value) else members(value)
        pending.shown = None if value is MISSING else self.calls.value(value)
        pending.serial = self.stream.seq
        self.pending.setdefault(id(frame), []).append(pending)

    def settle(self, plan, frame):
        """The statement is over: what did it change?"""
        waiting = self.pending.pop(id(frame), ())
        meetings = self.meetings.pop(id(frame), ())
        if not waiting and not meetings:
            return
        scope = frame.f_locals
        for watch, line in meetings:
            self._meet_by_name(watch, scope, frame, plan, line)
        for each in waiting:
            site = each.site
            if site.kind == "name":
                now = self._variable(frame, scope, site.name)
            elif each.holder is None:
                now = each.value
            else:
                now = (
                    reading.attribute(each.holder, each.name)
                    if site.kind == "attribute"
                    else reading.item(each.holder, each.name)
                )
            self._compare(each, now, plan)

    def _compare(self, pending, now, plan):
        watch, site = pending.watch, pending.site
        old, before = pending.shown, pending.value
        slot = (
            self.slots.get((watch.id, id(pending.holder))) if watch is not None and pending.holder is not None else None
        )
        if slot is not None and slot.serial > pending.serial:
            # A call in the statement wrote it as well, and was told.
            old, before = slot.shown, slot.value
            pending.seen = slot.seen
        kind = None
        if now is MISSING:
            kind = "delete" if before is not MISSING else None
        elif not _is_same(before, now):
            kind = "assign"
        elif pending.seen is not None and members(now) != pending.seen:
            kind = "change"
        if kind is None:
            return
        is_stranger = watch is not None and pending.holder is not None and not self._means(watch, site, pending.holder)
        how = (None, is_stranger, site.is_made)
        self._emit(watch, _target(site, pending), old, now, kind, plan, site.line, pending.holder, *how)
        if kind == "change":
            self._told(now, plan, site.line)

    def _told(self, value, plan, line):
        """The same object may stand in several places."""
        for slot in list(self.slots.values()):
            holder = slot.reference() if slot.value is value else None
            if holder is not None:
                self._refresh(slot, holder, plan, line)

    def _emit(
        self, watch, target, old, now, kind, plan, line, holder=None, since=None, is_stranger=False, is_made=False
    ):
        if watch is not None and now is not MISSING and not is_stranger:
            self._hold(watch, now)
        event = {"event": "write", "seq": self.stream.next()}
        if watch is not None:
            event["watch"] = watch.id
        event["target"] = target
        if old is not None:
            event["old"] = old
        shown = None if now is MISSING else self.calls.value(now, is_same=kind == "change")
        if shown is not None:
            event["new"] = shown
        event["kind"] = kind
        if is_made:
            event["isMade"] = True
        if since is not None:
            event["since"] = since
        event["file"], event["line"] = plan.path, line
        current = self.calls.current()
        if current is not None:
            event["call"] = current
        if holder is not None:
            event["holder"] = self.calls.numbers.of(holder)
            if is_stranger:
                return self._keep(watch, event, holder)
            if watch is not None:
                self._meet(watch, holder, target, plan, line)
        return self._write(watch, event)

    def _keep(self, watch, event, holder):
        kept = self.strangers.setdefault((watch.id, event["holder"]), collections.deque(maxlen=_MAX_OF_STRANGER))
        kept.append(event)
        if len(self.strangers) > _MAX_STRANGERS:
            self.strangers.popitem(last=False)

    def _write(self, watch, event):
        stream = self.stream
        if watch is not None:
            watch.hits += 1
        place = (event["file"], event["line"], watch and watch.id)
        self.places[place] += 1
        if self.places[place] <= self.limit and stream.write(event):
            return
        stream.dropped["writes"] += 1
        stream.ring("writes").append((event,))

    def _hold(self, watch, value):
        """Further writes to this very object count, whatever name it is written by."""
        if values.is_atom(value) or issubclass(type(value), type):
            return
        self.held[id(value)] = (value, watch)
        if len(self.held) > _MAX_VALUES:
            self.held.popitem(last=False)

    def _meet(self, watch, holder, text, plan, line):
        key = (watch.id, id(holder))
        slot = self.slots.get(key)
        if slot is None:
            if watch.owner is not None and not any(base.__name__ == watch.owner for base in type(holder).__mro__):
                return
            if len(self.slots) > _MAX_VALUES:
                self.slots.clear()
            slot = self.slots[key] = _Slot()
            slot.watch = watch
            try:
                slot.reference = weakref.ref(holder, lambda _, key=key: self.slots.pop(key, None))
            except TypeError:
                slot.reference = lambda: holder
            for event in self.strangers.pop((watch.id, self.calls.numbers.of(holder)), ()):
                self._write(watch, event)
        slot.text = text
        self._refresh(slot, holder, plan, line)

    def _refresh(self, slot, holder, plan, line):
        value = slot.value = self._value_in(slot, holder)
        slot.seen = None if value is MISSING or values.is_atom(value) else members(value)
        slot.shown = None if value is MISSING else self.calls.value(value)
        slot.place = (plan.path, line)
        slot.serial = self.stream.seq
        if value is not MISSING:
            self._hold(slot.watch, value)

    @staticmethod
    def _value_in(slot, holder):
        target = slot.watch.target
        return reading.attribute(holder, target.name) if target.kind == ATTRIBUTE else reading.item(holder, target.name)

    def sweep(self, plan, line):
        """What changed although no statement of the focus wrote it."""
        if not self.slots or len(self.slots) > _MAX_HOLDERS:
            return
        for slot in list(self.slots.values()):
            holder = slot.reference()
            if holder is None:
                continue
            now = self._value_in(slot, holder)
            same = now is slot.value or (now is not MISSING and slot.value is not MISSING and _is_same(slot.value, now))
            if same and (slot.seen is None or members(now) == slot.seen) or not slot.watch.is_in(plan):
                continue
            since = slot.place[1] if slot.place[0] == plan.path else None
            self._emit(slot.watch, slot.text, slot.shown, now, "change", plan, line, holder, since)


def _is_same(old, new):
    if old is new:
        return True
    return type(old) is type(new) and values.is_atom(new) and old == new


def _target(site, pending):
    if site.kind == "content" and pending.holder is not None:
        return "%s[%s]" % (site.text, values.show(pending.name))
    return site.text
