"""Writes the man pages of the four commands, `hw/man/`, from the commands themselves: `make docs`.

Each command is read into a `Part` (its words, what may follow it, and the commands below it), whether
typer or argparse made it, and a `Part` is written in the macros of man(7). Nothing is taken from a
printed help: that looks different with every version of Python.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import typer
from msgspec import Struct
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from firmware import __main__ as table
from firmware.maintenance import bridge
from firmware.protocol.version import VERSION
from host_tools import application, commands
from sim import main as sim
from sim.jackpot_controller import cli as jackpot

FOLDER = Path(__file__).parents[1] / "hw" / "man"
_DATE = re.compile(r"^## [\d.]+ – ([\d-]+)$", re.MULTILINE)


class Part(Struct, frozen=True, kw_only=True):
    """A command, or a command of a command."""

    name: str
    words: tuple[str, ...]
    """Paragraphs: what it does, first in one sentence."""
    examples: tuple[str, ...]
    usage: str = ""
    """How it is called, if it has no commands below it."""
    takes: tuple[tuple[str, str], ...]
    """What may follow it, each argument and option with what it means."""
    parts: tuple["Part", ...] = ()


def pages() -> dict[str, str]:
    """Return every page by the name of its file."""
    parts = {
        1: (_underfelt(), _underfelt_sim()),
        8: (_by_argparse(table.parser()), _by_argparse(bridge.parser())),
    }
    names = [(part.name, section) for section, found in parts.items() for part in found]
    return {
        f"{part.name}.{section}": "\n".join(_page(part, section, names)) + "\n"
        for section, found in parts.items()
        for part in found
    }


# Reading the commands


def _underfelt() -> Part:
    whole = _by_typer("underfelt", typer.main.get_command(application.app))
    below = (_by_typer(f"underfelt {name}", commands.loaded(name)) for name in commands.COMMANDS)
    return Part(
        name=whole.name,
        words=whole.words,
        examples=whole.examples,
        usage=whole.usage,
        takes=whole.takes,
        parts=tuple(below),
    )


def _by_typer(name: str, command: object) -> Part:
    assert isinstance(command, TyperCommand | TyperGroup)
    words, examples = _told(f"{command.help or ''}\n\n{command.epilog or ''}", name)
    below = command.commands if isinstance(command, TyperGroup) and name != "underfelt" else {}
    return Part(
        name=name,
        words=words,
        examples=examples,
        usage=_usage(command),
        takes=tuple(_typer_takes(command)),
        parts=tuple(_by_typer(f"{name} {each}", part) for each, part in below.items()),
    )


def _typer_takes(command: TyperCommand | TyperGroup) -> Iterator[tuple[str, str]]:
    for each in command.params:
        if isinstance(each, TyperArgument):
            yield each.metavar or str(each.name).upper(), each.help or ""
        elif isinstance(each, TyperOption) and not each.hidden:
            value = "" if each.is_flag else f" {each.metavar}"
            named = f"{', '.join([*each.opts, *each.secondary_opts])}{value}"
            yield named, f"{each.help or ''}{_otherwise(each)}"


def _otherwise(option: TyperOption) -> str:
    """Say what holds if an option is left out, and from where else it is taken."""
    found = option.default
    default = f" Default: {found}." if found and isinstance(found, str | int) else ""
    taken = f" Also taken from the environment: {option.envvar}." if option.envvar else ""
    return ("" if option.is_flag else default) + taken


def _usage(command: TyperCommand | TyperGroup) -> str:
    """Say how a command is called: what it must have, and that there is more."""
    if isinstance(command, TyperGroup):
        return "COMMAND …"
    arguments = (each for each in command.params if isinstance(each, TyperArgument))
    named = [str(each.metavar) if each.required else f"[{each.metavar}]" for each in arguments]
    return " ".join(("[OPTION …]", *named))


def _underfelt_sim() -> Part:
    below = [_by_argparse(sim.parser_of(each)) for each in sim.COMMANDS]
    described = {each.name: each.help for each in (*sim.COMMANDS, sim.JACKPOT)}
    words = "What developers and CI run instead of a table."
    return Part(
        name=sim.NAME,
        words=(words, *(f"{name}: {help_words}." for name, help_words in described.items())),
        examples=(),
        usage="COMMAND …",
        takes=(),
        parts=(*below, _by_argparse(jackpot.parser())),
    )


def _by_argparse(parser: argparse.ArgumentParser) -> Part:
    words, examples = _told(f"{parser.description or ''}\n\n{parser.epilog or ''}", parser.prog)
    groups = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    return Part(
        name=parser.prog,
        words=words,
        examples=examples,
        usage="COMMAND …" if groups else _argparse_usage(parser),
        takes=tuple(_argparse_takes(parser)),
        parts=tuple(_by_argparse(below) for group in groups for below in group.choices.values()),
    )


def _argparse_takes(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for each in parser._actions:
        if isinstance(each, argparse._SubParsersAction | argparse._HelpAction):
            continue
        if each.help is not argparse.SUPPRESS:
            named = ", ".join(each.option_strings)
            takes_value = each.nargs != 0
            value = _value(each) if takes_value else ""
            yield " ".join(filter(None, (named, value))), (each.help or "").replace("%%", "%")


def _argparse_usage(parser: argparse.ArgumentParser) -> str:
    arguments = [each for each in parser._actions if not each.option_strings]
    named = [_argument(each) for each in arguments]
    must = [
        f"{each.option_strings[0]} {_value(each)}"
        for each in parser._actions
        if each.required and each.option_strings
    ]
    return " ".join(("[OPTION …]", *must, *named))


def _argument(action: argparse.Action) -> str:
    """Write an argument as a synopsis does: in brackets if it may be left out."""
    may_be_several = action.nargs in {"*", "+"}
    named = f"{_value(action)} …" if may_be_several else _value(action)
    return f"[{named}]" if action.nargs in {"?", "*"} else named


def _value(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return action.dest.upper()


def _told(text: str, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tell the paragraphs of a help from its examples, the lines that begin with the command."""
    root = name.split(maxsplit=1)[0]
    words, examples = [], []
    for paragraph in re.split(r"\n\s*\n", text.replace("\b", "").strip()):
        lines = [line.strip() for line in paragraph.splitlines()]
        ours = [line for line in lines if re.match(rf"(?:[A-Z_]+=\S+ |.*\| )?{root}(?: |$)", line)]
        examples += ours
        rest = " ".join(line for line in lines if line not in ours)
        if rest and rest.lower() != "examples:":
            words.append(rest)
    return tuple(words), tuple(examples)


# Writing a page


def _page(part: Part, section: int, names: list[tuple[str, int]]) -> Iterator[str]:
    yield f'.TH {part.name.upper()} {section} "{_released()}" "Underfelt {VERSION}"'
    yield ".SH NAME"
    yield f"{_plain(part.name)} \\- {_plain(part.words[0].rstrip('.'))}"
    yield ".SH SYNOPSIS"
    for each in (part, *_all_below(part)):
        yield from (".PP", f"\\fB{_plain(each.name)}\\fR {_plain(each.usage)}".rstrip())
    yield ".SH DESCRIPTION"
    yield from _body(part)
    for each in _all_below(part):
        yield f'.SH "{_plain(each.name)}"'
        yield from _body(each)
    yield ".SH SEE ALSO"
    yield ", ".join(
        f"\\fB{_plain(name)}\\fR({where})" for name, where in names if name != part.name
    )


def _released() -> str:
    changes = (FOLDER.parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")
    found = _DATE.search(changes)
    assert found, "the changelog has no dated version"
    return found[1]


def _all_below(part: Part) -> Iterator[Part]:
    for each in part.parts:
        yield each
        yield from _all_below(each)


def _body(part: Part) -> Iterator[str]:
    for paragraph in part.words:
        yield from (".PP", _plain(paragraph))
    for flags, meaning in part.takes:
        yield from (".TP", f"\\fB{_plain(flags)}\\fR", _plain(meaning) or "\\&")
    if part.examples:
        yield from (
            ".PP",
            "Examples:",
            ".PP",
            ".RS",
            ".nf",
            *map(_plain, part.examples),
            ".fi",
            ".RE",
        )


def _plain(text: str) -> str:
    """Write a text so that none of it is a command of the page."""
    written = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "\\&...")
    return f"\\&{written}" if written.startswith((".", "'")) else written


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.[18]"):
        file.unlink()
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
