"""Formulas as values: a class for each operator, named as it is written.

>>> from knower.formulas import AG, K, atoms
>>> sent, received = atoms("sent received")
>>> AG(sent >> K("Sender", received))
AG(Implies(Atom('sent'), K('Sender', Atom('received'))))

`&`, `|`, `~` and `>>` join formulas, and Python's `True` and `False`. `System.check` takes formulas as it
takes texts. Operators about one agent or a group have its name first; a `Group` names its members itself.
"""

from __future__ import annotations

from knower.logic.combining import specification
from knower.logic.formula import (
    AF,
    AG,
    AR,
    AU,
    AW,
    AX,
    DK,
    EF,
    EG,
    ER,
    EU,
    EW,
    EX,
    FALSE,
    GCK,
    GK,
    MDK,
    MGCK,
    MGK,
    TRUE,
    WX,
    A,
    And,
    Atom,
    Box,
    CanF,
    CanG,
    CanU,
    CanX,
    Choice,
    Constant,
    Diamond,
    Does,
    E,
    F,
    Formula,
    G,
    Green,
    Group,
    Implies,
    K,
    Letter,
    M,
    Not,
    O,
    Or,
    P,
    Program,
    R,
    Red,
    Seq,
    Star,
    Test,
    U,
    W,
    X,
)  # fmt: skip

__all__ = [
    "AF", "AG", "AR", "AU", "AW", "AX", "DK", "EF", "EG", "ER", "EU", "EW", "EX", "FALSE", "GCK", "GK", "MDK",
    "MGCK", "MGK", "TRUE", "WX", "A", "And", "Atom", "Box", "CanF", "CanG", "CanU", "CanX", "Choice",
    "Constant", "Diamond", "Does", "E", "F", "Formula", "G", "Green", "Group", "Implies", "K", "Letter", "M",
    "Not", "O", "Or", "P", "Program", "R", "Red", "Seq", "Star", "Test", "U", "W", "X", "atoms",
    "specification",
]  # fmt: skip


def atoms(names: str) -> tuple[Atom, ...]:
    """A proposition for each name: `p, q = atoms("p q")`. Commas may stand between them."""
    return tuple(Atom(name) for name in names.replace(",", " ").split())
