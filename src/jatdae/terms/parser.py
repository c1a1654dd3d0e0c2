"""From text to terms."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from jatdae.terms.lexicon import Lexicon
from jatdae.terms.model import Parsed
from jatdae.terms.reader import Reader

_PUNCTUATION: Final = re.compile(r"[^\w+±＋－-]|_")
"""All but letters, digits, and the signs that say something: 齿痕(-)."""


def parse_text(text: str, lexicon: Lexicon) -> Parsed:
    """The terms of a description, and what of it was not understood."""
    text = unicodedata.normalize("NFC", text).encode("utf-8", "replace").decode("utf-8")
    vocabulary = lexicon.vocabulary
    reader = Reader(text, vocabulary.scan(vocabulary.spell(text)), lexicon)
    reader.read()
    letters = reader.understood
    for gap in reader.unread:
        letters += len(gap.text)
    bare = text if text.isalnum() else _PUNCTUATION.sub("", text)
    return Parsed(reader.drafts, reader.unread, reader.understood, letters, bare)
