"""How forms are laid out on a page: tables, answers on lines of their own, boxes for yes and no, signs in brackets.

Each is rewritten, at the same positions, as the item with a colon and an answer that `forms.py` reads:

| 裂纹 | 无 |   裂纹⇥无   裂纹⏎无      裂纹:无
裂纹：有□ 无☑   裂纹：[ ]有 [x]无      裂纹：无
裂纹：有( ) 无( )                     裂纹：不详
裂纹(+，舌中)                         裂纹(舌中)
裂纹(—)  裂纹[–]                     裂纹(-)
裂纹 ✗   裂纹 0分   裂纹 0；             裂纹 无
裂纹_无_  裂纹__无__                 裂纹: 无
舌质——红                              舌质: 红
1. Red 2. Dry                        1. Red ;  Dry
首诊(5.3)                            首诊(5_3)
3주 후  两周后  two weeks later        지금  现在  now
3주 전  两周前  two weeks ago          전회  之前  yesterday
tooth_marks: yes                     tooth marks: yes
Cracked? No.                         Cracked: No.
"裂纹": false                        "裂纹": no
舌质：A.淡红 B.红  所选：B            舌质：□淡红 ☑红
舌质(1.淡红 2.红)：2                  舌质 □淡红 ☑红
齿痕：1.无√ 2.轻  胖瘦：胖√ 瘦         齿痕：无  胖瘦：胖√
舌体：胖大/瘦薄（瘦薄）                舌体：瘦薄
"""

from __future__ import annotations

import re
from typing import Final

_SQUARES: Final = "□☐▢◻⬜"
_CIRCLES: Final = "○◯"
_TICKS: Final = "☑☒■●√✓✔✅◉◼⬛"
EMPTY: Final = rf"(?:[{_SQUARES}{_CIRCLES}]|[(（\[]\s{{0,4}}[)）\]])"
"""A box that is not ticked."""
TICKED: Final = rf"(?:[{_TICKS}]|[(（\[]\s?[xXvV√✓✔■●]\s?[)）\]])"
_ANSWER: Final = r"(?:有|无|無|是|否|유|무|있음|없음|예|아니오|yes|no|present|absent)"
_NO: Final = r"(?:无|無|未见|未見|没有|沒有|否|없음|무|none|no|absent)"

_EITHER: Final = (
    r"(?:(?:有|是|유|있음|예|yes|present|[+＋])\s?/\s?(?:无|無|否|무|없음|아니오|no|absent|[-－−])"
    r"|(?:无|無|否|무|없음|아니오|no|absent|[-－−])\s?/\s?(?:有|是|유|있음|예|yes|present|[+＋]))"
)
"""Yes and no to choose from."""

_OPTION: Final = r"[A-H1-9①-⑨]"
"""A letter or number that names an option."""
_LAID_OUT: Final = re.compile(
    rf"(?<![\d.])0(?![\d.])|\w - \w|[1-9][.)] |/\w{{1,4}}\s?[(（]"
    rf"|(?:[有是유无無否무음예오+＋-]|yes|no|sent)\s?/|[:：]\s?(?:{_OPTION}|0)\b"
    rf"|[?_＿\n\t|｜–—−－×✗✘{_SQUARES}{_CIRCLES}{_TICKS}]"
    r"|[(（\[]\s{0,4}[xXvV)）\]有是유+＋-]|\b(?:false|true)\b",
    re.IGNORECASE,
)
"""Finds a reason to look closer: most descriptions have none."""
PLAIN: Final = re.compile(r"[一-鿿，。、；：,; ]*")
"""Chinese characters and stops alone have no layout; for most descriptions this is found faster than by the search."""
BOXED: Final = re.compile(rf"[{_SQUARES}{_CIRCLES}]|\[\s\]|{TICKED}")
"""A box that is no mere pair of brackets."""
_TYPED_BOX: Final = re.compile(
    r"(?<![^\s:：;；,，、])(?:口(?![干乾苦渴臭甜酸咸粘黏燥腔唇角中疮瘡]|淡(?![白红紅紫暗胖嫩]))|ㅁ)(?=\s?\w)"
)
"""A letter that is typed for an empty box, and no word for the mouth."""
_TICK: Final = re.compile("[√✓✔☑]")
_ANY_TICK: Final = re.compile(TICKED)
_BOX: Final = re.compile(rf"{EMPTY}|{TICKED}")
_BOX_FIRST: Final = re.compile(rf"({EMPTY}\s?{_ANSWER}(?!\w))|{TICKED}(?=\s?{_ANSWER}(?!\w))", re.IGNORECASE)
_ANSWERED: Final = r"(?:(?<=[有无無是否유무예])|(?<=[있없]음)|(?<=아니오)|(?<=\byes)|(?<=[eb]sent)|(?<=\bno))"
_BOX_LAST: Final = re.compile(rf"{_ANSWER}\s?{EMPTY}|{_ANSWERED}\s?{TICKED}", re.IGNORECASE)
_SIGN: Final = re.compile(r"[(（\[]\s?[-–—−－×✗✘]{1,3}\s?[)）\]]")
_CROSS: Final = re.compile(r"(?<=[^\W\d_])(\s?)[×✗✘](?=[\s;；,，。、|)]|$)")
_UNANSWERED: Final = re.compile(
    rf"{_ANSWER}\s?{EMPTY}[\s/、]{{0,4}}{_ANSWER}\s?{EMPTY}|{EMPTY}\s?{_ANSWER}[\s/、]{{0,4}}{EMPTY}\s?{_ANSWER}(?!\s?{TICKED})"
    rf"|[(（\[]{_EITHER}[)）\]]|(?<!\w){_EITHER}(?!\w)|(?<=[:：])\s?_{{2,}}(?!\w)",
    re.IGNORECASE,
)
"""Yes and no, neither of them chosen, or a line to write on: 裂纹：有/无, 裂纹：____."""
_LOCATED: Final = re.compile(r"([(（\[])\s?[+＋]{1,4}\s?[,，、;；]")
_ZERO: Final = re.compile(r"(?<![\d.])0\s?[分점](?!\w)|(?<=[^\W\d_]\s)0(?=\s{0,4}(?:$|[;；,，。、/|\n]))")
_ITEM: Final = re.compile(r"(?<=\s)[1-9]\d?[.)](?= )")
"""The number of an item, which ends the one before it."""
_DECIMAL: Final = re.compile(r"(?<=\d)\.(?=\d)")
"""A point that ends no sentence."""
_DASH: Final = re.compile(r"(?<=\w)\s?——\s?(?=\w)|(?<=[^\W\d_]) [-–—] (?=[^\W\d_])")
_ASKED: Final = re.compile(r"\?(?=\s?(?:no|yes|none)\b)", re.IGNORECASE)
_TIMED: Final = ("后", "後", "前", "후", "뒤", "전", "fter ", " later", " ago")
_DAYS_KO: Final = r"(?:[\d한두세네몇]\s?(?:일|주일?|개월|달|년|회)|열흘|보름|며칠|일주일)\s?"
_DAYS_ZH: Final = r"[\d一二两兩三四五六七八九十数數几幾半]\s?(?:天|日|周|週|星期|个?月|個月|年|剂|劑)"
_DAYS_EN: Final = r"\b(?:\d+|an?|one|two|three|four|five|six|several|some|a\sfew)\s(?:day|week|month|year)s?\b"
_LATER: Final = re.compile(
    rf"{_DAYS_KO}(?:간\s?)?(?:치료\s?)?(?:뒤|후)(?:에는|에|엔)?(?![가-힣])|{_DAYS_ZH}[后後]"
    rf"|{_DAYS_EN}\slater\b|\bafter\s{_DAYS_EN}",
    re.IGNORECASE,
)
"""The time after which something is seen again."""
_AGO: Final = re.compile(
    rf"{_DAYS_KO}전(?:에는|에|엔)?(?![가-힣])|{_DAYS_ZH}前|前{_DAYS_ZH}(?![后後])|{_DAYS_EN}\sago\b", re.IGNORECASE
)
"""The time since something was seen."""
_FILLED: Final = re.compile(
    rf"(?<=[^\W_])[_＿]([_＿\s]{{0,12}})({_ANSWER}|{_NO})([_＿\s]{{0,12}}[_＿])(?![A-Za-z])", re.IGNORECASE
)
"""An answer on a line to write on."""
_KEY: Final = re.compile(r"(?<=[A-Za-z])_(?=[A-Za-z])")
_LETTER_TICK: Final = re.compile(r"(?<=[(（\[])[xXvV](?=[)）\]])")
_OFFER: Final = re.compile(
    rf"[(（\[](?:{_EITHER}|[有是유][、|][无無否무])[)）\]](?=\s?[:：])|{_EITHER}(?=\s?[(（]{_ANSWER}[)）])"
    rf"|{_EITHER}\s?(?:→|[-=]>)(?=\s?{_ANSWER}(?!\w))",
    re.IGNORECASE,
)
"""Answers to choose from: 瘀斑(有/无)：无, 瘀斑：有/无（无）, 瘀斑：有/无 → 无."""
_REPEATED: Final = re.compile(
    r"(?<=[:：\s])([^\W\d_]{1,4}(?:\s?/\s?[^\W\d_]{1,4}){1,7})\s?[(（]\s?([^\W\d_]{1,4})\s?[)）]"
)
"""Values to choose from and the chosen one again: 舌体：胖大/瘦薄/正常（胖大）."""
_VALUES: Final = re.compile(
    r"(?<=[:：])[^:：;；,，。\n|]+(?=[;；,，。\n|]|$)|(?<=[:：])[^:：;；,，。\n|]+(?=\s[^\s:：]+[:：])"
)
"""The values behind a colon, without the name of the next item."""
_VALUE: Final = re.compile(r"\S+")
_TICKED_VALUE: Final = re.compile(r"(?:[1-9][.、)])?[^\W\d_]{1,4}[√✓✔☑]$")
_PLAIN_VALUE: Final = re.compile(r"[1-9][.、)][^\W\d_]{1,4}$|[^\W\d_舌苔脉有无]{1,2}$")
_CHOSEN: Final = re.compile(
    r"(?:所选|所選|已选|已選|选择|選擇|选中|選中|答案|선택|답|selected|chosen|choice|answer)\s?[:：]\s?"
    rf"({_OPTION}(?:[\s、,，/+]{{0,2}}{_OPTION})*)(?!\w)",
    re.IGNORECASE,
)
"""Which of the options before it were chosen."""
_NUMBER: Final = r"[A-H0-9①-⑨]"
_NUMBERED: Final = re.compile(
    rf"[(（\[]([^()（）\[\]\n]{{3,96}})[)）\]]\s?[:：]\s?({_NUMBER}(?:[、,，/+]{{1,2}}{_NUMBER})*)(?![\w.．=])",
    re.IGNORECASE,
)
"""Options in a bracket, and which of them were chosen: 舌质(1.淡红 2.红)：2."""
_NAMED_OPTION: Final = re.compile(rf"(?<!\w)({_OPTION})(?:\s?[.、．)）]|(?<=[①-⑨]))(?=\s?\w)")
_NUMBERED_OPTION: Final = re.compile(rf"(?<!\w)({_NUMBER})\s?[.、．=＝:：]?(?=\s?[^\W\d])")
_LINE: Final = re.compile(r"^.*\|.*$", re.MULTILINE)
_COLON: Final = re.compile(r"[:：]")
_TABBED: Final = re.compile(r"^([^\t\n]+)\t(?=[^\t\n]+$)", re.MULTILINE)
_OWN_LINE: Final = re.compile(rf"(?<=\w)[ \t]{{0,4}}\n(?=[ \t]{{0,4}}{_NO}[ \t]{{0,4}}$)", re.MULTILINE | re.IGNORECASE)
_TRUTH: Final = re.compile(r"(?<=[:：])(\s?)(false|true)\b", re.IGNORECASE)


_BEFORE_BOX: Final = re.compile(r"[^\W_]([ \t]*)$")
_AFTER_BOX: Final = re.compile(r"([ \t]{0,8})[^\W_]")
_EMPTY_BOX: Final = re.compile(EMPTY)
_LINE_STOP: Final = re.compile(r"[:：;；。|\t]")
_OPTION_STOP: Final = re.compile(r"[:：;；。|\t,，]")
_OPTION_START: Final = re.compile(r"[:：;；。|\t,，\n]|(?<=[一-鿿])\s+|\s{2,}")
_GROUP: Final = re.compile(r"[^;；。,，\n]+")
"""Options that have their boxes on the same side: 舌质[√]红 [ ]绛；芒刺[√] 裂纹[ ]."""
_FAR: Final = 9
"""Spaces that part a box from a word beside it."""


def unfold(text: str) -> str:
    """A description with its layout rewritten as items and answers; every other character keeps its position."""
    for sign in _TIMED:
        if sign in text:
            text = _LATER.sub(lambda span: _in_language(span[0], "now", "现在", "지금"), text)
            text = _AGO.sub(lambda span: _in_language(span[0], "yesterday", "之前", "전회"), text)
            break
    if PLAIN.fullmatch(text):
        return text
    text = _DECIMAL.sub("_", text)
    if _LAID_OUT.search(text) is None:
        return text
    text = _tick_chosen(text.replace("｜", "|"))
    if _TICK.search(text):
        text = _VALUES.sub(lambda found: _blank_unticked(found[0]), text)
    text = _OFFER.sub(lambda found: " " * len(found[0]), text)
    text = _REPEATED.sub(_keep_repeated, text)
    text = _SIGN.sub(lambda found: "(-)".ljust(len(found[0])), text)
    text = _LOCATED.sub(lambda found: found[1].ljust(len(found[0])), text)
    text = _UNANSWERED.sub(lambda found: "不详;"[: len(found[0])].ljust(len(found[0])), text)
    text = _CROSS.sub(r"\1无", text)
    text = _ZERO.sub(lambda found: "无".ljust(len(found[0])), text)
    text = _DASH.sub(lambda found: ":".ljust(len(found[0])), text)
    text = _ITEM.sub(lambda found: ";".ljust(len(found[0])), text)
    text = _ASKED.sub(":", text)
    text = _FILLED.sub(lambda found: f":{' ' * len(found[1])}{found[2]}{' ' * len(found[3])}", text)
    text = _KEY.sub(" ", text)
    if BOXED.search(text):
        if _ANY_TICK.search(text):
            text = _TYPED_BOX.sub("□", text)
        text = _LETTER_TICK.sub("√", text)
        first = boxes_stand_first(text)
        text = _GROUP.sub(lambda group: _blank_answers(group[0], first), text)
    if "|" in text:
        text = _LINE.sub(_join_cells, text)
    text = _TABBED.sub(r"\1:", text)
    text = _OWN_LINE.sub(lambda found: ":".ljust(len(found[0])), text)
    return _TRUTH.sub(lambda found: found[1] + ("no" if found[2].lower() == "false" else "").ljust(len(found[2])), text)


def _tick_chosen(text: str) -> str:
    """A text with boxes in the place of the letters of options, ticked if a line after them names the letter."""
    text = _NUMBERED.sub(_tick_numbered, text)
    laid_out, at = "", 0
    for chosen in _CHOSEN.finditer(text):
        group = text[at : chosen.start()]
        if len(_NAMED_OPTION.findall(group)) > 1:
            laid_out += _with_boxes(group, chosen[1].upper()) + " " * len(chosen[0])
        else:
            laid_out += group + chosen[0]
        at = chosen.end()
    return laid_out + text[at:]


def _blank_unticked(values: str) -> str:
    """Values of which some have a tick behind them and none a box, without the others: 1.无√ 2.轻; 胖√ 瘦."""
    parts = _VALUE.findall(values)
    ticked = {part for part in parts if _TICKED_VALUE.match(part)}
    others = [part for part in parts if part not in ticked]
    if not ticked or not others or not all(map(_PLAIN_VALUE.match, others)):
        return values

    def keep(found: re.Match[str]) -> str:
        part = found[0]
        if part not in ticked:
            return " " * len(part)
        return f"  {part[2:]}" if part[0].isdigit() else part

    return _VALUE.sub(keep, values)


def _keep_repeated(found: re.Match[str]) -> str:
    """Values to choose from as the chosen one alone, if that is one of them."""
    if found[2] not in re.split(r"\s?/\s?", found[1]):
        return found[0]
    return found[2].rjust(len(found[0]) - 1) + " "


def _tick_numbered(found: re.Match[str]) -> str:
    """Options in a bracket with boxes in the place of their numbers, if there are several."""
    if len(_NUMBERED_OPTION.findall(found[1])) < 2:
        return found[0]
    return f" {_with_boxes(found[1], found[2].upper(), _NUMBERED_OPTION)}".ljust(len(found[0]))


def _with_boxes(group: str, chosen: str, option: re.Pattern[str] = _NAMED_OPTION) -> str:
    """A group of options with a box in the place of each letter and its stop."""
    return option.sub(lambda mark: ("☑" if mark[1] in chosen else "□").ljust(len(mark[0])), group)


def _in_language(span: str, english: str, chinese: str, korean: str) -> str:
    """The word in the language of a span of time, as long as that."""
    if span.isascii():
        return english.ljust(len(span))
    return (chinese if span[-1] in "后後前" or span[0] == "前" else korean).ljust(len(span))


def _blank_answers(group: str, first: bool) -> str:
    """A group of options without the boxes of its answers, and without the answers that are not ticked."""
    if boxes_stand_first(group, first):
        return _BOX_FIRST.sub(lambda found: ("" if found[1] else ":").ljust(len(found[0])), group)
    return _BOX_LAST.sub(lambda found: " " * len(found[0]), group)


def _join_cells(line: re.Match[str]) -> str:
    """A line of a table with a colon between its cells, if it has two and no colon in the first."""
    row = line[0]
    inside = row.strip(" \t\r").removeprefix("|").removesuffix("|")
    if inside.count("|") != 1 or inside.strip(" |:-") == "":
        return row
    if _COLON.search(inside, 0, inside.index("|")):  # 舌质：红 | 苔：黄
        return row
    bar = row.index(inside) + inside.index("|")
    return f"{row[:bar]}:{row[bar + 1 :]}"


def boxes_stand_first(text: str, otherwise: bool | None = None) -> bool:
    """Whether boxes stand before what they tick (□红 ☑绛), not after it (红□ 绛☑), in a clinical form.

    Between two words (红□绛☑, 色□红☑绛) the last box decides; if it is the only one, `otherwise`, where that is known.
    """
    boxes = list(_BOX.finditer(text))
    if not boxes:
        return False
    before, after = _beside(text, boxes[0])
    if before != after:
        return after < before
    if len(boxes) == 1 and otherwise is not None:
        return otherwise
    return _beside(text, boxes[-1])[1] < _FAR


def unticked_options(text: str) -> list[tuple[int, int]]:
    """Where the options of a form stand whose box is empty.

    An option goes from its box to the next box, the end of the line, a stop, or the label of the next item (苔：). On
    a line that is one option commas are part of it: □ 舌胖大，有齿痕. Circles without any tick are bullets of a list.
    """
    bullets = _ANY_TICK.search(text) is None
    first = boxes_stand_first(text)
    groups = [(group.end(), boxes_stand_first(group[0], first)) for group in _GROUP.finditer(text)]
    boxes = list(_BOX.finditer(text))
    options: list[tuple[int, int]] = []
    here = 0
    for number, box in enumerate(boxes):
        while groups[here][0] < box.end():
            here += 1
        if _EMPTY_BOX.fullmatch(box[0]) is None or (bullets and box[0] in _CIRCLES):
            continue
        before = boxes[number - 1].end() if number else 0
        if groups[here][1]:
            after = boxes[number + 1].start() if number + 1 < len(boxes) else len(text)
            options.append((box.end(), _option_end(text, before, box, after)))
        else:
            options.append((_option_start(text, before, box.start()), box.start()))
    return options


def _option_end(text: str, before: int, box: re.Match[str], after: int) -> int:
    """Where the option after a box ends; other boxes end at `before` and begin at `after`."""
    line_end = text.find("\n", box.end(), after)
    end = after if line_end < 0 else line_end
    line = text.rfind("\n", before, box.start())
    begins_line = (line >= 0 or not before) and not text[max(line + 1, before) : box.start()].strip()
    alone = begins_line and (line_end >= 0 or after == len(text))
    stop = (_LINE_STOP if alone else _OPTION_STOP).search(text, box.end(), end)
    if stop is None:
        return end
    if stop[0] not in ":：":
        return stop.start()
    option = text[box.end() : stop.start()].rstrip()
    spaces = [at for at, character in enumerate(option) if character.isspace() and option[:at].strip()]
    return box.end() + (spaces[-1] if spaces else len(option))


def _option_start(text: str, limit: int, end: int) -> int:
    """Where the option before a box begins, at least at `limit`: after a stop, a wide space, or a space in Chinese."""
    option = text[limit:end].rstrip()
    start = 0
    for found in _OPTION_START.finditer(option):
        start = found.end()
    return limit + start


def _beside(text: str, box: re.Match[str]) -> tuple[int, int]:
    """How many spaces stand between a box and the letter before it, and the letter after it; `_FAR` without one."""
    before, after = _BEFORE_BOX.search(text, max(0, box.start() - _FAR), box.start()), _AFTER_BOX.match(text, box.end())
    return len(before[1]) if before else _FAR, len(after[1]) if after else _FAR
