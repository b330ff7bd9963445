"""Models with more than 100 bits whose reachable states no diagram holds, though few clauses prove them.

    python benchmarks/invariants.py                  # measure pdr on both models, as they are and shuffled
    python benchmarks/invariants.py --engine bdd     # the same by diagrams, in every order
    python benchmarks/invariants.py --write DIR      # only write the models

`tables`: guests at tables, some of which must not be taken together. Which are is a random graph; the
reachable states are its independent sets, whose diagrams are exponential in its pathwidth, in every order.
`product`: two numbers and their product, whose diagram is exponential in every order.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from pathlib import Path

from shuffled import shuffled

import knower
from knower.options import ORDERS


def tables(guests: int = 110, degree: int = 6, seed: int = 1) -> str:
    """Guests who sit down only where no neighbour sits; of two who come at once the first is served."""
    neighbours = _graph(guests, degree, random.Random(seed))
    sits, agents = [], []
    for one, others in enumerate(neighbours):
        free = [f"t{k} = false" for k in others] + [f"G{k}.Action <> sit" for k in others if k < one]
        sits.append(f"    t{one} = true if G{one}.Action = sit and {' and '.join(free)};")
        sits.append(f"    t{one} = false if G{one}.Action = leave;")
        seen = ", ".join(f"t{k}" for k in (one,))
        agents.append(f"""Agent G{one}
  Lobsvars = {{{seen}}};
  Actions = {{sit, leave, wait}};
  Protocol: Other : {{sit, leave, wait}}; end Protocol
end Agent
""")
    a, b = 0, neighbours[0][0]
    variables = " ".join(f"t{k} : boolean;" for k in range(guests))
    empty = " and ".join(f"Environment.t{k} = false" for k in range(guests))
    return f"""Semantics = SingleAssignment;
Agent Environment
  Vars: {variables} end Vars
  Actions = {{}};
  Evolution:
{chr(10).join(sits)}
  end Evolution
end Agent
{"".join(agents)}
Evaluation a if Environment.t{a} = true; b if Environment.t{b} = true; end Evaluation
InitStates {empty}; end InitStates
Formulae
  AG !(a and b);
  AG (a -> K(G{a}, !b));
end Formulae
"""


def _graph(nodes: int, degree: int, choose: random.Random) -> list[list[int]]:
    """A random graph in which every node has about so many neighbours, none of them none."""
    found: list[set[int]] = [{(k + 1) % nodes, (k - 1) % nodes} for k in range(nodes)]
    places = list(range(nodes))
    for _ in range(degree // 2 - 1):
        choose.shuffle(places)
        for one, other in zip(places, places[1:] + places[:1], strict=True):
            found[one].add(other)
            found[other].add(one)
    return [sorted(each) for each in found]


def product(bits: int = 26) -> str:
    """Two numbers are multiplied once, and may change places; an observer sees the product only."""
    most, product = 2**bits - 1, 4**bits - 1
    return f"""Agent Environment
  Vars: x : 0..{most}; y : 0..{most}; z : 0..{product}; done : boolean; end Vars
  Actions = {{multiply, wait, swap}};
  Protocol: done = false : {{multiply, wait, swap}}; Other : {{wait, swap}}; end Protocol
  Evolution:
    z = x * y and done = true if Action = multiply;
    x = y and y = x if Action = swap;
  end Evolution
end Agent
Agent Observer
  Lobsvars = {{z, done}};
  Actions = {{}};
end Agent
Evaluation
  zero if Environment.x = 0 or Environment.y = 0;
  product_zero if Environment.z = 0;
  done if Environment.done = true;
end Evaluation
InitStates Environment.z = 0 and Environment.done = false; end InitStates
Formulae
  AG (zero -> product_zero);
  AG (done and !product_zero -> K(Observer, !zero));
end Formulae
"""


def redeclared(text: str, seed: int) -> str:
    """The same model: other names, agents in another order, and the variables of each line as well."""
    choose = random.Random(seed)
    lines = []
    for line in text.splitlines():
        head, vars_, rest = line.partition("Vars: ")
        if vars_:
            declared = rest.removesuffix(" end Vars").rstrip(";").split("; ")
            choose.shuffle(declared)
            line = f"{head}Vars: {'; '.join(declared)}; end Vars"
        lines.append(line)
    return shuffled("\n".join(lines) + "\n", seed)


MODELS = {"tables": tables(), "product": product()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", choices=("pdr", "bdd"), default="pdr")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument(
        "--copies", type=int, default=2, help="how many shuffled copies beside the model itself"
    )
    parser.add_argument("--write", type=Path)
    chosen = parser.parse_args()
    for name, text in MODELS.items():
        for copy in range(chosen.copies + 1):
            model = redeclared(text, copy) if copy else text
            if chosen.write is not None:
                (chosen.write / f"{name}-{copy}.ispl").write_text(model)
            elif chosen.engine == "pdr":
                _measure(f"{name} {copy}", model, chosen.seconds, method="pdr")
            else:
                for order in ORDERS[1:]:
                    _measure(f"{name} {copy} {order}", model, chosen.seconds, engine="bdd", order=order)
                _measure(
                    f"{name} {copy} reorder", model, chosen.seconds, engine="bdd", bdd="cudd", reorder="on"
                )


def _measure(name: str, text: str, seconds: float, **how: str) -> None:
    began = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with knower.Session() as session:
        found = session.loads(text).check(time_limit=seconds, evidence="none", **how)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    verdicts = " ".join(each.verdict.value for each in found)
    print(f"{name}: {verdicts}, {cpu:.1f} CPU s, {time.monotonic() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
