"""Small mistakes that fit any code, made where the syntax tree says they can be made.

Only the place itself is rewritten; the rest of the file stays as it is, byte for byte.
"""

import ast
from collections.abc import Iterator
from random import Random

from msgspec import Struct

_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


class Edit(Struct, frozen=True):
    """Bytes of a file, and what stands there instead."""

    line: int
    start: int
    end: int
    text: str

    def applied(self, source: bytes) -> bytes:
        """Give the file with the mistake in it."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def places(source: bytes) -> list[tuple[Edit, ...]]:
    """List the places where a mistake can be made, in their order, each with its variants."""
    starts = [0]
    for line in source.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return [
        tuple(_edit(starts, node, text) for text in texts)
        for node, texts in sorted(
            _mistakes(ast.parse(source)), key=lambda found: (found[0].lineno, found[0].col_offset)
        )
    ]


def sample(source: bytes, count: int, seed: str) -> list[Edit]:
    """Choose some of the mistakes, one a place; the same for the same seed."""
    random = Random(seed)
    found = places(source)
    chosen = random.sample(found, min(count, len(found)))
    return sorted((random.choice(variants) for variants in chosen), key=lambda edit: edit.start)


def _edit(starts: list[int], node: ast.expr, text: str) -> Edit:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    # Columns of the syntax tree are counted in bytes.
    start = starts[node.lineno - 1] + node.col_offset
    return Edit(node.lineno, start, starts[node.end_lineno - 1] + node.end_col_offset, text)


def _mistakes(tree: ast.AST) -> Iterator[tuple[ast.expr, list[str]]]:
    """Give expressions, and what could stand there by mistake; types are left as they are."""
    for name, value in ast.iter_fields(tree):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in {"annotation", "returns"}:
                yield from _of_node(child)
                yield from _mistakes(child)


def _of_node(node: ast.AST) -> Iterator[tuple[ast.expr, list[str]]]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            flipped = ast.Compare(left=left, ops=[_FLIPPED[type(op)]()], comparators=[right])
            yield node, [_text(flipped)]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, [_text(operand)]
        case ast.BoolOp(op=op, values=values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield node, [_text(ast.BoolOp(op=other, values=values))]
        case ast.Constant(value=value) if type(value) is int:
            yield node, [f"({value + 1})", f"({value - 1})"]
        case ast.Return(value=ast.Constant(value=bool(value)) as constant):
            yield constant, [str(not value)]
        case ast.If(test=test, body=[*_, ast.Raise()], orelse=[]):
            yield test, ["False"]


def _text(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"
