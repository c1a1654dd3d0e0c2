"""What an English reply or heading says of a thing that stands elsewhere: "that's fine for you", "Quick and tasty:"."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.rules.english_advice import read_english
from jatdae.dialogue.rules.english_pieces import Piece, Tag, cut_pieces, leads_with, plain, tables
from jatdae.dialogue.rules.stances import AGAINST, STOP, UNFIT


def assents(reply: str) -> bool:
    """Whether a reply allows or orders: "you can", "go ahead", "that's fine for you"; not "Two good years!"."""
    return any(_assents(piece) for piece in cut_pieces(plain(reply)))


def _assents(piece: Piece) -> bool:
    if piece.has("okay") or leads_with(piece) or (piece.has("you", "speaker") and piece.has("modal")):
        return True
    return any("good" in tag.kinds and _is_verdict(tag, piece.words) for tag in piece.tags)


def _is_verdict(tag: Tag, words: tuple[str, ...]) -> bool:
    """Whether a word of praise judges what was asked: "That is perfectly fine for you"; not "good news"."""
    light = tables().light
    if not all(_VERDICT.fullmatch(word) or light.fullmatch(word) for word in words[: tag.at]):
        return False
    return tag.end == len(words) or _AFTER_VERDICT.fullmatch(words[tag.end]) is not None


_VERDICT: Final = re.compile(
    r"(?:that|it)(?:'s)?|they(?:'re)?|this|th[eo]se|both|one|is|are|be|would|will|should|sounds|an?|the|quite|very|all|"
    r"still|[a-z]+ly"
)
"""What may stand before a verdict."""
_AFTER_VERDICT: Final = re.compile(
    r"for|to|with|in|as|at|and|or|during|now|here|too|after|before|on|once|by|from|while|since|enough|occasionally|"
    r"today|tonight|idea|choice|option|plan"
)


def turns(sentence: str) -> bool:
    """Whether a sentence turns from what holds in general to the patient, with a doubt: "On warfarin, though, …"."""
    if _TURNS.match(sentence) is None:
        return False
    pieces = cut_pieces(plain(sentence))
    doubts = ("not", "bad", "danger", "avoid", "harm", "talk", "contrast")
    doubted = any(piece.has(*doubts) and not (piece.has("not") and piece.has("stop")) for piece in pieces)
    return (doubted and not any(piece.has("limit", "okay") for piece in pieces)) or _DIFFERS.search(
        sentence
    ) is not None


def withdraws(sentence: str) -> bool:
    """Whether a sentence that names nothing takes back what was said of a thing: "So it's not for you"."""
    if _NOT_FOR_YOU.search(sentence) or _INSTEAD.search(sentence) or (_OF_IT.match(sentence) and is_doubt(sentence)):
        return True
    back = _BACK.search(sentence)
    if back is None or "?" in sentence or "Y" in sentence[: back.start()]:
        return False
    return read_english(f"{sentence[: back.start()]}X{sentence[back.end() :]}", False, True) in (AGAINST, STOP, UNFIT)


_NOT_FOR_YOU: Final = re.compile(
    r"\b(?:not|never|isn't|aren't|wouldn't be) (?:really |quite |the |a |an? (?:good|safe|sensible|suitable) )?"
    r"(?:[a-z]+ )?(?:for|with|on|in) (?:you\b|your (?:case|situation|heart|kidneys?|liver|lungs|condition|numbers|"
    r"history|(?:[a-z]+ )?(?:tablets|medicines|medications?|pills|levels?)))"
)
_INSTEAD: Final = re.compile(
    r"\bY instead\b|^\W*(?:so )?instead\b(?! of)|\bfor you,? (?:it's|it is|that's|that means) "
)
"""What offers another thing."""
_OF_IT: Final = re.compile(
    r"\W*(?:but |yet |still,? |however,? |unfortunately,? |and )*(?:it|they|that|this)(?:'s|'ll)?\b"
    r"(?! (?:isn't|is not|doesn't|does not|won't|will not|never|don't|aren't))"
)
"""How a sentence begins that goes on with the thing of the one before."""
_BACK: Final = re.compile(
    r"\b(?:it|it's|they|they're|them|that's|that is|(?:that|this) (?:one|drug|medicine|pill|combination|pair)|"
    r"one(?! of))\b"
)
"""What stands for the thing of the sentence before."""
_TURNS: Final = re.compile(
    r"\W*(?:(?:but|yet|still|however|now|that said|unfortunately|sadly|though)\b,? ?)*"
    r"(?:in your (?:case|situation|condition|state)|for (?:you|somebody|someone|people)\b|"
    r"with (?!food|meals|water|a glass)|"
    r"on (?!the other|an empty|weekends|days)|at (?:your|\d)|your |you\b|yours\b|because|since you|given|"
    r"that (?:changes|does not|doesn't|isn't|rule)|after |(?<=but )|(?<=however, ))"
)
"""How a sentence begins that speaks of the patient's own case."""
_YOURS: Final = re.compile(
    r"\W*(?:(?:but|yet|still|however|now|that said|unfortunately|sadly|though)\b,? ?)*"
    r"(?:(?:in|for|with) (?:you\b(?! can| could| may)|your (?:case|situation|condition|state|body|kidneys?|heart|liver|"
    r"lungs|history|numbers|labs))|yours?\b(?! (?:welcome|best|choice))[^.,;]{0,30}\b(?:is|are) (?:different|another)|"
    r"on (?!the other|an empty|weekends|days|top|it|them|and|a )[a-z]+ (?:it|they|that|this|you|the)\b)"
)
"""How a sentence begins that speaks of the patient's own case, further on: "In your body the same tablets …"."""


def comes_to(sentence: str) -> bool:
    """Whether a sentence further on comes to the patient's own case with a doubt."""
    return _YOURS.match(sentence) is not None and is_doubt(sentence)


_DIFFERS: Final = re.compile(
    r"\b(?:changes? (?:the picture|things|that|everything|the story)|(?:different|another|other) (?:story|matter|thing|"
    r"picture|situation|case)|is different|not the case)\b"
)
"""What says that the patient's own case is another."""


def is_doubt(sentence: str) -> bool:
    """Whether a sentence behind what a thing does tells of its harm or offers another one: "Pick oranges."."""
    if _OTHER_THING.search(sentence):
        return True
    pieces = cut_pieces(plain(sentence))
    return any(piece.has("danger", "bad", "harm") for piece in pieces) and not any(
        piece.has("if", "okay", "expert", "limit") for piece in pieces
    )


_OTHER_THING: Final = re.compile(
    r"(?:^\W*|, )(?:(?:please|so|instead|rather),? )*(?:pick|choose|opt for|ask (?:about|for|whether)|"
    r"go for|switch to) (?!it\b|them\b|one\b|an? (?:brand|product|dose|version|form|standardi[sz]ed))"
)
"""How a sentence offers another thing."""


def is_offered(heading: str, item: str) -> bool:
    """Whether a heading offers what an item below it names: "Quick and tasty:", "A few things that help"."""
    pieces = cut_pieces(plain(heading))
    against = ("not", "bad", "danger", "harm", "avoid", "stop", "contrast", "others", "expert")
    if any(piece.has(*against) for piece in (*pieces, *cut_pieces(item))):
        return False
    return any(piece.has("good", "help", "okay", "speaker") or _OFFERS.search(piece.text) for piece in pieces)


def is_refused(heading: str) -> bool:
    """Whether a heading refuses what the items below it name: "Not with 164/98", "Leave on the shelf"."""
    return _REFUSES.match(heading) is not None


_REFUSES: Final = re.compile(
    r"[^a-z\d]*(?:(?:please|so|what to|things to|foods to|drugs to|medicines to|and|but|better|best|for now|now)\b\W*)*"
    r"(?:not (?:with|for you|for now|at|in|on|while|until|now|recommended|safe|allowed|suitable|okay|ok|a good|right)"
    r"\b|(?:avoid|skip|steer clear|stay away|stay off|keep away|keep off|keep out|hands off|"
    r"leave (?:on|out|off|alone|in)|pass on|off[- ]limits|no[- ]gos?\b|off the (?:table|menu|list)|never\b|forbidden|"
    r"(?:don't|do not) (?:take|use|buy|eat|drink|have|touch|do|reach|try|combine|mix|add|start))\b|"
    r"no\W*$)(?![^.:]*\?)"
)


def is_swapped(heading: str) -> bool:
    """Whether a heading announces what is put in the place of what: "Swap this for that"."""
    return _EXCHANGES.search(heading) is not None


_EXCHANGES: Final = re.compile(
    r"\b(?:swap(?:s|ping)?|trad(?:e|es|ing)|replac(?:e|es|ing|ements?)|instead|substitut\w+|exchang\w+|"
    r"alternatives?|switch\w*|better choices?|this for that|rather than|change)\b"
)


_OFFERS: Final = re.compile(
    r"\b(?:ideas|suggestions|menus?|recipes|recommendations|favou?rites|options|tips|tricks|plan|steps|routine|"
    r"schedule|"
    r"pick-me-ups?|go-tos?|remed(?:y|ies)|relief|treatment|what to (?:do|take|eat|try|use)|to try|try|breakfasts?|"
    r"lunch(?:es)?|dinners?|snacks?)\b"
)
