"""The functions of the focus, as the compiler tells them, each with a breakpoint where its arguments can be read."""

import re

import gdb

from .. import frames


class Entry(gdb.Breakpoint):
    def __init__(self, function, address):
        super().__init__("*%d" % address, internal=True)
        self.silent = True
        self.function = function


def place_entries(focus):
    """Sets a breakpoint at each function; the program must be loaded, so that addresses are what they will be."""
    entries, seen = [], set()
    for table in _tables(focus["files"]):
        for block in (table.global_block(), table.static_block()):
            for symbol in block or ():
                if not symbol.is_function or symbol.line == 0 or not _is_wanted(symbol, focus):
                    continue
                address = int(symbol.value().address)
                if address in seen:
                    continue
                seen.add(address)
                place = _behind_prologue(address)
                if place is not None:
                    entries.append(Entry(_described(symbol, address, len(entries) + 1), place))
    return entries


def in_focus(path, files):
    return any(path.startswith(each) if each.endswith("/") else path == each for each in files)


def _tables(files):
    """One symbol table of each compiled file that has code of the focus."""
    found = gdb.execute_mi("-symbol-info-functions")["symbols"].get("debug", [])
    tables = []
    for each in found:
        path = each.get("fullname") or ""
        if not in_focus(path, files) or frames.is_library_path(path):
            continue
        for symbol in each["symbols"]:
            try:
                places = gdb.decode_line('"%s":%d' % (path, int(symbol["line"])))[1] or ()
            except (gdb.error, KeyError):
                continue
            tables.extend(sal.symtab for sal in places if sal.symtab is not None)
            break
    return tables


def _is_wanted(symbol, focus):
    path = symbol.symtab.fullname()
    if not in_focus(path, focus["files"]) or frames.is_library_path(path):
        return False
    name = plain_name(symbol.name)
    return not focus["functions"] or any(
        name == wanted or re.split(r"::|\.", name)[-1] == wanted or name.endswith("::" + wanted.replace(".", "::"))
        for wanted in focus["functions"]
    )


def plain_name(name):
    """Without what people leave out when they name a function: its arguments, and what tells closures apart."""
    name = re.sub(r"::h[0-9a-f]{16}$", "", name)
    name = re.sub(r"::\{(closure|async_fn|async_block)_env#\d+\}", r"::{\1}", name)
    return re.sub(r"\((?:[^()]|\([^()]*\))*\)( const)?$", "", name) or name


def _behind_prologue(address):
    """Where the second line of a function begins: by then its arguments are in their places."""
    block = gdb.block_for_pc(address)
    first = gdb.find_pc_line(address)
    if block is None or first.symtab is None or first.last is None:
        return None
    place = first.last + 1
    return place if place < block.end else address


def _described(symbol, address, number):
    block = gdb.block_for_pc(address)
    lines = [item.line for item in symbol.symtab.linetable() if block.start <= item.pc < block.end and item.line > 0]
    params = [each.print_name for each in block if each.is_argument]
    return {
        "id": number,
        "name": plain_name(symbol.print_name),
        "file": symbol.symtab.fullname(),
        "line": symbol.line,
        "endLine": max(lines + [symbol.line]),
        "params": [each for each in params if each not in ("this", "__in_chrg", "__vtt_parm")],
    }
