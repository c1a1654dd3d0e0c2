"""English verb forms."""

from __future__ import annotations

from jatdae.dialogue.reading.english_verbs import BASE, ING, PAST, THIRD, load_english_words


def test_forms_of_an_english_verb_and_of_one_of_several_words():
    table = load_english_words()
    assert {word: table[word].alone.forms for word in ("stop", "stops", "stopping", "stopped")} == {
        "stop": BASE,
        "stops": THIRD,
        "stopping": ING,
        "stopped": PAST,
    }
    assert [verb.rest for verb in table["staying"].leads["away"]] == [("away", "from")]
