"""Values as people of C, C++ and Rust write them, within limits, from memory alone: nothing of the program runs."""

import itertools
import re
import struct

import gdb

DEFAULT_LIMITS = {"maxValueChars": 240, "maxStringChars": 160, "maxItems": 8, "depth": 3}

_POINTERS = (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_STRUCTS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
_RAW = {"raw": True, "styling": False}


def clip(text, limit):
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "\u2026"


def show(value, limits):
    """The value as one line of text."""
    try:
        return clip(_Shower(limits).show(value, limits["depth"]), limits["maxValueChars"])
    except gdb.MemoryError as error:
        return "<%s>" % error
    except (gdb.error, RuntimeError, ValueError, TypeError, RecursionError) as error:
        return "<not readable: %s>" % clip(str(error), 100)


def type_name(value):
    return short_type(str(value.type))


def short_type(name):
    """Without what everybody leaves out: allocators, hashers, comparers, inline namespaces, the paths of std types."""
    name = name.replace("std::__cxx11::", "std::").replace("std::basic_string<char>", "std::string")
    name = re.sub(r"std::basic_string<char, std::char_traits<char>, std::allocator<char> ?>", "std::string", name)
    name = re.sub(r", alloc::alloc::Global|, std::hash::random::RandomState", "", name)
    name = re.sub(r"\b(?:alloc|core|std)::(?:[a-z_]+::)+(?=[A-Z])", "", name)
    # gdb does not tell a reference of Rust, a Box and a raw pointer apart, and calls all of them `*mut`.
    name = re.sub(r"^\*(?:mut|const) ", "*", name)
    defaults = re.compile(r", std::(?:allocator|less|hash|equal_to|default_delete|char_traits)<(?:[^<>]|<[^<>]*>)*>")
    for _ in range(6):
        shorter = defaults.sub("", name)
        if shorter == name:
            break
        name = shorter
    return re.sub(r" >", ">", name)


def printer_of(value):
    try:
        return gdb.default_visualizer(value)
    except Exception:
        return None


def hint_of(printer):
    return printer.display_hint() if hasattr(printer, "display_hint") else None


def children_of(printer, count):
    """At most so many: a container that is not set up yet may pretend to hold billions."""
    return [(str(name), as_value(child)) for name, child in itertools.islice(printer.children(), count)]


def as_value(child):
    return child if isinstance(child, gdb.Value) else gdb.Value(child)


def members(value):
    """The fields of a struct with their values, those of base classes with them. Static ones are no part of it."""
    found = []
    for field in value.type.strip_typedefs().fields():
        if not hasattr(field, "bitpos") or field.artificial and not field.is_base_class:
            continue
        if (field.name or "").startswith("_vptr"):
            continue
        if field.is_base_class:
            found.extend(members(value[field]))
        elif not field.name:
            inner = value[field]
            found.extend(members(inner) if inner.type.strip_typedefs().code in _STRUCTS else [])
        else:
            found.append((field.name, value[field]))
    return found


def variant_of(value):
    """The variant of a Rust enum and its payload; None for anything else."""
    kind = value.type.strip_typedefs()
    if kind.code not in _STRUCTS or gdb.current_language() != "rust":
        return None
    if any(field.artificial for field in kind.fields()) or kind.dynamic:
        fields = [field for field in kind.fields() if not field.artificial]
        dynamic = value.dynamic_type
        del dynamic
        if len(fields) == 1 and fields[0].name and fields[0].name[:1].isupper():
            return fields[0].name, value[fields[0]]
    return None


def count_of(printer):
    """How many items a container says it has; None when it does not say."""
    text = str(printer.to_string() or "") if hasattr(printer, "to_string") else ""
    found = re.search(r"\(size=(\d+)\)|of length (\d+)|with (\d+) elements?", text)
    if found:
        return int(next(group for group in found.groups() if group is not None))
    return 0 if re.search(r"^empty ", text) or " is empty" in text else None


class _Shower(object):
    def __init__(self, limits):
        self.items = limits["maxItems"]
        self.chars = limits["maxStringChars"]
        self.room = limits["maxValueChars"] - 24
        self.seen = set()

    def show(self, value, depth):
        if value.is_optimized_out:
            return "<optimized out>"
        kind = value.type.strip_typedefs()
        variant = variant_of(value)
        if variant is not None:
            return self.payload(variant[0], variant[1], depth)
        printer = printer_of(value)
        if printer is not None:
            return self.printed(printer, value, depth)
        if kind.code in _POINTERS:
            return self.pointer(value, kind, depth)
        if kind.code == gdb.TYPE_CODE_ARRAY:
            return self.array(value, kind, depth)
        if kind.code in _STRUCTS:
            return self.struct(value, depth)
        return self.atom(value, kind)

    def atom(self, value, kind):
        text = value.format_string(**_RAW)
        if kind.code == gdb.TYPE_CODE_FLT and kind.sizeof in (4, 8):
            text = _shortest(text, kind.sizeof)
        if kind.code == gdb.TYPE_CODE_FLT and re.match(r"-?\d+$", text) and gdb.current_language() == "rust":
            return text + ".0"
        # `113 'q'`: a character is shown as one, a byte as a number.
        spoken = re.match(r"(-?\d+) (u?'.*')$", text)
        if spoken is None:
            return text
        is_byte = re.search(r"\b(u?int8_t|unsigned char|signed char|u8|i8)\b", str(value.type)) is not None
        return spoken.group(1) if is_byte else spoken.group(2)

    def string(self, text):
        quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        if len(text) <= self.chars:
            return quoted + '"'
        return clip(quoted, self.chars) + '" (%d characters)' % len(text)

    def listed(self, parts, opening, closing, more):
        room, used, shown = self.room, 0, []
        for part in parts:
            used += len(part) + 2
            if shown and used > room:
                break
            shown.append(part)
        left = more + len(parts) - len(shown)
        return opening + ", ".join(shown + (["\u2026 %s more" % left] if left > 0 else [])) + closing

    def within(self, parts):
        """Inside of items there is half as much room."""
        room = self.room
        self.room = room // 2
        try:
            return parts()
        finally:
            self.room = room

    def struct(self, value, depth):
        fields = members(value)
        names = [name for name, _ in fields]
        if names == ["first", "second"] and depth > 0:
            parts = self.within(lambda: [self.show(each, depth - 1) for _, each in fields])
            return "(" + ", ".join(parts) + ")"
        if names and all(re.match(r"__\d+$", name) for name in names):
            return self.payload("", value, depth)
        if not fields:
            return "()" if str(value.type) == "()" else "{}"
        if depth <= 0:
            return "{\u2026}"
        parts = self.within(lambda: ["%s: %s" % (name, self.show(each, depth - 1)) for name, each in fields[:12]])
        return self.listed(parts, "{", "}", max(len(fields) - 12, 0))

    def payload(self, name, value, depth):
        """`Some(5)`, `Circle {radius: 1.5}`, `None`, `(1, 2)`."""
        fields = members(value)
        if not fields:
            return name
        if depth <= 0:
            return name + "(\u2026)"
        if all(re.match(r"__\d+$", field) for field, _ in fields):
            parts = self.within(lambda: [self.show(each, depth - 1) for _, each in fields[:12]])
            return self.listed(parts, name + "(", ")", max(len(fields) - 12, 0))
        return (name + " " if name else "") + self.struct(value, depth)

    def array(self, value, kind, depth):
        low, high = kind.range()
        target = kind.target().strip_typedefs()
        if target.code == gdb.TYPE_CODE_INT and target.sizeof == 1 and "char" in str(kind.target()):
            return self.string(value.string("utf-8", "replace", -1).split("\0")[0])
        if depth <= 0:
            return "[\u2026]" if high >= low else "[]"
        taken = range(low, min(high, low + self.items - 1) + 1)
        parts = self.within(lambda: [self.show(value[index], depth - 1) for index in taken])
        return self.listed(parts, "[", "]", high - low + 1 - len(parts))

    def pointer(self, value, kind, depth):
        target = kind.target().strip_typedefs()
        is_pointer = kind.code == gdb.TYPE_CODE_PTR
        address = int(value) if is_pointer else int(value.address or 0)
        rust = gdb.current_language() == "rust"
        if is_pointer and address == 0:
            return "null" if rust else ("NULL" if gdb.current_language() == "c" else "nullptr")
        if target.code == gdb.TYPE_CODE_FUNC:
            return re.sub(r"^.*<(.*)>$", r"\1", value.format_string(symbols=True, **_RAW).split(" (")[0])
        if is_pointer and target.code == gdb.TYPE_CODE_INT and target.sizeof == 1 and "char" in str(kind.target()):
            return self.characters(value)
        if target.code == gdb.TYPE_CODE_VOID or address in self.seen or depth <= 0:
            return hex(address)
        self.seen.add(address)
        try:
            inside = self.show(_as_made(value, kind), depth - 1 if is_pointer else depth)
        except gdb.MemoryError:
            return "%s <not readable>" % hex(address)
        finally:
            self.seen.discard(address)
        return inside if rust or not is_pointer else "&" + inside

    def characters(self, value):
        try:
            # Read in steps: a text without an end is not read through all of memory.
            return self.string(value.string("utf-8", "replace", length=_length(value, self.chars + 1)))
        except gdb.MemoryError:
            return "%s <not readable>" % hex(int(value))

    def printed(self, printer, value, depth):
        hint = hint_of(printer)
        if hint == "string":
            return self.text_of(printer)
        if not hasattr(printer, "children"):
            return self.text_of(printer, is_string=False)
        if depth <= 0 and hint in ("map", "array"):
            return "{\u2026}" if hint == "map" else "[\u2026]"
        limit = self.items * 2 if hint == "map" else self.items
        children = children_of(printer, limit + 2)
        if hint == "map":
            pairs = list(zip(children[::2], children[1::2]))[: self.items]
            parts = self.within(
                lambda: ["%s: %s" % (self.show(k[1], depth - 1), self.show(v[1], depth - 1)) for k, v in pairs]
            )
            return self.listed(parts, "{", "}", self.rest(printer, len(pairs), len(children) > limit))
        if children and children[0][0] == "[contained value]":
            return self.wrapped(printer, value, children, depth)
        if hint == "array" or (children and all(re.match(r"\[\d+\]$", name) for name, _ in children)):
            tuple_like = str(value.type.strip_typedefs()).startswith("std::tuple<")
            parts = self.within(lambda: [self.show(each, depth - 1) for _, each in children[: self.items]])
            rest = self.rest(printer, len(parts), len(children) > self.items)
            return self.listed(parts, "(" if tuple_like else "[", ")" if tuple_like else "]", rest)
        return self.wrapped(printer, value, children, depth)

    def wrapped(self, printer, value, children, depth):
        """Smart pointers, optionals and cells show what they hold."""
        names = [name for name, _ in children]
        text = str(printer.to_string() or "") if hasattr(printer, "to_string") else ""
        kind = str(value.type.strip_typedefs())
        if re.match(r"std::(experimental::)?optional<", kind) and not children:
            return "nullopt"
        if re.match(r"std::(shared_ptr|unique_ptr|weak_ptr)<", kind) and not children:
            return "nullptr"
        if not children:
            return "[]" if count_of(printer) == 0 else (text or "{}")
        if names[0] in ("get()", "[contained value]", "value", "Item"):
            return self.show(children[0][1], depth).lstrip("&" if names[0] == "get()" else "")
        if names == ["first", "second"] and depth > 0:
            return "(" + ", ".join(self.show(each, depth - 1) for _, each in children) + ")"
        if depth <= 0:
            return "{\u2026}"
        parts = self.within(lambda: ["%s: %s" % (name, self.show(each, depth - 1)) for name, each in children[:8]])
        return self.listed(parts, "{", "}", 0)

    def rest(self, printer, shown, has_more):
        count = count_of(printer)
        if count is not None:
            return max(count - shown, 0)
        return 1 if has_more else 0

    def text_of(self, printer, is_string=True):
        text = printer.to_string()
        if hasattr(text, "type") and hasattr(text, "address") and not isinstance(text, gdb.Value):
            size = text.length
            value = text.value()
            kind = value.type.strip_typedefs()
            if kind.code == gdb.TYPE_CODE_PTR:
                text = value.string("utf-8", "replace", length=min(size, 4000) if size >= 0 else _length(value, 4000))
            else:
                text = value.string("utf-8", "replace", length=min(size, 4000))
        elif isinstance(text, gdb.Value):
            text = text.format_string(styling=False)
            return text if not is_string else text
        text = "" if text is None else str(text)
        if not is_string:
            return text
        return text if text.startswith('"') and text.endswith('"') else self.string(text)


def _shortest(text, size):
    """As few digits as tell the number from its neighbours."""
    try:
        number = float(text)
    except ValueError:
        return text
    if size == 8:
        shown = repr(number)
    else:
        exact = struct.pack("f", number)
        short = ("%.*g" % (digits, number) for digits in range(6, 10))
        shown = next((each for each in short if struct.pack("f", float(each)) == exact), text)
    return shown[:-2] if shown.endswith(".0") else shown


def _as_made(value, kind):
    """What is pointed to, as the class that it was made as."""
    try:
        made = value.dynamic_type
        if made.code == gdb.TYPE_CODE_PTR and made != value.type:
            return value.cast(made).dereference()
    except gdb.error:
        pass
    return value.referenced_value()


def _length(value, limit):
    """Up to the end of a C string, at most `limit`."""
    for index in range(limit):
        if int(value[index]) == 0:
            return index
    return limit
