"""Models made wrong at random: ten kinds of mutation, each a function of a text and a generator."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_TOKEN = re.compile(r"--[^\n]*|[A-Za-z_]\w*|\d+|->|\.\.|<>|<=|>=|!=|\S")
_NAME = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"\b\d+\b")
#: What is put in where something is inserted: every word and sign of the language.
_WORDS = """
{ } ( ) [ ] : ; , = < > . + - * / & | ^ ~ ! ? -> .. <> <= >= != && || --
Agent Environment Vars Obsvars Lobsvars RedStates Actions Protocol Evolution Evaluation InitStates Groups
Fairness Formulae Semantics MultiAssignment SA end if and or Other Action boolean true false tt ff
AG EF AX EG AF A E U W R X F G K GK GCK DK O M P LTL CTL* LDL CDL* LTLf LDLf CDLf* GreenStates
0 1 7 -1 x é ∧ § \x07
"""
_PIECES = _WORDS.split()
_NUMBERS = [0, 1, 2, 3, 5, 16, 255, 256, 1_000_000, 10**9, 10**30]
_CHARS = "abcxyzAEFGKUX019_ \t\n;:,.(){}[]<>=!&|^~+-*/?'\"\\#%$@`é∧\x7f\xa0"


def _code(text: str) -> list[re.Match[str]]:
    """The tokens that are not comments."""
    return [match for match in _TOKEN.finditer(text) if not match[0].startswith("--")]


def _spliced(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def delete_tokens(text: str, random: Random) -> str:
    tokens = _code(text)
    first = random.randrange(len(tokens))
    last = min(len(tokens) - 1, first + random.choice([0, 0, 0, 1, 2, 5, 20]))
    return text[: tokens[first].start()] + text[tokens[last].end() :]


def duplicate_token(text: str, random: Random) -> str:
    token = random.choice(_code(text))
    return _spliced(text, token, f"{token[0]} {token[0]}")


def swap_tokens(text: str, random: Random) -> str:
    tokens = _code(text)
    one = random.randrange(len(tokens) - 1)
    two = random.choice([one + 1, random.randrange(len(tokens))])
    if one == two:
        return text
    one, two = sorted((one, two))
    return _spliced(_spliced(text, tokens[two], tokens[one][0]), tokens[one], tokens[two][0])


def insert_token(text: str, random: Random) -> str:
    token = random.choice(_code(text))
    return _spliced(text, token, f"{random.choice(_PIECES)} {token[0]}")


def truncate(text: str, random: Random) -> bytes:
    data = text.encode()
    return data[: random.randrange(len(data))]


def flip_characters(text: str, random: Random) -> str:
    chars = list(text)
    for _ in range(random.choice([1, 1, 1, 2, 5])):
        chars[random.randrange(len(chars))] = random.choice(_CHARS)
    return "".join(chars)


def insert_bytes(text: str, random: Random) -> bytes:
    data = text.encode()
    at = random.randrange(len(data))
    new = random.choice(
        [b"\0", b"\xff", b"\xff\xfe", b"\xc3", b"\x1b", random.randbytes(1), random.randbytes(9)]
    )
    return data[:at] + new + data[at:]


def swap_lines(text: str, random: Random) -> str:
    """Two lines, near each other as often as not."""
    lines = text.split("\n")
    whole = [k for k, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("--")]
    if len(whole) < 2:
        return text
    place = random.randrange(len(whole) - 1)
    one, two = random.choice([random.sample(whole, 2), whole[place : place + 2]])
    lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


def replace_name(text: str, random: Random) -> str:
    """A name by another of the text; half the time by one that stands in the same kind of place."""
    tokens = _code(text)
    names = [k for k in range(1, len(tokens) - 1) if _NAME.fullmatch(tokens[k][0])]
    place = random.choice(names)
    sides = tokens[place - 1][0], tokens[place + 1][0]
    alike = [k for k in names if (tokens[k - 1][0], tokens[k + 1][0]) == sides]
    return _spliced(text, tokens[place], tokens[random.choice(random.choice([names, alike]))][0])


def replace_number(text: str, random: Random) -> str:
    """A number by another; where there is none, a token by a number."""
    tokens = _code(text)
    numbers = [token for token in tokens if _NUMBER.fullmatch(token[0])]
    return _spliced(text, random.choice(numbers or tokens), str(random.choice(_NUMBERS)))


KINDS: tuple[Callable[[str, Random], str | bytes], ...] = (
    delete_tokens, duplicate_token, swap_tokens, insert_token, truncate, flip_characters, insert_bytes,
    swap_lines, replace_name, replace_number,
)  # fmt: skip


def mutated(text: str, kind: Callable[[str, Random], str | bytes], seed: str) -> bytes:
    """The bytes of a file with one mutation, or sometimes a few of a kind."""
    random = Random(seed)
    if random.random() < 0.5:
        text = re.sub("--[^\n]*", "", text)  # so that more of it matters
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        if len(_code(text)) < 3:
            break
        changed = kind(text, random)
        if isinstance(changed, bytes):
            return changed
        text = changed
    return text.encode("utf-8", "surrogatepass")
