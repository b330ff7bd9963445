"""A family of models, built in Python: a message is whispered from ear to ear.

A speaker knows whether the answer is yes or no and whispers it to the first of a row of listeners,
who may whisper it to the second, and so on. Nobody else overhears a whisper, and nobody has to speak.

Run it with `python examples/build_in_python.py`.
"""

from __future__ import annotations

import knower


def whispers(listeners: int) -> knower.System:
    """The model with so many listeners. Conditions and values are written as in ISPL."""
    build = knower.Builder(name=f"whispers({listeners})")

    speaker = build.agent("Speaker", actions=["say_yes", "say_no", "wait"])
    speaker.enum("answer", "yes", "no")
    speaker.protocol("answer = yes", "say_yes", "wait")
    speaker.protocol("answer = no", "say_no", "wait")

    names = [f"Listener{number}" for number in range(1, listeners + 1)]
    for before, name in zip(["Speaker", *names], names, strict=False):
        listener = build.agent(name, actions=["say_yes", "say_no", "wait"])
        listener.enum("heard", "nothing", "yes", "no")
        listener.protocol("heard = yes", "say_yes", "wait")
        listener.protocol("heard = no", "say_no", "wait")
        listener.otherwise("wait")
        listener.evolution("heard = yes", when=f"{before}.Action = say_yes")
        listener.evolution("heard = no", when=f"{before}.Action = say_no")
        build.initially(f"{name}.heard = nothing")

    build.proposition("yes", "Speaker.answer = yes")
    build.proposition("arrived", f"{names[-1]}.heard != nothing")
    build.group("everybody", "Speaker", *names)
    build.group("listeners", *names)
    return build.system()


def questions(listeners: int) -> dict[str, bool]:
    """Formulas with the verdicts we expect."""
    last = f"Listener{listeners}"
    return {
        # Whoever has heard something knows the answer.
        f"AG (arrived -> K({last}, yes) or K({last}, !yes))": True,
        # When the message has arrived, all listeners know it ...
        "AG (arrived and yes -> GK(listeners, yes))": True,
        # ... but the first cannot tell how far it has come.
        "EF K(Listener1, arrived)": listeners == 1,
        # It need not arrive; all together can make it arrive, the listeners alone cannot.
        "AF arrived": False,
        "<everybody>F arrived": True,
        "<listeners>F arrived": False,
    }


def main() -> None:
    for listeners in (1, 2, 3):
        system = whispers(listeners)
        assert system.lint() == [], "the model has no doubtful places"
        result = system.check(*questions(listeners))
        print(f"{system.name}: {result.states} states")
        for answer in result:
            print(f"  {answer.verdict.value:5} {answer.logic:4} {answer.text}")
        assert [bool(verdict) for verdict in result.verdicts] == list(questions(listeners).values())
    # What was built can be printed as ISPL and loaded again.
    again = knower.loads(whispers(2).to_ispl())
    assert again.check("EF arrived").holds


if __name__ == "__main__":
    main()
