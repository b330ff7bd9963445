"""What a family of models is: parameters with bounds, and a function from their values to a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from knower.errors import UsageError, did_you_mean
from knower.families.layout import comment, laid_out, section
from knower.records import dataclass

#: Numbers and words; a parameter has values of one kind.
Value = int | str


@dataclass(frozen=True, slots=True)
class Number:
    """A parameter with whole numbers from `low` to `high`, only every `step`th of them.

    `at_most` names another number of the family that this one must not exceed.
    """

    name: str
    help: str
    default: int
    low: int
    high: int
    step: int = 1
    at_most: str | None = None

    @property
    def allowed(self) -> str:
        """The values allowed, in words."""
        upper = f"{self.high}, at most {self.at_most}" if self.at_most else str(self.high)
        between = f"from {self.low} to {upper}"
        return between if self.step == 1 else f"{between}, in steps of {self.step}"

    def admits(self, value: Value) -> bool:
        """Whether the value is a whole number within the bounds."""
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        return self.low <= value <= self.high and (value - self.low) % self.step == 0

    def beside(self, others: Mapping[str, Value]) -> Number:
        """The parameter with the bound that the value of another one sets."""
        bound = others[self.at_most] if self.at_most else None
        return replace(self, high=min(self.high, bound), at_most=None) if isinstance(bound, int) else self


@dataclass(frozen=True, slots=True)
class Choice:
    """A parameter whose values are words."""

    name: str
    help: str
    default: str
    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """The values allowed, in words."""
        return " or ".join(self.words)

    def admits(self, value: Value) -> bool:
        """Whether the value is one of the words."""
        return value in self.words

    def beside(self, others: Mapping[str, Value]) -> Choice:
        """The parameter itself: words do not depend on other parameters."""
        return self


Parameter = Number | Choice


@dataclass(frozen=True, slots=True)
class Question:
    """A formula, what is to be expected of it, and what it says, for a comment above it."""

    formula: str
    expected: bool
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """A member of a family in parts: a story, sections without `Formulae`, and the questions.

    `states` is the exact number of reachable states, or None where nobody has counted.
    """

    title: str
    story: str
    sections: tuple[str, ...]
    questions: tuple[Question, ...]
    states: int | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """A finished member: its text, the expected verdict of each formula, the number of states."""

    name: str
    ispl: str
    expected: tuple[bool, ...]
    states: int | None


@dataclass(frozen=True, slots=True)
class Family:
    """Models that differ in a few parameters; `build` takes a value for each, by name."""

    name: str
    description: str
    source: str
    parameters: tuple[Parameter, ...]
    build: Callable[..., Model]
    #: Arguments worth showing in the help.
    examples: tuple[str, ...] = ()

    def instance(self, **values: Value) -> Instance:
        """The member with these values, defaults for the others; `UsageError` if one is not allowed."""
        complete = self._complete(values)
        model = self.build(**complete)
        command = " ".join([self.name, *(f"--{name} {value}" for name, value in complete.items())])
        expected = tuple(question.expected for question in model.questions)
        return Instance(command, _written(model, command, self.source), expected, model.states)

    def _complete(self, values: Mapping[str, Value]) -> dict[str, Value]:
        known = [parameter.name for parameter in self.parameters]
        for name in values:
            if name not in known:
                raise UsageError("E600", f"{self.name} has no parameter `{name}`", did_you_mean(name, known))
        complete = {one.name: values.get(one.name, one.default) for one in self.parameters}
        for one in self.parameters:
            parameter, value = one.beside(complete), complete[one.name]
            if not parameter.admits(value):
                message = f"the parameter {parameter.name} of {self.name} cannot be {value!r}"
                raise UsageError("E605", message, f"allowed: {parameter.allowed}")
        return complete


def _written(model: Model, command: str, source: str) -> str:
    """The text of a model, with a head that tells where it comes from."""
    head = [
        comment(model.title),
        comment(model.story),
        comment(f"After {source}."),
        f"-- Made by: knower generate {command}",
    ]
    if model.states is not None:
        head.append(f"-- expect {model.states} states")
    return laid_out(head, [*model.sections, section("Formulae", *map(_asked, model.questions))])


def _asked(question: Question) -> str:
    """A formula with its expected verdict behind it, and what it means above."""
    above = f"\n{comment(question.meaning)}\n" if question.meaning else ""
    return f"{above}{question.formula}; -- expect {'true' if question.expected else 'false'}"
