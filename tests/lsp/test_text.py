"""Positions as editors count them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from knower.lsp.text import DocumentText
from knower.source import Span

UTF8, UTF16, UTF32 = (
    lsp.PositionEncodingKind.Utf8, lsp.PositionEncodingKind.Utf16, lsp.PositionEncodingKind.Utf32,
)  # fmt: skip


def document(text: str, encoding: lsp.PositionEncodingKind = UTF16) -> DocumentText:
    return DocumentText("file:///m.ispl", 1, text, encoding)


@pytest.mark.parametrize(("encoding", "units"), [(UTF8, 4), (UTF16, 2), (UTF32, 1)])
def test_an_astral_character_takes_the_units_of_the_encoding(encoding, units):
    text = document("𝔸b", encoding)
    assert text.position(1) == lsp.Position(0, units)
    assert text.offset(lsp.Position(0, units)) == 1
    assert text.length(Span(0, 2)) == units + 1


def test_lines_end_as_the_protocol_says():
    text = document("a\r\nb\rc\nd\u2028e\x0bf")
    assert [text.line(n) for n in range(text.lines)] == ["a", "b", "c", "d\u2028e\x0bf"]


def test_positions_beyond_the_end_are_the_end():
    text = document("ab\ncd")
    assert text.offset(lsp.Position(0, 99)) == 2
    assert text.offset(lsp.Position(9, 0)) == 5


@given(st.text("ab\n\r𝔸é\u2028", max_size=30), st.sampled_from([UTF8, UTF16, UTF32]), st.data())
def test_offsets_and_positions_are_inverse(text, encoding, data):
    found = document(text, encoding)
    offset = data.draw(st.integers(0, len(text)))
    inside = not (text[offset - 1 : offset] == "\r" and text[offset : offset + 1] == "\n")
    if inside:
        assert found.offset(found.position(offset)) == offset


@given(st.text("ab\n𝔸", max_size=20), st.text("cd\n", max_size=5), st.data())
def test_a_change_of_a_range_is_that_of_the_text(text, new, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    before = document(text)
    change = lsp.TextDocumentContentChangePartial(range=before.range(Span(start, end)), text=new)
    after = before.changed(2, change)
    assert after.text == text[:start] + new + text[end:]
    assert after.version == 2
