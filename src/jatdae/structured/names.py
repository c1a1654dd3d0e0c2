"""Compares names of persons and companies in JSON documents: order, titles, initials, legal forms."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.kernels.texts import FIGURE, look
from jatdae.structured.notation import (
    ADDRESSED,
    DEPARTMENT_ENDINGS,
    FORMS,
    FORMS_IN_FULL,
    GIVEN_NAMES,
    OFFICE_NOUNS,
    OFFICES,
    SEALS,
    SHORT_FORMS,
    SHORT_NAMES,
    TITLES,
)
from jatdae.structured.wording import (
    has_another_word,
    is_alike_but_for_capitals,
    plain_characters,
    print_key,
    print_key_without_case,
    without_accents,
    without_umlauts,
    words_of,
)


class _Name(NamedTuple):
    """A name without forms of address, degrees and the place for a seal; whom it addresses, and the degrees."""

    text: str
    addressed: frozenset[str]
    degrees: frozenset[str]

    @property
    def titles(self) -> frozenset[str]:
        """Whom it addresses and the degrees."""
        return self.addressed | self.degrees


def are_same_names(a: str, b: str) -> bool:
    """Whether two names in JSON are of one person: `Herr Dr. Jürgen Weiß`, `WEISS, Juergen`.

    The last name may come first with a comma; one may leave out forms of address, degrees and the place for a seal.
    """
    if not (_may_be_dressed(a) or _may_be_dressed(b)):
        return False
    ours, theirs = _read_name(a), _read_name(b)
    if not ours.text or not theirs.text or _address_others(ours, theirs):
        return False
    if (ours.text, theirs.text) == (a, b) and ("," in a) == ("," in b):
        return False
    degrees, others = ours.degrees, theirs.degrees
    if not _DOCTORS.isdisjoint(degrees | others):
        degrees, others = degrees - _DOCTOR, others - _DOCTOR
    if not (degrees <= others or others <= degrees):
        return False
    titles, other_titles = ours.addressed | degrees, theirs.addressed | others
    if titles and other_titles and titles.isdisjoint(other_titles):
        return False  # Dr. Kim is not Mr. Kim
    if ("," in ours.text) == ("," in theirs.text):
        return is_alike_but_for_capitals(ours.text, theirs.text)
    return is_alike_but_for_capitals(_last_name_last(ours.text), _last_name_last(theirs.text))


_DOCTOR: Final = frozenset({"dr"})
_DOCTORS: Final = frozenset({"md", "phd", "dds", "dmd", "dvm"})
"""Degrees of those who are called doctor."""


def have_other_titles(a: str, b: str) -> bool:
    """Whether two names in JSON address a man and a woman: `Mr. Cole`, `Mrs. Cole`."""
    if not (_may_be_dressed(a) and _may_be_dressed(b)):
        return False
    return _address_others(_read_name(a), _read_name(b))


def _address_others(ours: _Name, theirs: _Name) -> bool:
    sexes = [name.addressed & {"m", "f"} for name in (ours, theirs)]
    return bool(sexes[0] and sexes[1]) and sexes[0] != sexes[1]


def _may_be_dressed(text: str) -> bool:
    return "," in text or "(" in text or ". " in text or _is_titled(text)


@lru_cache(maxsize=1 << 10)
def _read_name(text: str) -> _Name:
    text = _DEGREES_BEHIND.sub("", _SEAL.sub("", without_accents(plain_characters(text)).strip()))
    name, _, behind = text.rpartition(", ")
    if _INITIALS.fullmatch(behind) and len(name.split()) > 1:
        text = name  # S.H. behind a name of two words is a degree; behind one, initials
    kept: list[str] = []
    addressed: set[str] = set()
    degrees: set[str] = set()
    words = text.replace(".", ". ").split()
    for at, word in enumerate(words):
        title = word.lower().strip(".,-")
        kind = ADDRESSED.get(title)
        if kind is None and word == _HAJI and not kept and len(words) > at + 2:
            kind = "any"
        if kind is None:
            full = SHORT_NAMES.get(title) if word.endswith(".") else None
            kept.append(full.title() if full else word)
        elif kind == "degree":
            degrees.add(title)
        else:
            addressed.add(kind)
    return _Name(_TITLE_BEHIND.sub("", " ".join(kept).strip(" ,")), frozenset(addressed), frozenset(degrees))


def _last_name_last(name: str) -> str:
    last, comma, first = name.partition(",")
    first = first.strip()
    if not comma or "," in first or not first[:1].isupper() or not (name[:1].isupper() or _PARTICLE.match(name)):
        return name
    return f"{first} {last.strip()}"


_PARTICLE: Final = re.compile(r"(?:von|van|de|del|della|di|da|la|le|bin|binti|al|el)\s")


_DEGREES_BEHIND: Final = re.compile(
    r"(?<=[^\W\d_]{2}),\s?(?:[A-Z][A-Za-z]{0,3}\.\s?)*[A-Z][A-Za-z]{0,3}\.[A-Z]?[a-z]{1,3}\.?$"
)
"""Degrees behind a name, each with small letters or another behind its full stop: S.Pd., Ph.D."""
_INITIALS: Final = re.compile(r"(?:[A-Z]\.\s?){2,3}")
_HAJI: Final = "H."
"""Before two names or more, the title of a pilgrim."""
_SEAL: Final = re.compile(rf"\s*\((?:{'|'.join(map(re.escape, SEALS))})\)\s*$|^gez\.\s", re.IGNORECASE)


def are_other_persons(a: str, b: str) -> bool:
    """Whether two near texts in JSON are names of persons that differ in a name: Joan is not John with a slip.

    Letters that only changed places in a long name are a slip.
    """
    ours, theirs = (_capitalised(_read_name(text).text.replace(",", " ")) for text in (a, b))
    if len(ours) != len(theirs) or not MIN_NAMES <= len(ours) <= MAX_NAMES:
        return False
    if GIVEN_NAMES.isdisjoint(ours) and GIVEN_NAMES.isdisjoint(theirs):
        return False
    return has_another_word(ours, theirs)


def are_other_companies(a: str, b: str) -> bool:
    """Whether two near texts in JSON are names of companies, by their legal forms, that differ in a word."""
    if not (_may_have_form(a) and _may_have_form(b)):
        return False
    ours, theirs = (words_of(without_umlauts(plain_characters(text).lower())) for text in (a, b))
    return len(ours) == len(theirs) and has_another_word(ours, theirs)


def _capitalised(text: str) -> list[str]:
    """The names in a text, in small letters; none where a word of it does not begin with a capital."""
    words = words_of(text.replace("-", ""))
    if not all(word.isalpha() and word[0].isupper() for word in words):
        return []
    return [without_umlauts(word.lower()) for word in words]


MIN_NAMES: Final = 2
MAX_NAMES: Final = 4


def are_same_companies(a: str, b: str) -> bool:
    """Whether two names in JSON are of one company, whose legal form one writes in full."""
    if len(a) == len(b):
        return False
    ours, theirs = (_FULL_FORM.sub(_short_form, text) for text in (a, b))
    return (ours, theirs) != (a, b) and is_alike_but_for_capitals(ours, theirs)


def _short_form(found: re.Match[str]) -> str:
    return str(FORMS_IN_FULL[found[0].lower()]).upper()


_FULL_FORM: Final = re.compile(
    rf"(?<![^\W_])(?:{'|'.join(sorted(map(re.escape, FORMS_IN_FULL), key=len, reverse=True))})(?![^\W_])", re.IGNORECASE
)


def is_inverted(a: str, b: str) -> bool:
    """Whether two names in JSON are the same with the last name first in one: `Smith, John`, `John Smith`."""
    if ("," in a) == ("," in b):
        return False
    for name, other in ((a, b), (b, a)):
        last, comma, first = name.partition(",")
        if comma and "," not in first and print_key_without_case(f"{first} {last}") == print_key_without_case(other):
            return True
    return False


def lacks_title(a: str, b: str) -> bool:
    """Whether two names in JSON are the same but for a form of address: `Dr. Anna Schmidt`, `Anna Schmidt`."""
    if _is_titled(a) == _is_titled(b) and not (_TITLE_BEHIND.search(a) and _TITLE_BEHIND.search(b)):
        return False
    ours, theirs = _untitled(a), _untitled(b)
    return bool(ours) and ours == theirs and not ours.endswith(_DEPARTMENTS)


_DEPARTMENTS: Final = tuple(ending for ending in DEPARTMENT_ENDINGS if ending not in ("실", "국"))
"""How no name of a person ends."""


@lru_cache(maxsize=1 << 10)
def _is_titled(text: str) -> bool:
    if not TITLES.isdisjoint(words_of(text.lower())):
        return True
    return text.endswith(_LAST_OF_TITLES) and _TITLE_BEHIND.search(text) is not None


def _untitled(text: str) -> str:
    words = _TITLE_BEHIND.sub("", text).replace(".", ". ").split()
    return print_key(" ".join(word for word in words if word.lower().strip(".,") not in TITLES))


_LAST_OF_TITLES: Final = ("님", "씨", "하")
_TITLE_BEHIND: Final = re.compile(r"(?<=[가-힣]{2})\s?(?:님|씨|귀하)$")
"""A form of address that is written together with the name."""


def lacks_office(a: str, b: str) -> bool:
    """Whether two names in JSON are the same but for what one says the person is: `Jane Doe, Head of Sales`."""
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    if len(longer) - len(shorter) < MIN_OFFICE:
        return False
    name = _without_office(longer)
    return bool(name) and (is_alike_but_for_capitals(name, shorter) or are_same_names(name, shorter))


def _without_office(text: str) -> str:
    """The name in a text that says what the person is; "" where it does not."""
    if look(text) & FIGURE:
        return ""
    if _HANGUL.search(text):
        return _without_korean_office(text.split())
    name, comma, behind = text.partition(",")
    if not comma:
        office, _, name = text.partition(" ")
        known = _is_office(office.lower()) and not GIVEN_NAMES.isdisjoint(_capitalised(name))
        return name if known else ""
    words = words_of(behind.lower())
    if not 0 < len(words) <= MAX_OFFICE:
        return ""
    if not (_is_office(words[0]) or _is_office(words[-1]) or words[:2] == ("head", "of")):
        return ""
    names = words_of(_read_name(name).text)
    if not MIN_NAMES <= len(names) <= MAX_NAMES or not all(word[0].isupper() for word in names):
        return ""
    return "" if any(_is_office(word) or word in FORMS for word in map(str.lower, names)) else name


def _is_office(word: str) -> bool:
    return word in OFFICE_NOUNS or word.endswith(_OFFICE_ENDINGS)


def _without_korean_office(words: list[str]) -> str:
    """The name beside an office, which may have its department before it: 내과 과장 박지현, 박지현 영업부장."""
    kept = []
    offices = [word in OFFICES or word.endswith(_KOREAN_OFFICES) for word in words]
    for at, word in enumerate(words):
        before_office = at + 1 < len(words) and offices[at + 1]
        if not (offices[at] or (before_office and word.endswith(DEPARTMENT_ENDINGS))):
            kept.append(word)
    return kept[0] if len(kept) == 1 and len(words) > 1 and _KOREAN_NAME.fullmatch(kept[0]) else ""


MIN_OFFICE: Final = 3
"""Characters of the shortest office and what separates it from the name: 과장 and a space."""
MAX_OFFICE: Final = 6
"""Words of the longest office that is read behind a name."""
_OFFICE_ENDINGS: Final = tuple(noun for noun in OFFICE_NOUNS if len(noun) > 3)
_KOREAN_OFFICES: Final = tuple(office for office in OFFICES if len(office) > 1 and not office.isascii())
_HANGUL: Final = re.compile("[가-힣]")
_KOREAN_NAME: Final = re.compile("[가-힣]{2,4}")


def lacks_clinic(a: str, b: str) -> bool:
    """Whether two names in JSON are of one practice, whose department one names alone: 한빛내과의원, 한빛내과."""
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    return longer.endswith("과의원") and print_key(longer.removesuffix("의원")) == print_key(shorter)


def lacks_middle_name(a: str, b: str) -> bool:
    """Whether two names in JSON are the same but for a given name in the middle: `Anna Maria Keller`, `Anna Keller`.

    It may be written with the first: `Hans-Peter Lang`.
    """
    if "-" in a or "-" in b:
        a, b = _DOUBLE_NAME.sub(r"\1 ", a), _DOUBLE_NAME.sub(r"\1 ", b)
    if abs(a.count(" ") - b.count(" ")) != 1:
        return False
    longer, shorter = sorted((_capitalised(a), _capitalised(b)), key=len, reverse=True)
    if len(shorter) != MIN_NAMES or len(longer) != MIN_NAMES + 1 or [longer[0], longer[-1]] != shorter:
        return False
    return longer[0] in GIVEN_NAMES and longer[1] in GIVEN_NAMES


_DOUBLE_NAME: Final = re.compile(r"^([^\W\d_]{3,})-(?=[A-Z])")


def lacks_last_name(a: str, b: str) -> bool:
    """Whether two names in JSON are the same but for the last of three or four given names: `Siti Rahmawati Putri`.

    The name of a family is never left out.
    """
    if abs(a.count(" ") - b.count(" ")) != 1:
        return False
    longer, shorter = sorted((_capitalised(a), _capitalised(b)), key=len, reverse=True)
    if not MIN_NAMES <= len(shorter) < MAX_NAMES or longer[:-1] != shorter:
        return False
    return longer[0] in GIVEN_NAMES and longer[-1] in GIVEN_NAMES


def abbreviates_name(a: str, b: str) -> bool:
    """Whether two names in JSON are the same but for names cut to initials, or a middle one left out: `J. A. Smith`."""
    if not (_INITIAL.search(a) or _INITIAL.search(b)) or look(a) & FIGURE or look(b) & FIGURE:
        return False
    ours, theirs = _names(_last_name_last(a)), _names(_last_name_last(b))
    if (
        min(len(ours), len(theirs)) < 2
        or ours[-1] != theirs[-1]
        or len(ours[-1]) < 2
        or not _are_alike(ours[0], theirs[0])
    ):
        return False
    if len(ours) != len(theirs):
        more = max(ours, theirs, key=len)
        return (
            abs(len(ours) - len(theirs)) == 1
            and len(more[1]) == 1
            and len(more) == 3
            and len(ours[0]) == len(theirs[0])
        )
    return all(map(_are_alike, ours, theirs))


def _names(text: str) -> list[str]:
    return text.replace(".", " ").lower().split()


def _are_alike(name: str, other: str) -> bool:
    """Whether two names are one, or one is the initial of the other."""
    return name == other or (1 in (len(name), len(other)) and name[0] == other[0])


_INITIAL: Final = re.compile(r"(?<![^\W_])[A-Z](?![^\W_])")


def lacks_form(a: str, b: str) -> bool:
    """Whether two names in JSON are of one company, whose legal form one leaves out or puts elsewhere."""
    if not (_may_have_form(a) or _may_have_form(b)):
        return False
    (ours, rest), (theirs, other) = _split_forms(a), _split_forms(b)
    if not (ours or theirs) or (ours and theirs and not (ours <= theirs or theirs <= ours)):
        return False
    return bool(rest) and rest == other


def _may_have_form(text: str) -> bool:
    if not FORMS.isdisjoint(words_of(text.lower())):
        return True
    if not text.isascii():
        for form in _FORMS_INSIDE:
            if form in text:
                return True
    return False


@lru_cache(maxsize=1 << 12)
def _split_forms(text: str) -> tuple[frozenset[str], str]:
    """The legal forms in a name, cut short, and the rest of it."""
    forms: set[str] = set()

    def take(found: re.Match[str]) -> str:
        word = found[0].lower().strip(".,")
        forms.add(SHORT_FORMS.get(word, word))
        return " "

    rest = _FORM.sub(take, plain_characters(text))
    return frozenset(forms), print_key(rest)


_FORMS_INSIDE: Final = (*(form for form in FORMS if not form.isascii()), "㈜", "（주）")
"""Forms that are written without a space beside them."""
_FORM: Final = re.compile(
    "|".join(
        re.escape(form) if not form.isascii() else rf"(?<![^\W_]){re.escape(form)}(?![^\W_])\.?"
        for form in sorted(FORMS, key=len, reverse=True)
    ),
    re.IGNORECASE,
)
