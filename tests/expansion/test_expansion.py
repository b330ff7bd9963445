"""Expansions mean what their models mean."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

from engines import Asker
from expansion.plain_ispl import body, check_same, model_of, read
from knower.errors import InputError, LimitReached, NoInitialState
from strategies import cases, modules

_ASKED = ("PLAIN", "LTLK", "CTL*K", "CDL*K")


@cases(250)
@given(modules(max_states=40, formulae=_ASKED, depth=3))
def test_random_systems_mean_what_their_expansions_mean(module):
    model = model_of(module)
    try:
        text = model.expanded()
    except InputError as refused:
        assert {each.code for each in refused.diagnostics} <= {"E417", "E419"}
        assume(False)
    try:
        check_same(model, text, 100)
    except (NoInitialState, LimitReached):
        assume(False)
    assert body(read(text).expanded()) == body(text)


PUZZLE = """
Const n = 3 where n >= 2;
Agent Environment
  Obsvars: turn : 0..n-1 init 0; end Obsvars
  Vars: mud : array 0..n-1 of boolean; end Vars
  Actions = {tick, rest};
  Protocol: turn % 2 = 0 : {tick}; Other : {tick, rest}; end Protocol
  Evolution: turn = (turn + 1) % n if Action = tick; end Evolution
end Agent
Agent Player(i : 0..n-1)
  Lobsvars = {mud[j] | j : 0..n-1 where j != i};
  Vars: best : -1..n init 0; last : boolean init false; next : 0..n-1 init 0; end Vars
  Define dirty = count j : 0..n-1 where j != i (Environment.mud[j]);
  Actions = {call(k) | k : 0..n-1};
  Protocol: for k : 0..n-1 do Environment.turn = k : {call(k)}; end Protocol
  Evolution:
    best = max(best, dirty) and last = !last and next = if last then i else abs(next - 1)
      if Environment.turn = i and Player((i + 1) % n).Action = call(i);
    best = min(dirty, best) - 1 if Environment.turn != i and best > 0 -> last;
  end Evolution
end Agent
Evaluation
  for i : 0..n-1 do knows(i) if Player(i).best = Player(i).dirty;
  odd if (sum i : 0..n-1 (Player(i).best)) % 2 = 1 xor Player(0).last;
end Evaluation
Groups all = {Player(i) | i : 0..n-1}; end Groups
Fairness odd or !odd; end Fairness
Formulae
  safe : AG (odd -> EF !odd);
  for i : 0..n-1 do aware(i) : AG (knows(i) -> K(Player(i), knows(i))) expect false "it forgets";
  pair : <Player(0), Player(1)>F Player(0).best > 0;
  group : AG GK(all, Environment.turn < n);
  common : EF GCK({Player(0)}, Player(1).last and true);
  path : CTL* A (F G odd -> F Player(0).best = 1);
  doing : CTL* E F Player(0).Action = call(0);
  dual : EF M(Player(0), odd);
  dynamic : LDL <tt*>odd;
end Formulae
"""


@pytest.mark.parametrize("n", [2, 3])
def test_a_parametrised_model_means_what_its_expansion_means(n):
    model = read(PUZZLE, n=n)
    text = model.expanded()
    assert check_same(model, text, 20_000) == len(model.formulae) - 3
    assert f"--   call_{n - 1}" in text
    assert text.count("-- left out") == 3


RING = """
Const n = 3 where n >= 2;
Agent Node(i : 1..n)
  Vars: token : boolean init i = 1; held : 0..2 init 0; end Vars
  Actions = {keep, pass};
  Protocol: token : {keep, pass}; Other : {keep}; end Protocol
  Evolution:
    token = false and held = (held + 1) % 3 if Action = pass;
    token = true if Node((i + n - 2) % n + 1).Action = pass;
  end Evolution
end Agent
Groups nodes = {Node(i) | i : 1..n}; end Groups
Formulae
  AG (count i : 1..n (Node(i).token) = 1);
  for i : 1..n do AG (Node(i).token -> K(Node(i), forall j : 1..n (j != i -> !Node(j).token)));
  <nodes>F Node(n).held = max i : 1..n (Node(i).held);
  LTL G F Node(1).token;
end Formulae
"""


@pytest.mark.parametrize("n", range(2, 7))
def test_a_ring_of_any_size(n):
    model = read(RING, n=n)
    after = read(model.expanded())
    engines = [Asker("bdd", each.interpreted) for each in (model, after)]
    assert engines[0].states == engines[1].states
    for first, second in zip(model.interpreted.formulae, after.interpreted.formulae, strict=True):
        assert engines[0].check(first).verdict is engines[1].check(second).verdict
