"""What a session that lives is worth: the second question, many models, limits that are kept.

    python benchmarks/sessions.py            # all of it
    python benchmarks/sessions.py second     # the second question about 45 muddy children
    python benchmarks/sessions.py many       # the memory of workers that are asked about 2,000 models
    python benchmarks/sessions.py cancel     # how soon a question ends that is cancelled

Times are wall-clock seconds of the process that asks.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from knower import families
from knower.memory import resident_megabytes
from knower.session import Session

MODELS = 2000


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def second() -> None:
    """The first question explores; those after it need what is known already."""
    with Session() as session:
        text = families.generate("muddy-children", n=45)
        load = timed(lambda: session.loads(text))
        system = session.loads(text)
        formula = system.formulae[0]
        first = timed(lambda: system.check(formula, evidence="none"))
        again = min(timed(lambda: system.check(formula, evidence="none")) for _ in range(5))
        other = timed(lambda: system.check(f"!({formula})", evidence="none"))
        edited = session.loads(text.replace("Formulae", f"Formulae\n  !({formula});", 1))
        edit = timed(lambda: edited.check(f"!!({formula})", evidence="none"))
        print(f"45 muddy children: load {load:.2f} s, first question {first:.2f} s")
        for name, seconds in (("the same again", again), ("its negation", other), ("edited file", edit)):
            print(f"  {name:15} {seconds:7.4f} s   {first / seconds:5.0f} times faster")


def many() -> None:
    """Counters of different sizes, each loaded and checked once."""
    with Session() as session:
        print("models   MB of each worker   seconds")
        began = time.perf_counter()
        for number in range(1, MODELS + 1):
            system = session.loads(families.generate("counter", n=2 * number), f"counter {number}")
            assert not system.check("AG true", "AG false", evidence="none")
            if number in (10, 100, 250, 500) or number % 500 == 0:
                sizes = "  ".join(f"{resident_megabytes(pid):6.1f}" for pid in session.workers())
                print(f"{number:6}   {sizes:17}   {time.perf_counter() - began:7.1f}", flush=True)
        assert len(session.workers()) <= session.cores


def cancel() -> None:
    """Questions that would take for ever, cancelled at random moments."""
    endless = families.generate("counter", n=1_000_000)
    dice, taken = random.Random(0), []
    with Session() as session:
        system = session.loads(endless)
        for _ in range(30):
            ticket = system.submit(engine="explicit", max_states=None, evidence="none")
            time.sleep(dice.random() * 0.3)
            began = time.perf_counter()
            ticket.cancel()
            ticket.result()
            taken.append(time.perf_counter() - began)
    print(f"30 questions cancelled: {statistics.median(taken):.3f} s, at most {max(taken):.3f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=["second", "many", "cancel"])
    chosen = parser.parse_args().what
    for name, measure in (("second", second), ("many", many), ("cancel", cancel)):
        if chosen in (None, name):
            measure()


if __name__ == "__main__":
    main()
