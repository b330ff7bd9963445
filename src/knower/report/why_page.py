"""A run as one web page made of the components of the workbench, where they were built."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from knower.report.page import embedded, facts
from knower.report.why_data import why_data
from knower.report.words import reason_text, warning_text
from knower.verdict.verdict import CheckResult, FormulaResult

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src $script_hash; \
style-src $style_hash; img-src data: blob:; base-uri 'none'; form-action 'none'">
<title>$title</title>
<style>$style</style>
</head>
<body>
<div id="app"><p>This page needs scripts.</p></div>
<script type="application/json" id="knower-data">$data</script>
<script>$script</script>
</body>
</html>
""")


def why_page(result: CheckResult, *, title: str, propositions: frozenset[str] = frozenset()) -> str | None:
    """The page as text; None where its script was not built: then there is `page.evidence_page`."""
    built = files("knower.report").joinpath("built")
    try:
        script = built.joinpath("report.js").read_text(encoding="utf-8").replace("</script", "<\\/script")
        style = built.joinpath("report.css").read_text(encoding="utf-8")
    except OSError:
        return None
    return _PAGE.substitute(
        title=escape(title),
        data=embedded(_data(result, title, propositions)),
        script=script,
        script_hash=_hash(script),
        style=style,
        style_hash=_hash(style),
    )


def _data(result: CheckResult, title: str, propositions: frozenset[str]) -> dict[str, Any]:
    return {
        "title": title,
        "facts": facts(result),
        "warnings": [warning_text(warning) for warning in result.warnings],
        "answers": [_answer(formula, propositions) for formula in result],
    }


def _answer(found: FormulaResult, propositions: frozenset[str]) -> dict[str, Any]:
    why = found.reason or found.left_out
    return {
        "number": found.number,
        "text": found.text,
        "verdict": found.verdict.value,
        "reason": None if why is None else reason_text(why),
        "evidence": None if found.evidence is None else why_data(found.evidence, propositions),
    }


def _hash(text: str) -> str:
    """What the content security policy knows an inline script or style by."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
