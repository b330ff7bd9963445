"""Models of any length, for the language server."""

from __future__ import annotations


def model(agents: int, lines: int) -> str:
    """So many agents with so many lines of evolution each."""
    parts = []
    for k in range(agents):
        evolution = "\n".join(
            f"    x = {j * 7 % 50} if x = {j % 50} and Action = a{j % 3} and A{(k + j) % agents}.Action = a0;"
            for j in range(lines)
        )
        parts.append(
            f"-- agent {k}\nAgent A{k}\n  Vars: x : 0..49; end Vars\n  Actions = {{a0, a1, a2}};\n"
            f"  Protocol: x < 25 : {{a0, a1}}; Other : {{a2}}; end Protocol\n  Evolution:\n{evolution}\n"
            "  end Evolution\nend Agent\n"
        )
    parts.append("Evaluation p if A0.x = 3; end Evaluation\nInitStates A0.x = 0; end InitStates\n")
    return "".join(parts) + "Formulae AG !p; EF p; end Formulae\n"
