"""Frames of English clauses: what is said of a thing X."""

from __future__ import annotations

import pytest

from jatdae.dialogue.rules.english_advice import read_english
from jatdae.dialogue.rules.stances import AGAINST, KEEP, NONE, STOP, TAKE

FRAMES = [
    ("X would be the usual choice, but not with a potassium of 5.4", NONE),
    ("Y adds to the bleeding risk of X, so skip it", NONE),
    ("Y does the same as your X does, so you can drop it", STOP),
    ("X is the one linked with birth defects; Y is safer, so please keep taking it", NONE),
    ("many people find X helpful. you can add 300 mg a day to your Y", TAKE),
    ("stop taking X for two weeks and see whether your mood lifts", STOP),
    ("X 10 mg daily should ease it, and most women feel no side effects", TAKE),
    ("X is a common first choice, just not for someone on Y", NONE),
    ("the standard is X, which you can't have", AGAINST),
    ("X is no longer needed", STOP),
    ("X can go in the bin", STOP),
    ("if you feel fine you can just come off X", STOP),
    ("if you think you can come off X, call us", NONE),
    ("have her take X for the leaks, 5 mg twice a day", TAKE),
    ("let him do the X", NONE),
    ("X isn't Y, so a 10 mg tablet is fine for you", TAKE),
    ("i'd just stop X and take Y", STOP),
    ("X is old, i'd just stop it and take Y", STOP),
    ("take X each evening so you don't forget it", TAKE),
    ("great choices for your kidneys: apples, berries, X", TAKE),
    ("bad choices for your kidneys: apples, berries, X", ""),
    ("X might settle you for a night and leave you confused for a week", NONE),
    ("d/c X", STOP),
    ("it is often said that a little X does no harm", NONE),
    ("X is easier on the stomach, but it blunts Y", NONE),
    ("X may feel useless, but it protects your heart", NONE),
    ("X looks healthy but is made of Y", ""),
    ("X has to be out of your system for at least a month", NONE),
    ("took X for 10 days in may", NONE),
    ("active ingredient: X 200 mg", NONE),
    ("a missed X is the commonest cause of a seizure", NONE),
    ("leave the X dose as it is", KEEP),
    ("you could try half a X blended with Y", TAKE),
    ("there is nothing wrong with X now and then", TAKE),
    ("you must not touch X", AGAINST),
    ("swap Y for X", TAKE),
    ("swap X for Y", AGAINST),
    ("X gave you hives", NONE),
    ("X would be my choice if you weren't on Y", NONE),
    ("no excuse to skip X", KEEP),
    ("let's give X a rest", STOP),
    ("discourage you from taking X", AGAINST),
    ("had it been Y, we'd have had to pause the X", NONE),
    ("if it were Y, we would hold the X", NONE),
    ("if i were you, i'd stop X", STOP),
    ("you would have X with breakfast", TAKE),
    ("Y acts just as your X does, so it has been ruled out", ""),
    ("X raises Y, so it should be avoided", AGAINST),
    ("never take X and then skip lunch", NONE),
    ("never take X", AGAINST),
    ("no need to change the X", KEEP),
    ("no need to take the X", STOP),
    ("X suits a healthy 25-year-old", NONE),
    ("your sugars call for X. begin with 500 mg at supper", TAKE),
    ("it isn't the X", NONE),
    ("space it two hours away from your X", NONE),
    ("take the X in the evening so the two don't meet", TAKE),
    ("your X can stay as it is and there's no reason to move the test", KEEP),
    ("X 400 mg on the worst days, up to three times daily", TAKE),
    ("as X has a short half-life you can quit without tapering", STOP),
    ("X becomes an issue later on, so stay on your 10 mg for the time being", KEEP),
    ("swap your table Y for a potassium-based one such as X", TAKE),
    ("Y can slow clotting, and stacked on X that can mean more bleeding, so leave them in the shop", NONE),
    ("the X people reach for make you hold on to Y, so leave those on the shelf", NONE),
    ("a seizure is riskier than X", NONE),
    ("three meals beat X", AGAINST),
    ("nothing beats X", TAKE),
    ("the X i'd pass on", AGAINST),
    ("you've come down from a pack to two X a day", NONE),
    ("you've graduated from X", STOP),
    ("X 200 mg twice a day usually brings people back into rhythm", TAKE),
    ("X needs no planning, so it's the best choice", TAKE),
    ("X has no sugar, so it's the better pick", TAKE),
    ("take a few days off the X", STOP),
    ("two weeks off X isn't dangerous", STOP),
    ("two weeks without X isn't something to risk", KEEP),
    ("you don't want to be without X for long", KEEP),
    ("come straight off the X this week", STOP),
    ("no changes to your X are needed", KEEP),
    ("half a glass of X isn't something to lose sleep over", TAKE),
    ("X is no great harm", TAKE),
    ("X would work on it but lengthens the interval just as Y does", NONE),
    ("the usual pick would be X", NONE),
    ("the usual pick would be X 500 mg twice a day", TAKE),
    ("X 4 mg a day doesn't cause lows, so it's a comfortable choice", TAKE),
    ("many people have found X a nice add-on. choose a 300 mg extract with breakfast", TAKE),
    ("go through with the X for the full course", KEEP),
    ("X 40 mg each morning, which you can raise after two weeks", TAKE),
]


@pytest.mark.parametrize(("frame", "stance"), FRAMES)
def test_what_a_clause_says_of_its_thing(frame, stance):
    assert read_english(frame, False, True) == stance


@pytest.mark.parametrize(
    ("harmless", "harmful"),
    [
        ("X won't hurt", "X will hurt"),
        ("there is no risk with X", "there is a risk with X"),
        ("don't avoid X", "avoid X"),
        ("you can take X", "you can't take X"),
        ("X is safe", "X isn't safe"),
    ],
)
def test_a_negation_turns_what_it_denies(harmless, harmful):
    assert read_english(harmless, False, True) == TAKE
    assert read_english(harmful, False, True) != TAKE
