"""The refactorings themselves, by rope. Each answers with the operations that would carry it out."""

import ast
import os
import re

from rope.base import change as rope_change
from rope.base import exceptions, project as rope_project
from rope.contrib import findit
from rope.refactor import extract, inline, move, rename

from . import names
from .check import problems


class Refused(Exception):
    """A refusal with its reason; `kind` is 'refused', 'conflict' or 'usage'."""

    def __init__(self, message, kind="refused", data=None):
        super().__init__(message)
        self.kind, self.data = kind, data


class Session:
    def __init__(self, root):
        self.root = root
        self.project = rope_project.Project(
            root, ropefolder=None, save_objectdb=False, save_history=False, automatic_soa=False, validate_objectdb=False,
            import_dynload_stdmods=False, ignore_syntax_errors=True, ignore_bad_imports=True,
            ignored_resources=["*.pyc", "*~", ".git", "__pycache__", ".venv", "venv", ".tox", ".nox", ".mypy_cache", ".pytest_cache",
                               "node_modules", "build", "dist", "site-packages", ".eggs"])

    # Places

    def resource(self, path):
        return self.project.get_resource(os.path.relpath(path, self.root).replace(os.sep, "/"))

    def offset(self, resource, line, column):
        lines = resource.read().split("\n")
        if line > len(lines):
            raise Refused(f"{resource.path} has {len(lines)} lines")
        units = lines[line - 1].encode("utf-16-le")[: (column - 1) * 2]
        return sum(len(each) + 1 for each in lines[: line - 1]) + len(units.decode("utf-16-le", "ignore"))

    def place(self, args):
        self.project.validate()
        resource = self.resource(args["path"])
        self.parse(resource)
        return resource, self.offset(resource, args["line"], args["column"])

    @staticmethod
    def parse(resource):
        try:
            return ast.parse(resource.read())
        except SyntaxError as error:
            raise Refused(f"{resource.path} does not parse: {error.msg} (line {error.lineno})")

    # Answers

    def operations(self, changes):
        found = []
        for each in changes.changes:
            if isinstance(each, rope_change.ChangeSet):
                found.extend(self.operations(each))
            elif isinstance(each, rope_change.ChangeContents):
                found.append({"kind": "write", "path": each.resource.real_path, "content": each.new_contents})
            elif isinstance(each, rope_change.MoveResource):
                found.append({"kind": "rename", "from": each.resource.real_path, "to": each.new_resource.real_path})
            elif isinstance(each, rope_change.CreateResource):
                if not each.resource.is_folder():
                    found.append({"kind": "create", "path": each.resource.real_path})
            elif isinstance(each, rope_change.RemoveResource):
                found.append({"kind": "delete", "path": each.resource.real_path})
        return found

    def answer(self, operations, summary, notes=(), conflicts=()):
        return {"operations": operations, "summary": summary, "notes": list(notes), "conflicts": list(conflicts)}

    # Refactorings

    def rename(self, args):
        resource, offset = self.place(args)
        old, new = args["name"], args["newName"]
        if not new.isidentifier():
            raise Refused(f'"{new}" is not a valid name')
        renamer = rename.Rename(self.project, resource, offset)
        if renamer.get_old_name() != old:
            raise Refused(f'rope takes the name there for "{renamer.get_old_name()}", not "{old}"')
        unsure, sure = {}, set()

        def ask(occurrence):
            key = (occurrence.resource.real_path, occurrence.offset)
            if key in sure:
                return True
            unsure[key] = self._location(occurrence)
            return False

        changes = renamer.get_changes(new, unsure=ask, docs=False, in_hierarchy=True)
        sure = self._surely(unsure, self.operations(changes), old, new)
        if sure:
            unsure.clear()
            changes = renamer.get_changes(new, unsure=ask, docs=False, in_hierarchy=True)
        operations = self.operations(changes)
        if not operations:
            raise Refused(f'"{old}" is not something rope can rename here')
        conflicts = self._captures(operations, old, new)
        conflicts += self._strings_in_all(operations, old, new)
        for file, line, text in dict.fromkeys(unsure.values()):
            conflicts.append({"kind": "usage", "file": file, "line": line,
                              "message": f'"{text}" may or may not be the one that is renamed: its type is not known'})
        count = sum(self._differences(op) for op in operations if op["kind"] == "write")
        files = sum(1 for op in operations if op["kind"] == "write")
        summary = f"rename {old} to {new}: {count} lines in {files} file{'' if files == 1 else 's'}"
        return self.answer(operations, summary, conflicts=conflicts)

    def _surely(self, unsure, operations, old, new):
        """Of the places rope is not sure of, those that can be nothing else: `super().name` in a class whose own `name` is renamed,
        and a keyword argument of a dataclass whose field is renamed."""
        contents = {op["path"]: op["content"] for op in operations if op["kind"] == "write"}
        renamed_fields = {}
        for content in contents.values():
            for node in ast.walk(ast.parse(content)):
                if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(d) for d in node.decorator_list):
                    if any(isinstance(n, ast.AnnAssign) and getattr(n.target, "id", None) == new for n in node.body):
                        renamed_fields[node.name] = True
        found = set()
        for (path, offset), (_file, line, _text) in unsure.items():
            before = self.resource(path).read()
            if before[:offset].endswith("super()."):
                for node in ast.walk(ast.parse(contents.get(path, before))):
                    if isinstance(node, ast.ClassDef) and node.lineno <= line <= node.end_lineno and \
                            any(getattr(n, "name", None) == new for n in node.body) and not any(getattr(n, "name", None) == old for n in node.body):
                        found.add((path, offset))
            for call in ast.walk(ast.parse(before)):
                if isinstance(call, ast.Call) and (getattr(call.func, "id", None) or getattr(call.func, "attr", None)) in renamed_fields:
                    if any(k.arg == old and _span(before, k)[0] == offset for k in call.keywords):
                        found.add((path, offset))
        return found

    def _location(self, occurrence):
        resource, offset = occurrence.resource, occurrence.offset
        text = resource.read()
        line = text.count("\n", 0, offset) + 1
        return resource.real_path, line, text.split("\n")[line - 1].strip()

    def _captures(self, operations, old, new):
        found = []
        for op in operations:
            if op["kind"] != "write":
                continue
            before = self.resource(op["path"]).read()
            try:
                uses = names.captured(before, op["content"], old, new)
            except SyntaxError as error:
                found.append({"kind": "error", "file": op["path"], "line": error.lineno or 1, "message": f"syntax error: {error.msg}"})
                continue
            for use in (uses or [])[:5]:
                found.append({"kind": "name", "file": op["path"], "line": use.line, "column": use.column + 1,
                              "message": f'"{use.name}" would mean something else there'})
            found += self._member_clash(op["path"], op["content"], before, new)
        return found

    def _member_clash(self, path, after, before, new):
        """A class or module that has two definitions of one name where it had one of each before."""
        counts = []
        for text in (before, after):
            found = {}
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, (ast.ClassDef, ast.Module)):
                    found[getattr(node, "name", "")] = sum(1 for each in node.body if getattr(each, "name", None) == new)
            counts.append(found)
        for name, count in counts[1].items():
            if count > 1 and counts[0].get(name, 0) >= 1 and counts[0].get(name, 0) < count:
                return [{"kind": "name", "file": path, "message": f'"{new}" is defined in {name or "the module"} already'}]
        return []

    def _strings_in_all(self, operations, old, new):
        """`__all__` names things by strings: these follow when the module's own name is renamed."""
        for op in operations:
            if op["kind"] != "write":
                continue
            tree = ast.parse(op["content"])
            defined = {getattr(n, "name", None) for n in tree.body} | {t.id for n in tree.body if isinstance(n, ast.Assign)
                                                                       for t in n.targets if isinstance(t, ast.Name)}
            for alias in (a for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names):
                defined.add(alias.asname or alias.name)
            if new not in defined or old in defined:
                continue
            for node in tree.body:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
                if not any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
                    continue
                lines = op["content"].split("\n")
                for item in reversed([e for e in ast.walk(node.value) if isinstance(e, ast.Constant) and e.value == old]):
                    line = lines[item.lineno - 1]
                    # Columns of the parser count bytes.
                    start = len(line.encode()[: item.col_offset].decode())
                    end = len(line.encode()[: item.end_col_offset].decode())
                    lines[item.lineno - 1] = line[:start] + line[start:end].replace(old, new) + line[end:]
                op["content"] = "\n".join(lines)
        return []

    def _differences(self, op):
        before = self.resource(op["path"]).read().split("\n")
        after = op["content"].split("\n")
        return sum(1 for a, b in zip(before, after) if a != b) if len(before) == len(after) else 1

    def extract(self, args):
        self.project.validate()
        resource = self.resource(args["path"])
        tree = self.parse(resource)
        start = self.offset(resource, args["startLine"], args["startColumn"])
        end = self.offset(resource, args["endLine"], args["endColumn"])
        text = resource.read()
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start == end:
            raise Refused("the range to extract is empty")
        new = args["newName"]
        if not new.isidentifier():
            raise Refused(f'"{new}" is not a valid name')
        self._refuse_selection(tree, text, start, end, args["what"])
        if any(isinstance(node, ast.Name) and node.id == new or getattr(node, "name", None) == new or
               isinstance(node, ast.arg) and node.arg == new for node in ast.walk(tree)):
            raise Refused(f'"{new}" is in use in this file already', "conflict")
        if args["what"] == "variable":
            tool = extract.ExtractVariable(self.project, resource, start, end)
        else:
            tool = extract.ExtractMethod(self.project, resource, start, end)
        changes = tool.get_changes(new, similar=False, global_=args.get("scope") == "module")
        kind = "variable" if args["what"] == "variable" else "function"
        operations = self.operations(changes)
        if kind == "function" and re.search(r"\bawait\b", text[start:end]):
            operations = [self._with_await(op, new) for op in operations]
        return self.answer(operations, f"extract {kind} {new}")

    @staticmethod
    def _with_await(op, new):
        """rope makes a plain function even of code that awaits."""
        content = re.sub(rf"^(\s*)def {new}\(", rf"\1async def {new}(", op["content"], flags=re.M)
        content, count = re.subn(rf"(?<!def )(?<![\w.])((?:\w+\.)?{new}\()", r"await \1", content)
        if count != 1:
            raise Refused("the selection awaits, and rope puts the call in more than one place")
        return {**op, "content": content}

    @staticmethod
    def _refuse_selection(tree, text, start, end, what):
        first = text.count("\n", 0, start) + 1
        last = text.count("\n", 0, end) + 1
        inside = [n for n in ast.walk(tree) if getattr(n, "lineno", 0) >= first and getattr(n, "end_lineno", 0) <= last
                  and _span(text, n)[0] >= start and _span(text, n)[1] <= end]
        if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inside):
            raise Refused("the selection contains yield, which would make a generator of the new function")
        if any(isinstance(n, (ast.Global, ast.Nonlocal)) for n in inside):
            raise Refused("the selection contains a global or nonlocal statement")
        if any(isinstance(n, ast.NamedExpr) for n in inside):
            raise Refused("the selection assigns a variable inside an expression (:=)")
        if any(isinstance(n, ast.Name) and n.id in ("super", "__class__", "locals") for n in inside) and what != "variable":
            raise Refused("the selection uses super(), __class__ or locals(), which depend on the function around")

    def inline(self, args):
        resource, offset = self.place(args)
        text = resource.read()
        tool = inline.create_inline(self.project, resource, offset)
        kind = type(tool).__name__
        conflicts = []
        if kind == "InlineVariable":
            conflicts = self._inline_hazards(tool, args)
        if kind == "InlineMethod":
            self._refuse_method(tool)
        if kind == "InlineParameter":
            raise Refused("a parameter is not inlined")
        if kind == "InlineVariable":
            return self.answer([self._inlined_variable(tool, args)], f"inline variable {args['name']}", conflicts=conflicts)
        only_current = not args["all"]
        changes = tool.get_changes(remove=not only_current, only_current=only_current)
        return self.answer(self.operations(changes), f"inline function {args['name']}")

    def _inlined_variable(self, tool, args):
        """rope pastes the value without parentheses, so that `x = a + 1; x * 2` becomes `a + 1 * 2`. Hence by ourselves."""
        resource, name = tool.resource, args["name"]
        text = resource.read()
        tree = self.parse(resource)
        node, scope = self._assignment(tree, tool, name)
        if node is None:
            raise Refused(f'the assignment of "{name}" was not found')
        if isinstance(node, ast.Assign) and (len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name)):
            raise Refused("it is assigned together with others")
        elsewhere = [o for o in findit.find_occurrences(self.project, resource, tool.offset, unsure=False) if o.resource != resource]
        if elsewhere:
            raise Refused(f'"{name}" is also used in {elsewhere[0].resource.path}; only uses in one file are inlined')
        module = names.Module(text)
        parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
        here = next((u.binding for u in module.uses if u.name == name and u.line == node.lineno), None)
        bound = {(u.line, u.column) for u in module.uses if u.name == name and u.binding == here}
        uses = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name and (n.lineno, n.col_offset) in bound
                and isinstance(n.ctx, ast.Load)]
        stores = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name and (n.lineno, n.col_offset) in bound
                  and not isinstance(n.ctx, ast.Load)]
        if len(stores) != 1:
            raise Refused(f'"{name}" is assigned more than once')
        if not uses:
            raise Refused(f'"{name}" is not used anywhere')
        if not args["all"] and len(uses) > 1:
            uses = [n for n in uses if n.lineno == args["line"] and n.col_offset <= args["column"] - 1 <= n.end_col_offset]
            if not uses:
                raise Refused("to inline one use, point at that use")
        if any(isinstance(parents.get(n), ast.FormattedValue) for n in uses) and any(q in ast.get_source_segment(text, node.value) for q in "\"'{}\\"):
            raise Refused("it is used inside an f-string, where its value cannot be written")
        reads = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
        value_bindings = {u.name: u.binding for u in module.uses if node.lineno <= u.line <= node.end_lineno and u.name in reads}
        for use in uses:
            for read in reads:
                if self._binding_at(tree, text, use, read, module) not in (None, value_bindings.get(read)):
                    raise Refused(f'"{read}" means something else where "{name}" is used (line {use.lineno})', "conflict")
        source = ast.get_source_segment(text, node.value)
        if "\n" in source and not source.startswith(("(", "[", "{", '"""', "'''")):
            source = f"({source})"
        edits = [(*_span(text, use), source if _fits(node.value, parents.get(use), use) else f"({source})") for use in uses]
        removed = args["all"] or len(edits) == len([n for n in ast.walk(tree) if isinstance(n, ast.Name) and (n.lineno, n.col_offset) in bound and isinstance(n.ctx, ast.Load)])
        if removed:
            lines = text.split("\n")
            before, after = lines[node.lineno - 1][:_chars(lines[node.lineno - 1], node.col_offset)], lines[node.end_lineno - 1][_chars(lines[node.end_lineno - 1], node.end_col_offset):]
            if before.strip() or (after.strip() and not after.strip().startswith("#")):
                raise Refused("other statements stand on the same line")
            body = next((getattr(p, f) for p in ast.walk(tree) for f in ("body", "orelse", "finalbody") if isinstance(getattr(p, f, None), list) and node in getattr(p, f)), [])
            if len(body) == 1:
                raise Refused("the assignment is the only statement of its block")
            start = sum(len(line) + 1 for line in lines[: node.lineno - 1])
            end = sum(len(line) + 1 for line in lines[: node.end_lineno])
            edits.append((start, min(end, len(text)), ""))
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return {"kind": "write", "path": resource.real_path, "content": text}

    @staticmethod
    def _binding_at(tree, text, use, name, module):
        """What a name would be bound to if it stood where `use` stands: the binding of a neighbour in the same scope, if there is one."""
        del text
        scope = _function_of(tree, use)
        inner = {(n.lineno, n.col_offset) for n in ast.walk(scope if scope is not None else tree) if isinstance(n, (ast.Name, ast.arg))}
        for each in module.uses:
            if each.name == name and (each.line, each.column) in inner:
                return each.binding
        return None

    def _assignment(self, tree, tool, name):
        lines = {getattr(a.ast_node, "lineno", 0) for a in tool.pyname.assignments}
        for node in ast.walk(tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and name in _assigned(node) and node.value is not None:
                if node.lineno in lines or node.value.lineno in lines:
                    return node, _scope_of(tree, node)
        return None, None

    def _refuse_method(self, tool):
        function = tool.pyfunction
        node = function.get_ast()
        if isinstance(node, ast.AsyncFunctionDef):
            raise Refused("an async function is not inlined: calling it gives a coroutine")
        if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node)):
            raise Refused("a generator cannot be inlined")
        if node.decorator_list:
            raise Refused("it has decorators, whose effect would be lost")
        if any(isinstance(n, (ast.Global, ast.Nonlocal)) for n in ast.walk(node)):
            raise Refused("it has a global or nonlocal statement")
        self._refuse_calls(node)
        returns = [n for n in ast.walk(node) if isinstance(n, ast.Return)]
        if len(returns) > 1 or (returns and returns[0] is not node.body[-1]):
            raise Refused("it returns from more than its last line")
        if any(isinstance(n, ast.Call) and isinstance(n.func, (ast.Name, ast.Attribute)) and
               (getattr(n.func, "id", None) or getattr(n.func, "attr", None)) == node.name for n in ast.walk(node)):
            raise Refused("it calls itself")
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
            raise Refused("it takes variable, keyword-only or positional-only parameters")
        # rope pastes argument texts in place of parameters without parentheses: safe for a parameter used as a whole.
        parameters = {a.arg for a in arguments.args}
        uses = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in parameters]
        counts = {}
        for use in uses:
            counts[use.id] = counts.get(use.id, 0) + 1
            if isinstance(use.ctx, (ast.Store, ast.Del)):
                raise Refused("it assigns to a parameter")
        parents = {child: parent for parent in ast.walk(node) for child in ast.iter_child_nodes(parent)}
        risky = {use.id for use in uses if isinstance(parents.get(use), (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Attribute,
                                                                         ast.Subscript, ast.Await, ast.IfExp, ast.Starred))}
        for resource in self.project.get_python_files():
            if node.name not in resource.read():
                continue
            try:
                tree = ast.parse(resource.read())
            except SyntaxError:
                continue
            for call in ast.walk(tree):
                called = isinstance(call, ast.Call) and (getattr(call.func, "id", None) or getattr(call.func, "attr", None))
                if called != node.name:
                    continue
                bound = dict(zip([a.arg for a in arguments.args if a.arg not in ("self", "cls")], call.args))
                bound.update({k.arg: k.value for k in call.keywords if k.arg})
                for name, value in bound.items():
                    simple = isinstance(value, (ast.Name, ast.Constant)) or (isinstance(value, ast.Attribute))
                    if not simple and (counts.get(name, 0) != 1 or name in risky):
                        raise Refused(f'the argument for "{name}" on line {call.lineno} of {resource.path} is more than a name or a constant')

    def _refuse_calls(self, node):
        """What rope does wrong at the places of the calls: it adds no parentheses and renames no variables."""
        statements = [n for n in node.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
        single = len(statements) == 1 and isinstance(statements[0], ast.Return) and statements[0].value is not None
        own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for resource in self.project.get_python_files():
            text = resource.read()
            if node.name not in text:
                continue
            try:
                tree = ast.parse(text)
            except SyntaxError:
                continue
            parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
            for call in ast.walk(tree):
                if not isinstance(call, ast.Call) or (getattr(call.func, "id", None) or getattr(call.func, "attr", None)) != node.name:
                    continue
                parent = parents.get(call)
                where = f"line {call.lineno} of {resource.path}"
                if single:
                    if not _fits(statements[0].value, parent, call):
                        raise Refused(f"the call on {where} would need parentheses around what replaces it")
                    continue
                if not isinstance(parent, (ast.Expr, ast.Assign, ast.Return)):
                    raise Refused(f"the call on {where} is part of a larger expression, and the function has several statements")
                scope = _function_of(tree, call) or tree
                clash = own & {n.id for n in ast.walk(scope) if isinstance(n, ast.Name)} | own & {n.arg for n in ast.walk(scope) if isinstance(n, ast.arg)}
                if clash and scope is not node and not any(node.name == getattr(n, "name", None) and clash <= {x.id for x in ast.walk(n) if isinstance(x, ast.Name)} and scope is tree for n in tree.body):
                    raise Refused(f'"{sorted(clash)[0]}" is used both in the function and around the call on {where}')

    def _inline_hazards(self, tool, args):
        found = []
        name = args["name"]
        pyname = tool.pyname
        resource = tool.resource
        tree = self.parse(resource)
        assignments = [n for n in ast.walk(tree) if isinstance(n, (ast.Assign, ast.AnnAssign)) and
                       any(isinstance(t, ast.Name) and t.id == name for t in (n.targets if isinstance(n, ast.Assign) else [n.target]))]
        lines = [a.lineno for a in getattr(pyname, "assignments", []) for a in [a.ast_node]]
        node = next((a for a in assignments if a.lineno in lines or a.value in [getattr(x, "ast_node", None) for x in pyname.assignments]), None)
        if node is None or node.value is None:
            return found
        value = node.value
        scope = _scope_of(tree, node)
        uses = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
        effects = any(isinstance(n, (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)) for n in ast.walk(value))
        if effects and len(uses) > 1:
            found.append("the value comes from a call or has side effects, and would be evaluated more than once")
        elif effects and uses and not _is_next(scope, node, uses[0]):
            found.append("the value comes from a call or has side effects, and would be evaluated at another time")
        if len(uses) > 1 and isinstance(value, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)):
            found.append("the value is an object of its own, and each use would get another one")
        reads = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
        members = {n.attr for n in ast.walk(value) if isinstance(n, ast.Attribute)}
        last = max([u.lineno for u in uses], default=node.lineno)
        nested = any(_function_of(tree, u) is not _function_of(tree, node) for u in uses) or any(_in_loop(scope, u, node) for u in uses)
        for each in ast.walk(scope):
            line = getattr(each, "lineno", 0)
            if each is node or not (nested or node.lineno < line <= last):
                continue
            if isinstance(each, ast.Name) and isinstance(each.ctx, (ast.Store, ast.Del)) and each.id in reads:
                found.append(f'"{each.id}" is assigned in between (line {line})')
            if isinstance(each, ast.Attribute) and isinstance(each.ctx, (ast.Store, ast.Del)) and each.attr in members:
                found.append(f'".{each.attr}" is assigned in between (line {line})')
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and isinstance(each.func.value, ast.Name) \
                    and each.func.value.id in reads and not any(each is x for x in ast.walk(value)):
                found.append(f"{each.func.value.id}.{each.func.attr}() is called in between (line {line})")
        return [{"kind": "meaning", "message": message, "file": args["path"], "line": node.lineno} for message in dict.fromkeys(found)]

    def move_symbol(self, args):
        resource, offset = self.place(args)
        tree = self.parse(resource)
        if not any(getattr(n, "name", None) == args["name"] or args["name"] in _assigned(n) for n in tree.body):
            raise Refused(f'"{args["name"]}" is not defined at the top level of its module')
        target = os.path.relpath(args["targetFile"], self.root).replace(os.sep, "/")
        if not os.path.exists(args["targetFile"]):
            raise Refused("the target file does not exist yet; create it first, an empty one will do")
        tool = move.create_move(self.project, resource, offset)
        if not isinstance(tool, move.MoveGlobal):
            raise Refused("only classes, functions and variables at the top level of a module are moved")
        operations = self.operations(tool.get_changes(self.project.get_resource(target)))
        return self.answer(operations, f"move {args['name']} to {target}")

    def move_file(self, args):
        self.project.validate()
        source = self.resource(args["from"])
        before, after = os.path.dirname(args["from"]), os.path.dirname(args["to"])
        old, new = os.path.basename(args["from"]), os.path.basename(args["to"])
        if before != after and old != new:
            raise Refused("move it or rename it, one at a time")
        if before == after:
            if not source.is_folder() and not new.endswith(".py"):
                raise Refused("the new name must end in .py")
            stem = new[:-3] if new.endswith(".py") else new
            if not stem.isidentifier():
                raise Refused(f'"{stem}" is no name a module can be imported by')
            changes = rename.Rename(self.project, source).get_changes(stem)
        else:
            if not os.path.isdir(after):
                raise Refused("the folder it should go to does not exist yet; make it with an __init__.py first")
            changes = move.MoveModule(self.project, source).get_changes(self.resource(after) if after != self.root else self.project.root)
        return self.answer(self.operations(changes), f"move {old} to {os.path.relpath(args['to'], self.root)}")

    def safe_delete(self, args):
        resource, offset = self.place(args)
        name = args["name"]
        occurrences = findit.find_occurrences(self.project, resource, offset, unsure=True, in_hierarchy=True)
        definition = findit.find_definition(self.project, resource.read(), offset, resource)
        home = definition.resource if definition is not None and definition.resource is not None else resource
        if not home.real_path.startswith(self.root + os.sep):
            raise Refused(f'"{name}" is not defined in this project')
        text = home.read()
        tree = self.parse(home)
        line = definition.lineno if definition is not None else text.count("\n", 0, offset) + 1
        node = next((n for n in ast.walk(tree) if (getattr(n, "name", None) == name or name in _assigned(n)) and n.lineno <= line <= (n.end_lineno or n.lineno)), None)
        if node is None:
            raise Refused(f'"{name}" is neither a function, a class nor a variable that can be deleted')
        targets = _assigned(node)
        if targets and len(targets) > 1:
            raise Refused("it is assigned together with others")
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and \
                any(isinstance(n, (ast.Call, ast.Await, ast.Yield)) for n in ast.walk(node.value)):
            raise Refused("its value comes from a call, which may have to happen")
        first = min([d.lineno for d in getattr(node, "decorator_list", [])] + [node.lineno])
        usages = [o for o in occurrences if not (o.resource == home and first <= o.lineno <= node.end_lineno)]
        exported = [n for n in tree.body if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in n.targets)
                    and any(isinstance(e, ast.Constant) and e.value == name for e in ast.walk(n.value))]
        listed = [{"file": o.resource.real_path, "line": o.lineno, "context": o.resource.read().split("\n")[o.lineno - 1].strip()} for o in usages]
        listed += [{"file": home.real_path, "line": n.lineno, "context": "__all__"} for n in exported]
        if listed:
            raise Refused(f'"{name}" is still used in {len(listed)} place{"" if len(listed) == 1 else "s"}', "usage", {"usages": listed[:20], "totalCount": len(listed)})
        lines = text.split("\n")
        start, end = first - 1, node.end_lineno
        while start > 0 and lines[start - 1].strip().startswith("#") and len(lines[start - 1]) - len(lines[start - 1].lstrip()) == node.col_offset:
            start -= 1
        rest = lines[end - 1][_chars(lines[end - 1], node.end_col_offset):].strip()
        if rest and not rest.startswith("#"):
            raise Refused("other statements stand on the same line")
        body = next((getattr(p, field) for p in ast.walk(tree) for field in ("body", "orelse", "finalbody")
                     if isinstance(getattr(p, field, None), list) and node in getattr(p, field)), tree.body)
        replacement = []
        if len(body) == 1 and body is not tree.body:
            replacement = [" " * node.col_offset + "pass"]
        else:
            while end < len(lines) and not lines[end].strip() and (start == 0 or not lines[start - 1].strip()):
                end += 1
        content = "\n".join(lines[:start] + replacement + lines[end:])
        content = _without_unused_imports(text, content)
        if not text.startswith("\n"):
            content = content.lstrip("\n")
        if not text.endswith("\n\n"):
            content = content.rstrip("\n") + ("\n" if text.endswith("\n") else "")
        return self.answer([{"kind": "write", "path": home.real_path, "content": content}], f"delete {name}")

    def check(self, args):
        return problems(self.root, args["files"], args.get("contents", {}))


ATOMS = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp,
         ast.GeneratorExp, ast.JoinedStr)


def _fits(value, parent, use):
    """Whether a value can stand there as it is."""
    if isinstance(value, ATOMS):
        # `5 .real` and a negative or f-string constant are better off with parentheses.
        return not (isinstance(value, ast.Constant) and isinstance(parent, ast.Attribute) and isinstance(value.value, (int, float)))
    if isinstance(value, ast.Tuple):
        return isinstance(parent, (ast.Assign, ast.Return)) and False
    if isinstance(parent, ast.Call):
        return use is not parent.func and not isinstance(value, (ast.GeneratorExp, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Starred))
    return isinstance(parent, (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr, ast.keyword, ast.List, ast.Tuple, ast.Set, ast.If, ast.While, ast.Assert)) and \
        not isinstance(value, (ast.Yield, ast.YieldFrom, ast.NamedExpr))


def _assigned(node):
    if isinstance(node, ast.Assign):
        return [t.id for t in node.targets if isinstance(t, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


def _span(text, node):
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return (starts[node.lineno - 1] + _chars(lines[node.lineno - 1], node.col_offset),
            starts[node.end_lineno - 1] + _chars(lines[node.end_lineno - 1], node.end_col_offset))


def _chars(line, column):
    return len(line.encode()[:column].decode(errors="ignore"))


def _scope_of(tree, node):
    found = tree
    for each in ast.walk(tree):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and each is not node and \
                any(node is inner for inner in ast.walk(each)):
            if found is tree or each.lineno >= found.lineno:
                found = each
    return found


def _function_of(tree, node):
    found = None
    for each in ast.walk(tree):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and any(node is inner for inner in ast.walk(each)):
            if found is None or each.lineno >= found.lineno:
                found = each
    return found


def _in_loop(scope, use, node):
    for each in ast.walk(scope):
        if isinstance(each, (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            if any(use is inner for inner in ast.walk(each)) and not any(node is inner for inner in ast.walk(each)):
                if not (isinstance(each, (ast.For, ast.AsyncFor)) and any(use is inner for inner in ast.walk(each.iter))):
                    return True
    return False


def _is_next(scope, node, use):
    for each in ast.walk(scope):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(each, field, None)
            if isinstance(body, list) and node in body:
                index = body.index(node)
                following = body[index + 1] if index + 1 < len(body) else None
                if following is None or not isinstance(following, (ast.Expr, ast.Assign, ast.Return, ast.AugAssign, ast.AnnAssign)):
                    return False
                inside = [n for n in ast.walk(following)]
                if not any(use is n for n in inside):
                    return False
                lazy = [n for n in inside if isinstance(n, (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))]
                if any(use is n for each_lazy in lazy for n in ast.walk(each_lazy)):
                    return False
                # Calls that are complete before the use is reached would now come before the value.
                return not any(isinstance(n, (ast.Call, ast.Await)) and (n.end_lineno, n.end_col_offset) <= (use.lineno, use.col_offset) for n in inside)
    return False


def _without_unused_imports(before, after):
    """Takes out single-name imports that only the deleted code used."""
    def used(text):
        tree = ast.parse(text)
        loads = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        strings = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        return tree, loads | strings
    tree, now = used(after)
    _, then = used(before)
    lines = after.split("\n")
    for node in reversed(tree.body):
        if not isinstance(node, (ast.Import, ast.ImportFrom)) or getattr(node, "module", None) == "__future__":
            continue
        idle = [a for a in node.names if a.name != "*" and (a.asname or a.name).split(".")[0] not in now and (a.asname or a.name).split(".")[0] in then]
        if not idle:
            continue
        keep = [a for a in node.names if a not in idle]
        if not keep:
            lines[node.lineno - 1: node.end_lineno] = []
        elif node.lineno == node.end_lineno and "#" not in lines[node.lineno - 1]:
            shown = ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in keep)
            head = "import " if isinstance(node, ast.Import) else f"from {'.' * node.level}{node.module or ''} import "
            lines[node.lineno - 1] = head + shown
    return "\n".join(lines)


REFUSALS = (exceptions.RefactoringError, exceptions.BadIdentifierError, exceptions.ModuleNotFoundError, exceptions.AttributeNotFoundError,
            exceptions.NameNotFoundError)
