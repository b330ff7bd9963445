"""Why a verdict is unknown, in the words the bounded methods share."""

from __future__ import annotations


def steps(count: int) -> str:
    return f"{count} step" if count == 1 else f"{count} steps"


def no_counterexample(bound: int) -> str:
    return f"no counterexample with up to {steps(bound)}"


def no_witness(bound: int) -> str:
    return f"no witness with up to {steps(bound)}"


def needs_all_states(bound: int) -> str:
    return f"this needs all states, and after {steps(bound)} there are more"
