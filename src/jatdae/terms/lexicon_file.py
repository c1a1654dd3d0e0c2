"""Lexicon files of clinical terms: where they are found, how they are read, and their two formats.

A lexicon file is YAML (`LexiconFile`), or JSON in the form of token_config.json (`TokenConfig`): words by prefix,
patterns, synonyms and weights, without a grammar. The second is converted to the first with the regions, negations,
degree words and other grammar of the bundled tongue lexicon.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jatdae.core.errors import UsageError
from jatdae.core.messages import near
from jatdae.core.yamlfile import KeyPath, YamlFile, parse_yaml, read_whole
from jatdae.terms.scanner import SMALL_LETTERS

COMMON_METRICS: Final = ("score", "precision", "recall", "f1", "exact_f1", "polarity_f1", "location_f1", "coverage")
"""Metrics that every lexicon has. Its categories and axes are metrics too and need other names."""

Form = TypeVar("Form", bound=BaseModel)
Spell = Callable[[str], str]

_BUNDLED: Final = resources.files("jatdae.terms") / "lexicons"
_TONGUE_GRAMMAR: Final = ("start", "regions", "words", "characters", "typos")
_TOKEN_KEYS: Final = {"axes": "category_map", "atoms": "token_dicts", "patterns": "pattern_table"}


@dataclass(frozen=True)
class LexiconSource:
    """Content of a lexicon file, with the file itself for the places of errors."""

    content: LexiconFile
    file: YamlFile
    label: str
    """Name with version or content hash, for the signature."""
    path_of: Callable[[KeyPath], KeyPath] = lambda path: path
    """Path in the file, of a key of the YAML form."""

    def refuse(self, path: KeyPath, problem: str) -> NoReturn:
        """Raise a UsageError that names the place of `path`."""
        raise UsageError(f"{self.file.place(self.path_of(path))}: {problem}")


def bundled_lexicons() -> list[str]:
    """Names of the lexicons that come with jatdae."""
    return sorted(entry.name.removesuffix(".yaml") for entry in _BUNDLED.iterdir() if entry.name.endswith(".yaml"))


def read_source(name: str | Path) -> LexiconSource:
    """Read a lexicon file in either format, or a bundled lexicon by its name."""
    if str(name) in bundled_lexicons():
        file = _bundled_file(str(name))
        content = _validated(LexiconFile, file.value, file)
        return LexiconSource(content, file, f"{content.name}@{content.version}")
    data = _read_bytes(Path(name))
    label = f"{Path(name).name}@{hashlib.sha256(data).hexdigest()[:8]}"
    text = data.replace(b"\t", b" ") if data.lstrip()[:1] == b"{" else data  # JSON indents with tabs, YAML never
    file = parse_yaml(text, str(name))
    if not isinstance(file.value, dict):
        raise UsageError(f"{file.place(())}: a lexicon is a mapping of names to values; see the guide on lexicons")
    if _is_token_config(file.value):
        config = _validated(TokenConfig, file.value, file)
        made = _lexicon_of_tokens(config, Path(name).stem, _bundled_file("tongue").value)
        return LexiconSource(LexiconFile.model_validate(made), file, label, _token_path_of(config))
    value, base = file.value, file.value.get("extends")
    if base:
        if base not in bundled_lexicons():
            raise UsageError(f"{file.place(('extends',))}: {_unknown(str(base))}")
        value = _merge(_bundled_file(base).value, {key: item for key, item in value.items() if key != "extends"})
        label = f"{label}+{base}@{_bundled_file(base).value['version']}"
    return LexiconSource(_validated(LexiconFile, value, file), file, label)


@cache
def _bundled_file(name: str) -> YamlFile:
    return parse_yaml((_BUNDLED / f"{name}.yaml").read_bytes(), f"{name}.yaml")


def _read_bytes(path: Path) -> bytes:
    try:
        return read_whole(path)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and path.suffix not in (".yaml", ".yml", ".json"):
            raise UsageError(_unknown(str(path))) from None
        raise UsageError(
            f"{path}: cannot be read ({error.strerror or error}); give the path of a lexicon file"
        ) from None


def _unknown(name: str) -> str:
    known = bundled_lexicons()
    return f"no lexicon is called {name!r}.{near(name, known)} Known: {', '.join(known)}, or give the path of a file"


def _merge(base: Any, more: Any) -> Any:
    """`more` on top of `base`: mappings are merged, lists are appended to, anything else is replaced."""
    if isinstance(base, dict) and isinstance(more, dict):
        return {**base, **{key: _merge(base[key], item) if key in base else item for key, item in more.items()}}
    if isinstance(base, list) and isinstance(more, list):
        return [*base, *more]
    return more


def _validated(form: type[Form], value: Any, file: YamlFile) -> Form:
    try:
        return form.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        path: KeyPath = first["loc"]
        key, problem = str(path[-1]) if path else "", first["msg"]
        while path not in file.lines:  # pydantic appends the type it tried, and a missing key has no line
            path = path[:-1]
        if first["type"] == "extra_forbidden":
            problem = f"no key {key!r} is known here.{near(key, KEYS)}"
        elif first["type"] == "missing":
            problem = f"the key {key!r} is missing"
        raise UsageError(f"{file.place(path)}: {problem}") from None


Text = Annotated[str, Field(min_length=1, pattern=r"^[^\x00]+$")]
"""A string to find in texts; without NUL, which the scanner puts in the place of patterns."""
Number = Annotated[float, Field(strict=True)]
Texts = list[Text]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class RegionEntry(_Part):
    """A region of descriptions: a stretch of text about one thing, opened by a head word such as 苔."""

    heads: Texts = Field(description="Words that open the region.")
    inner: Texts = Field(default=[], description="Heads that count only inside the subject: 质, 体.")
    open: bool = Field(default=False, description="An atom that belongs to only one open region switches to it.")
    outside: bool = Field(
        default=False, description="Another subject: text is skipped until a head of a region that is not outside."
    )
    absent: str = Field(default="", description="The atom stated by a head with a bare negation (苔：无).")


class AxisEntry(_Part):
    """An axis of a lexicon: a dimension of description; its name is the prefix of its atoms."""

    category: Text = Field(description="The category it is scored in; every category has a weight.")
    region: str = Field(default="", description="The region its atoms belong to.")
    place: bool = Field(default=False, description="Its atoms are locations of other atoms.")


class AtomEntry(BaseModel):
    """An atom of a lexicon: a value of an axis. Keys other than the gloss are language tags with spellings."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Texts] = Field(init=False)

    gloss: str = Field(default="", description="What it means, in English.")

    @property
    def surfaces(self) -> dict[str, Texts]:
        """Spellings by language."""
        return self.__pydantic_extra__


class Negation(_Part):
    """Words of a lexicon that negate atoms."""

    list: Texts = Field(default=[], description="What follows, adjacent or joined: 无裂纹、齿痕.")
    next: Texts = Field(default=[], description="The next atom and what is joined to it: 不红.")
    back: Texts = Field(default=[], description="What stands before: 치흔 없음.")


class Words(_Part):
    """Words of a lexicon that are not atoms but change how atoms are read."""

    degree: Texts = Field(default=[], description="An attribute of the next atom.")
    emphasis: Texts = Field(default=[], description="Applies a location to what was said before: 以边尖为著.")
    negation: Negation = Negation()
    join: Texts = Field(default=[], description="Joins a list.")
    or_: Texts = Field(default=[], alias="or", description="Offers an alternative.")
    break_: Texts = Field(default=[], alias="break", description="Ends a negation: 有.")
    stop: Texts = Field(default=[], description="Ends a clause.")
    glue: Texts = Field(default=[], description="Understood, without effect.")
    endings: Texts = Field(default=[], description="Hangul endings: glue if they follow a word.")
    ignore: Texts = Field(default=[], description="Ordinary words that look like atoms.")


class Typo(_Part):
    """A misspelling in descriptions and what it is read as."""

    wrong: Text
    right: Text
    after: Texts = Field(default=[], description="Only after one of these.")
    not_after: Texts = Field(default=[], description="Not after any of these.")
    before: Texts = Field(default=[], description="Only before one of these.")


class LexiconFile(_Part):
    """A lexicon: the vocabulary of a kind of description, and the weights of its categories."""

    name: Text
    version: int = Field(default=1, ge=1, description="Raised when a change moves a score; part of the signature.")
    extends: str = Field(default="", description="A bundled lexicon to extend; lists are appended to, values replaced.")
    start: str = Field(default="", description="The region at the start of a text.")
    normal: str = Field(default="", description="A normal description: the prediction of the constant baseline.")
    weights: dict[Text, Number]
    regions: dict[Text, RegionEntry] = {}
    axes: dict[Text, AxisEntry]
    atoms: dict[Text, dict[Text, AtomEntry]]
    patterns: dict[Text, Texts] = Field(default={}, description="Strings that state several atoms at once.")
    implies: dict[Text, Texts] = Field(default={}, description="Atoms implied by an atom.")
    synonyms: dict[Text, Number | dict[Text, Number]] = Field(
        default={},
        description="`a|b: 0.9`, symmetric, in every axis that has both; or the same under the name of an axis.",
    )
    weak: Texts = Field(default=[], description="Hangul surfaces that count only in a compound or after a head.")
    bound: Texts = Field(default=[], description="Surfaces that count only inside the region of their axis.")
    words: Words = Words()
    characters: list[Annotated[str, Field(min_length=2, max_length=2)]] = Field(
        default=[], description="A character followed by the one it is read as."
    )
    typos: list[Typo] = []


KEYS: Final = frozenset(
    field.alias or name
    for part in (LexiconFile, RegionEntry, AxisEntry, Words, Negation, Typo)
    for name, field in part.model_fields.items()
)
"""Every key of the YAML form, for hints."""


def lexicon_schema() -> dict[str, Any]:
    """JSON Schema of a lexicon file; a file that extends another needs no other keys."""
    schema = LexiconFile.model_json_schema(by_alias=True)
    whole = {"required": schema.pop("required")}
    extending = {"required": ["extends"]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "anyOf": [whole, extending]}


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


class TokenConfig(BaseModel):
    """Content of a lexicon in the token_config.json format, with its five keys."""

    model_config = ConfigDict(extra="forbid")

    category_map: dict[Text, Text]
    token_dicts: dict[Text, Texts]
    pattern_table: dict[Text, Texts] = {}
    synonyms: dict[Text, Number | dict[Text, Number]] = {}
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
