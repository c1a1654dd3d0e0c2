"""Lexicon files of clinical terms: where they are found, how they are read, and their two formats.

A lexicon file is YAML (`LexiconFile`), or JSON in the form of token_config.json (`TokenConfig`): words by prefix,
patterns, synonyms and weights, without a grammar. The second is converted to the first with the regions, negations,
degree words and other grammar of the bundled tongue lexicon.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import ConfigDict, Field

from jatdae.core.configfile import (
    ConfigFile,
    Part,
    parse_config,
    parse_source,
    read_bytes,
    refusal,
    schema_of,
    validated,
)
from jatdae.core.errors import UsageError
from jatdae.core.jsonfile import JsonFile, parse_json
from jatdae.core.messages import near, speaker
from jatdae.core.yamlfile import KeyPath, YamlFile
from jatdae.terms.scanner import SMALL_LETTERS

COMMON_METRICS: Final = (
    *("score", "score_spoken", "precision", "recall", "f1", "exact_f1", "polarity_f1", "location_f1", "coverage"),
)
"""Metrics that every lexicon has. Its categories and axes are metrics too and need other names."""

Spell = Callable[[str], str]
Problem = tuple[KeyPath, str]
"""A key of a lexicon, and what is wrong with it."""
say = speaker(__name__)

DENIED: Final = "¬"
"""Before an atom in a pattern: the pattern denies it."""
_BUNDLED: Final = resources.files("jatdae.terms") / "lexicons"
_TONGUE_GRAMMAR: Final = ("start", "regions", "words", "characters", "typos")
_TOKEN_KEYS: Final = {"axes": "category_map", "atoms": "token_dicts", "patterns": "pattern_table"}


@dataclass(frozen=True)
class LexiconSource:
    """Content of a lexicon file, with the file itself for the places of errors."""

    file: ConfigFile[LexiconFile]
    label: str
    """Name with version or content hash, for the signature."""
    twice: frozenset[Problem] = frozenset()
    """Keys that stand twice: nothing need be dropped, the last one counts."""
    adopted: bool = False
    """It is in the token_config.json format, made for another scorer."""

    @property
    def content(self) -> LexiconFile:
        """What the file says, together with the lexicon it extends."""
        return self.file.content

    def complain(self, path: KeyPath, problem: str, other: KeyPath | None = None) -> None:
        """Note a problem of a key, which may be in contradiction to an `other` one.

        If the first is not in the file but in the lexicon that it extends, the other one is told: it can be changed.
        """
        source = self.file.source
        own = other is None or not isinstance(source, MovedFile) or source.has(path)
        self.file.complain(path if own or other is None else other, problem)

    def one_of(self, path: KeyPath, name: str, known: Iterable[str], key: str) -> bool:
        """Whether a name is one of the known ones; if not, complain with the message `key`."""
        names = list(known)
        if name not in names:
            self.complain(path, say(key, name=name, near=near(name, names), known=", ".join(names)))
        return name in names


@dataclass(frozen=True)
class MovedFile(YamlFile):
    """Content that was made of a file by moving or adding keys. Its places are those of the file."""

    own: YamlFile
    path_of: Callable[[KeyPath], KeyPath | None]
    """Path in the file itself; None if it has nothing to do with a key."""
    base: YamlFile | None = None
    """The file that it extends."""

    def has(self, path: KeyPath) -> bool:
        """Whether the file itself has to do with a key."""
        return self.path_of(path) is not None

    def place(self, path: KeyPath) -> str:
        """`file:line (key.path)` of a key."""
        own = self.path_of(path)
        if own is None and self.base:
            return f"{self.own.place(('extends',))} → {self.base.place(path)}"
        return self.own.place(path if own is None else own)

    def line(self, path: KeyPath) -> int:
        """The line of a key in the file itself."""
        own = self.path_of(path)
        return self.own.line(("extends",) if own is None else own)


def bundled_lexicons() -> list[str]:
    """Names of the lexicons that come with jatdae."""
    return sorted(entry.name.removesuffix(".yaml") for entry in _BUNDLED.iterdir() if entry.name.endswith(".yaml"))


def read_source(name: str | Path) -> LexiconSource:
    """Read a lexicon file in either format, or a bundled lexicon by its name."""
    known = bundled_lexicons()
    if str(name) in known:
        bundled = _bundled_file(str(name))
        return LexiconSource(bundled, f"{bundled.content.name}@{bundled.content.version}")
    path = Path(name)
    if not path.exists() and path.suffix not in (".yaml", ".yml", ".json"):
        raise UsageError(_unknown(str(path)))
    file = _read_whole(path)
    label = f"{path.name}@{file.sha256[:8]}"
    source, value, base = file.source, file.content, file.content.get("extends")
    twice = _twice(source)
    adopted = _is_token_config(value)
    if adopted:
        config = _validated_tokens(value, source)
        value = _lexicon_of_tokens(config, path.stem, _bundled_file("tongue").source.value)
        source = MovedFile(source.name, value, {}, source, _token_path_of(config))
    elif base:
        if base not in known:
            raise refusal(source, [(("extends",), _unknown(str(base)))])
        extended = _bundled_file(base)
        value = _merge(extended.source.value, {key: item for key, item in value.items() if key != "extends"})
        label = f"{label}+{base}@{extended.content.version}"
        path_of = _extending_path_of(file.content, extended.source.value)
        source = MovedFile(source.name, value, {}, source, path_of, extended.source)
    checked = ConfigFile(validated(LexiconFile, value, source), source, file.sha256, twice)
    return LexiconSource(checked, label, frozenset(twice), adopted)


def _read_whole(path: Path) -> ConfigFile[dict[str, Any]]:
    """A lexicon file as it stands. Keys that stand twice in JSON are told of later, with all other problems."""
    data = read_bytes(path)
    if path.suffix.lower() == ".json":
        source: YamlFile = parse_json(data, str(path), allow_twice=True)
    else:
        source = parse_source(data, str(path))
    content = validated(dict[str, Any], {} if source.value is None else source.value, source)
    return ConfigFile(content, source, hashlib.sha256(data).hexdigest())


def _validated_tokens(value: Any, source: YamlFile) -> TokenConfig:
    """Content in the token_config.json format; if it does not fit, the error tells of keys that stand twice as well."""
    try:
        return validated(TokenConfig, value, source)
    except UsageError as error:
        found = source.twice() if isinstance(source, JsonFile) else ()
        twice = [f"{source.place(path)}: {say('lexicon_twice', key=key, line=line)}" for path, key, line in found]
        raise UsageError("\n".join([*twice, str(error)])) from None


def _twice(source: YamlFile) -> list[Problem]:
    """Keys of a JSON file that stand twice in a mapping."""
    if not isinstance(source, JsonFile):
        return []
    names = {theirs: ours for ours, theirs in _TOKEN_KEYS.items()}
    return [
        ((names.get(str(path[0]), path[0]), *path[1:]), say("lexicon_twice", key=key, line=line))
        for path, key, line in source.twice()
    ]


@cache
def _bundled_file(name: str) -> ConfigFile[LexiconFile]:
    return parse_config((_BUNDLED / f"{name}.yaml").read_bytes(), f"{name}.yaml", LexiconFile)


def _unknown(name: str) -> str:
    known = bundled_lexicons()
    return say("unknown_lexicon", name=name, near=near(name, known), known=", ".join(known))


def _merge(base: Any, more: Any) -> Any:
    """`more` on top of `base`: mappings are merged, lists are appended to, anything else is replaced."""
    if isinstance(base, dict) and isinstance(more, dict):
        return {**base, **{key: _merge(base[key], item) if key in base else item for key, item in more.items()}}
    if isinstance(base, list) and isinstance(more, list):
        return [*base, *more]
    return more


def _extending_path_of(own: Any, base: Any) -> Callable[[KeyPath], KeyPath | None]:
    """Make the function that finds, for a key of a merged lexicon, its path in the file that extends another.

    None is a key that only the other one has.
    """

    def path_of(path: KeyPath) -> KeyPath | None:
        mine, theirs, made = own, base, list(path)
        for at, part in enumerate(path):
            if isinstance(part, int) and isinstance(mine, list) and isinstance(theirs, list):
                if part < len(theirs):
                    return None
                made[at], theirs = part - len(theirs), None  # its list was appended to the other
            elif _holds(theirs, part) and not _holds(mine, part):
                return None
            mine = mine[made[at]] if _holds(mine, made[at]) else None
            theirs = theirs[part] if _holds(theirs, part) else None
        return tuple(made)

    return path_of


def _holds(value: Any, part: str | int) -> bool:
    if isinstance(value, dict):
        return part in value
    return isinstance(value, list) and isinstance(part, int) and part < len(value)


Text = Annotated[str, Field(min_length=1, pattern=r"^[^\x00]+$")]
"""A string to find in texts; without NUL, which the scanner puts in the place of patterns."""
Number = Annotated[float, Field(strict=True)]
Texts = list[Text]


class RegionEntry(Part):
    """A region of descriptions: a stretch of text about one thing, opened by a head word such as 苔."""

    heads: Texts
    """Words that open the region."""
    inner: Texts = Field(default=[])
    """Heads that count only inside the subject: 质, 体."""
    open: bool = False
    """An atom that belongs to only one open region switches to it."""
    outside: bool = False
    """Another subject: text is skipped until a head of a region that is not outside."""
    absent: str = ""
    """The atom stated by a head with a bare negation (苔：无)."""


class AxisEntry(Part):
    """An axis of a lexicon: a dimension of description; its name is the prefix of its atoms."""

    category: Text
    """The category it is scored in; every category has a weight."""
    region: str = ""
    """The region its atoms belong to."""
    place: bool = False
    """Its atoms are locations of other atoms."""


class AtomEntry(Part):
    """An atom of a lexicon: a value of an axis. Keys other than the gloss are language tags with spellings."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Texts] = Field(init=False)

    gloss: str = ""
    """What it means, in English."""

    @property
    def surfaces(self) -> dict[str, Texts]:
        """Spellings by language."""
        return self.__pydantic_extra__


class Negation(Part):
    """Words of a lexicon that negate atoms."""

    list: Texts = Field(default=[])
    """What follows, adjacent or joined: 无裂纹、齿痕."""
    next: Texts = Field(default=[])
    """The next atom and what is joined to it: 不红."""
    back: Texts = Field(default=[])
    """What stands before: 치흔 없음."""
    answer: Texts = Field(default=[])
    """What stands before, but only as the answer of a form: 裂纹：否."""


class Words(Part):
    """Words of a lexicon that are not atoms but change how atoms are read."""

    degree: Texts = Field(default=[])
    """An attribute of the next atom."""
    emphasis: Texts = Field(default=[])
    """Applies a location to what was said before: 以边尖为著."""
    negation: Negation = Negation()
    join: Texts = Field(default=[])
    """Joins a list."""
    either: Texts = Field(default=[])
    """Hangul endings that join a list of one axis (치흔이나 열문은 없음); between two axes they mean "but"."""
    or_: Texts = Field(default=[], alias="or")
    """Offers an alternative."""
    break_: Texts = Field(default=[], alias="break")
    """Ends a negation: 有."""
    stop: Texts = Field(default=[])
    """Ends a clause."""
    colon: Texts = Field(default=[])
    """Divides a heading from its value, or an item of a form from its answer."""
    at: Texts = Field(default=[])
    """Prepositions: the location after them applies to what stands before (cracks in the centre)."""
    aside: Texts = Field(default=[])
    """Begins an interpretation or advice: until the clause ends or a head follows, nothing is stated."""
    suppose: Texts = Field(default=[])
    """Begins a condition, or what was so before: until the clause ends, nothing is stated."""
    then: Texts = Field(default=[])
    """Begins what follows from a condition in the clause before: 若见黄苔，则…."""
    once: Texts = Field(default=[])
    """Begins what was so before, unless the clause says that it is gone: 原本紫暗的舌色."""
    earlier: Texts = Field(default=[])
    """Times before (治疗前, 上周): what follows was so, until the clause ends; a label (治疗前：) reaches to `now`."""
    unknown: Texts = Field(default=[])
    """Not assessed, not shown, hard to tell: nothing is stated of what stands before it in the clause or after it."""
    whether: Texts = Field(default=[])
    """An open question (是否, 여부): as `unknown`, except before the colon of a form."""
    now: Texts = Field(default=[])
    """Ends a condition, or what was so before: 이전에는 홍하였으나 현재는 담홍."""
    against: Texts = Field(default=[])
    """What follows was so before or elsewhere, and is only compared with: 相较于上次的厚苔."""
    differs: Texts = Field(default=[])
    """Words at the end of a comparison: nothing is stated of what stands between 与 and 不同."""
    perhaps: Texts = Field(default=[])
    """A hedge before what is stated (the body may be dusky); elsewhere an interpretation."""
    usually: Texts = Field(default=[])
    """Makes a sentence that it begins and that interprets a general statement: 一般来说，黄苔主热."""
    norm: Texts = Field(default=[])
    """Names what is normal: nothing is stated until the sentence ends or a contrast follows: 健康人舌淡红，而…."""
    general: Texts = Field(default=[])
    """Makes its clause a general statement: 舌红者多为热."""
    rest: Texts = Field(default=[])
    """The other parts: what follows is not at the location before it."""
    from_: Texts = Field(default=[], alias="from")
    """Marks what was so before a change: 由白转黄, 백색에서 황색으로 변함."""
    to: Texts = Field(default=[])
    """Tells of the change: what was so before it is not stated."""
    than: Texts = Field(default=[])
    """Marks a location as what another is compared with: nothing is stated of it."""
    glue: Texts = Field(default=[])
    """Understood, without effect."""
    aspect: Texts = Field(default=[])
    """Hangul words for what is described, such as 색은: weak words count after them, as after a head."""
    endings: Texts = Field(default=[])
    """Hangul endings: glue if they follow a word."""
    ignore: Texts = Field(default=[])
    """Ordinary words that look like atoms."""


class Typo(Part):
    """A misspelling in descriptions and what it is read as."""

    wrong: Text
    right: Text
    after: Texts = Field(default=[])
    """Only after one of these."""
    not_after: Texts = Field(default=[])
    """Not after any of these."""
    before: Texts = Field(default=[])
    """Only before one of these."""
    not_before: Texts = Field(default=[])
    """Not before any of these."""


def _whole_or_extending(schema: dict[str, Any]) -> None:
    """A file that extends another needs no other keys."""
    schema["anyOf"] = [{"required": schema.pop("required")}, {"required": ["extends"]}]


class LexiconFile(Part):
    """A lexicon: the vocabulary of a kind of description, and the weights of its categories."""

    model_config = ConfigDict(json_schema_extra=_whole_or_extending)

    name: Text
    version: int = Field(default=1, ge=1)
    """Raised when a change moves a score; part of the signature."""
    extends: str = ""
    """A bundled lexicon to extend; lists are appended to, values replaced."""
    start: str = ""
    """The region at the start of a text."""
    normal: str = ""
    """A normal description: the prediction of the constant baseline."""
    weights: dict[Text, Number]
    regions: dict[Text, RegionEntry] = Field(default={})
    axes: dict[Text, AxisEntry]
    atoms: dict[Text, dict[Text, AtomEntry]]
    patterns: dict[Text, Texts] = Field(default={})
    """Strings that state several atoms at once; ¬ before an atom denies it."""
    implies: dict[Text, Texts] = Field(default={})
    """Atoms implied by an atom."""
    synonyms: dict[Text, Number | dict[Text, Number]] = Field(default={})
    """`a|b: 0.9`, symmetric, in every axis that has both; or the same under the name of an axis."""
    weak: Texts = Field(default=[])
    """Surfaces that are ordinary words too and count only in a compound or after a head."""
    bound: Texts = Field(default=[])
    """Surfaces that count only inside the region of their axis."""
    manner: Texts = Field(default=[])
    """Surfaces that only describe a similar atom if one stands before them: 剥落，呈地图状."""
    words: Words = Words()
    characters: list[Annotated[str, Field(min_length=2, max_length=2)]] = Field(default=[])
    """A character followed by the one it is read as."""
    typos: list[Typo] = Field(default=[])


def lexicon_schema() -> dict[str, Any]:
    """JSON Schema of a lexicon file; a file that extends another needs no other keys."""
    return schema_of(LexiconFile)


def listed_words(content: LexiconFile) -> Iterator[tuple[KeyPath, list[str]]]:
    """Lists of the words in a lexicon that change how atoms are read, with their paths."""
    words = content.words
    for key, field in type(words).model_fields.items():
        group = getattr(words, key)
        if isinstance(group, list):
            yield ("words", field.alias or key), group
    for key in type(words.negation).model_fields:
        yield ("words", "negation", key), getattr(words.negation, key)


def character_map(content: LexiconFile) -> dict[int, str]:
    """Characters that a lexicon reads as others, Latin capitals included, for `str.translate`."""
    return SMALL_LETTERS | {ord(pair[0]): pair[1] for pair in content.characters}


def speller(content: LexiconFile) -> Spell:
    """Make the function that normalises the spelling of lexicon strings and of texts before scanning."""
    characters = character_map(content)
    return lambda text: unicodedata.normalize("NFC", text).translate(characters)


class TokenConfig(Part):
    """Content of a lexicon in the token_config.json format, with its five keys."""

    category_map: dict[Text, Text]
    token_dicts: dict[Text, Texts]
    pattern_table: dict[Text, Texts] = Field(default={})
    synonyms: dict[Text, Number | dict[Text, Number]] = Field(default={})
    weights: dict[Text, Number]


def _is_token_config(value: Mapping[str, Any]) -> bool:
    """Whether the content of a lexicon file is in the token_config.json format."""
    return "token_dicts" in value or "category_map" in value


def _lexicon_of_tokens(config: TokenConfig, name: str, tongue: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a lexicon from the token_config.json format to the YAML format, with the tongue grammar."""
    made: dict[str, Any] = {key: tongue[key] for key in _TONGUE_GRAMMAR}
    known = {f"{prefix}_{value}" for prefix, values in config.token_dicts.items() for value in values}
    made["regions"] = {
        region: {key: item for key, item in about.items() if key != "absent" or item in known}
        for region, about in tongue["regions"].items()
    }
    own = {value for values in config.token_dicts.values() for value in values} | config.pattern_table.keys()
    negating = {word for kind in tongue["words"]["negation"].values() for word in kind}
    made["words"] = {
        role: words if isinstance(words, dict) else [word for word in words if word not in own]
        for role, words in tongue["words"].items()
    }
    made |= {
        "name": name,
        "normal": tongue["normal"],
        "weights": config.weights,
        "axes": {
            prefix: {**tongue["axes"].get(prefix, {}), "category": category}
            for prefix, category in config.category_map.items()
        },
        # A bare 无 stays a negation; patterns state its atom (无苔).
        "atoms": {
            prefix: {value: {"zh": [] if value in negating else [value]} for value in dict.fromkeys(values)}
            for prefix, values in config.token_dicts.items()
        },
        "patterns": config.pattern_table,
        "synonyms": config.synonyms,
    }
    return made


def _token_path_of(config: TokenConfig) -> Callable[[KeyPath], KeyPath]:
    """Make the function that finds, for a key of a converted lexicon, its path in token_config.json."""

    def path_of(path: KeyPath) -> KeyPath:
        home = (_TOKEN_KEYS.get(str(path[0]), path[0]), *path[1:2]) if path else ()
        if path[:1] == ("atoms",) and len(path) > 2:
            values = config.token_dicts.get(str(path[1]), [])
            return (*home, values.index(str(path[2]))) if path[2] in values else home
        return home if path[:1] == ("axes",) else (*home, *path[2:])

    return path_of
