#!/usr/bin/env python3
"""List the command-line options of SGLang's releases:
options.py WHEEL_DIR… > src/planner/command/options.txt

A WHEEL_DIR is an unpacked wheel, the folder that holds `sglang/`, and its name is the release.
The source is read, never imported: the literal `add_argument` calls of `ServerArgs.add_cli_args`,
and the annotated fields from which SGLang makes arguments since 0.5.14.  Anything that registers
an option in another way ends the run with its place.

A line of output is an option string, what it is, and the releases that have it: every release,
or half-open ranges with a comma between them.  What it is:

    v  takes one value            +  one or more
    f  takes none                 *  any number
    ?  one or none                =--name  is another string of that option

Strings of one option count as its aliases; the option goes by the name that the newest release
puts first.  `--no-x` is listed as an option of its own, since it means the opposite of `--x`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

KINDS = {None: "v", 0: "f", "+": "+", "*": "*", "?": "?"}
FROM_FIELDS = "add_cli_args_from_dataclass(parser, ServerArgs)"
BOOLEAN = "BooleanOptionalAction"
HEADER = "# Made by tests/oracle/options.py from SGLang's source; its docstring explains the lines."


class Unreadable(Exception):
    """A part of the source that cannot be read without running it."""

    def __init__(self, node: ast.AST, why: str) -> None:
        super().__init__(f"line {getattr(node, 'lineno', '?')}: {why}: {ast.unparse(node)[:100]}")


@dataclass(frozen=True)
class Option:
    """One option of a release: its strings, the main one first, and its kind."""

    names: tuple[str, ...]
    kind: str


HELP = Option(("--help", "-h"), "f")


class Source:
    """The source files of one release that say which options it has."""

    def __init__(self, wheel: Path) -> None:
        srt = wheel / "sglang" / "srt"
        self.server_args = parse(srt / "server_args.py")
        self.fields = [parse(file) for file in srt.glob("arg_groups/fields/*.py")]
        actions = [parse(file) for file in srt.glob("arg_groups/argparse_actions.py")]
        self.action_nargs = nargs_of_actions([self.server_args, *actions])

    def options(self) -> Iterator[Option]:
        """Every option, with the help that argparse adds."""
        yield HELP
        record = classes(self.server_args)["ServerArgs"]
        methods = {node.name: node for node in record.body if isinstance(node, ast.FunctionDef)}
        for statement in methods["add_cli_args"].body:
            if call := call_on_parser(statement):
                if call.func.attr != "add_argument":
                    raise Unreadable(call, "not an add_argument")
                yield from self.from_call(call)
            elif ast.unparse(statement) == FROM_FIELDS:
                for holder in [record, *self.namespaces()]:
                    yield from self.from_fields(holder)
            elif "parser" in names_in(statement):
                raise Unreadable(statement, "does more with the parser than this script knows")

    def namespaces(self) -> list[ast.ClassDef]:
        """The classes whose fields `ServerArgs` collects, from 0.5.20 on."""
        known = {name: node for module in self.fields for name, node in classes(module).items()}
        for node in self.server_args.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_INPUT_NAMESPACES":
                return [known[name.id] for name in node.value.elts]
        return []

    def from_call(self, call: ast.Call) -> Iterator[Option]:
        """The options of an `add_argument` call."""
        if any(keyword.arg is None for keyword in call.keywords):
            raise Unreadable(call, "has keywords that are not written out")
        names = [literal(name) for name in call.args]
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        yield from self.made(names, given.get("action"), given)

    def from_fields(self, holder: ast.ClassDef) -> Iterator[Option]:
        """The options that `add_cli_args_from_dataclass` makes of a class's annotated fields."""
        # A field that is declared twice, as `dcp_size` is in 0.5.15, counts once: the last time.
        fields = {node.target.id: node for node in holder.body if isinstance(node, ast.AnnAssign)}
        for field, node in fields.items():
            if (annotated := annotation(node)) is None:
                continue
            type_, arg = annotated
            if "no_cli" in arg and literal(arg["no_cli"]):
                continue
            own = literal(arg["cli_name"]) if "cli_name" in arg else "--" + field.replace("_", "-")
            names = [own, *(literal(arg["aliases"]) if "aliases" in arg else [])]
            if "action" in arg:
                yield from self.made(names, arg["action"], keys_of(arg.get("action_kwargs")))
            else:
                yield Option(tuple(names), kind_of_field(type_, arg))

    def made(
        self, names: list[str], action: ast.expr | None, given: dict[str, ast.expr]
    ) -> Iterator[Option]:
        """What argparse makes of names, an action and the other keywords."""
        word = "store" if action is None else ast.unparse(action).strip("'").rpartition(".")[2]
        if word not in self.action_nargs:
            raise Unreadable(action, "an unknown action")
        nargs = literal(given["nargs"]) if "nargs" in given else self.action_nargs[word]
        yield Option(tuple(names), KINDS[nargs])
        if word == BOOLEAN:
            opposites = ("--no-" + name.removeprefix("--") for name in names)
            yield Option(tuple(opposites), KINDS[nargs])


def parse(file: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))


def classes(module: ast.Module) -> dict[str, ast.ClassDef]:
    """The classes of a module by name."""
    return {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}


def literal(node: ast.expr) -> object:
    """The value of an expression that needs no running."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise Unreadable(node, "not written out") from None


def nargs_of_actions(modules: list[ast.Module]) -> dict[str, object]:
    """How many values each action takes if the call does not say."""
    nargs: dict[str, object] = {"store": None, "store_true": 0, BOOLEAN: 0}
    for node in (node for module in modules for node in classes(module).values()):
        if "argparse.Action" not in map(ast.unparse, node.bases):
            continue
        nargs[node.name] = None
        for init in node.body:
            if isinstance(init, ast.FunctionDef) and init.name == "__init__":
                # Defaults belong to the last parameters.
                for parameter, default in zip(init.args.args[::-1], init.args.defaults[::-1]):
                    if parameter.arg == "nargs":
                        nargs[node.name] = literal(default)
    return nargs


def call_on_parser(statement: ast.stmt) -> ast.Call | None:
    """The call, if a statement is `parser.something(…)`."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    is_method = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    return call if is_method and ast.unparse(call.func.value) == "parser" else None


def names_in(statement: ast.stmt) -> set[str]:
    """The variables that a statement mentions."""
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def annotation(field: ast.AnnAssign) -> tuple[ast.expr, dict[str, ast.expr]] | None:
    """The type of a field and what its `Arg` says, if it becomes an argument."""
    hint = field.annotation
    if not isinstance(hint, ast.Subscript) or ast.unparse(hint.value) != "A":
        return None
    type_, *metadata = hint.slice.elts
    for node in metadata:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return type_, {}
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Arg":
            return type_, {keyword.arg: keyword.value for keyword in node.keywords}
        if not isinstance(node, ast.Call):
            raise Unreadable(node, "neither a text nor an Arg")
    return None


def keys_of(node: ast.expr | None) -> dict[str, ast.expr]:
    """A written-out dictionary, its values unread."""
    return {literal(key): value for key, value in zip(node.keys, node.values)} if node else {}


def kind_of_field(type_: ast.expr, arg: dict[str, ast.expr]) -> str:
    """The kind of the option that a field without an action becomes."""
    type_ = without_none(type_)
    head = ast.unparse(type_.value if isinstance(type_, ast.Subscript) else type_)
    nargs = literal(arg["nargs"]) if "nargs" in arg else None
    if head == "Literal":
        return KINDS[None]
    if head in ("List", "list") and "type_parser" not in arg:
        return KINDS[nargs or "+"]
    return KINDS[0] if head == "bool" else KINDS[nargs]


def without_none(type_: ast.expr) -> ast.expr:
    """`X` of `Optional[X]` and of `X | None`."""
    if isinstance(type_, ast.Subscript) and ast.unparse(type_.value) == "Optional":
        return type_.slice
    if isinstance(type_, ast.BinOp) and ast.unparse(type_.right) == "None":
        return type_.left
    return type_


def by_release(wheels: Iterable[Path]) -> dict[str, list[Option]]:
    """The options of each release, oldest first."""
    found = {}
    for wheel in sorted(wheels, key=lambda wheel: list(map(int, re.findall(r"\d+", wheel.name)))):
        try:
            found[wheel.name] = list(Source(wheel).options())
        except Unreadable as fault:
            raise SystemExit(f"{wheel.name}: {fault}") from None
    return found


def meanings(found: dict[str, list[Option]]) -> dict[tuple[str, str], list[str]]:
    """Each option string with what it is, and the releases in which it is that, oldest first."""
    table: dict[tuple[str, str], list[str]] = defaultdict(list)
    first: set[str] = set()
    for release in reversed(found):
        seen: set[str] = set()
        for option in found[release]:
            if seen.intersection(option.names):
                raise SystemExit(f"{release}: {option.names} is registered twice")
            seen.update(option.names)
            chosen = next((name for name in option.names if name in first), option.names[0])
            first.add(chosen)
            for name in option.names:
                table[name, option.kind if name == chosen else "=" + chosen].insert(0, release)
    return table


def ranges(held: list[str], releases: list[str]) -> str:
    """The half-open ranges that hold these releases; empty if all are."""
    runs: list[str] = []
    for place, release in enumerate(releases):
        before = place > 0 and releases[place - 1] in held
        if release in held and not before:
            runs.append(f"{release}-")
        if release not in held and before:
            runs[-1] += release
    return "" if len(held) == len(releases) else " " + ",".join(runs)


def main(wheels: list[str]) -> None:
    """Write the table."""
    found = by_release(map(Path, wheels))
    print(HEADER)
    for (name, meaning), held in sorted(meanings(found).items()):
        print(f"{name} {meaning}{ranges(held, list(found))}")
    for release, options in found.items():
        count = sum(len(option.names) for option in options)
        print(f"{release}: {count} option strings", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
