"""Clauses of English sentences and the tags of their words."""

from __future__ import annotations

from jatdae.dialogue.rules.english_pieces import cut_pieces, leads, make_piece, merge_pieces, plain


def test_a_sentence_is_cut_at_conjunctions_and_marks():
    assert [piece.text.strip() for piece in cut_pieces("take X, but stop if it hurts")] == [
        "take X,", "but stop", "if it hurts",
    ]  # fmt: skip


def test_a_piece_without_a_verb_belongs_to_the_clause_of_the_thing():
    piece, rest = merge_pieces(cut_pieces("take X, two tablets, and you can rest"), 0)
    assert "two tablets" in piece.text
    assert "you can rest" in rest[-1].text


def test_the_longest_entry_wins():
    kinds = [sorted(tag.kinds) for tag in make_piece("stay away from X").tags]
    assert kinds == [["avoid"]]


def test_a_verb_behind_light_words_is_a_command():
    told, said = make_piece("so just take X"), make_piece("she may take X")
    assert leads(told.tags[-1], told)
    assert not leads(said.tags[-1], said)


def test_an_idiom_never_takes_the_thing_away() -> None:
    assert plain("walking gives you the best results with X") == "walking gives you the best results with X"
    assert plain("walking gives you the best results") == "walking is great"
