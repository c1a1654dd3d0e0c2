"""What stands right before or behind the name of a treatment in an English sentence and tells how it is meant.

"X stays as it is", "leave X alone", "X might come up", "some take X, but please don't": turns of speech whose verb
alone says too little. Each is tried at the name itself, so that a sentence is never searched as a whole.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AGAINST,
    ALLOW,
    CONDITION,
    CONSULT,
    EFFECT,
    EXAMPLE,
    FAMILY,
    GENERAL,
    HEDGE,
    KEEP,
    NEGATE,
    NOT_TO,
    PATIENT,
    PERSONAL,
    RECOMMEND,
    STRONG,
)
from jatdae.dialogue.reading.english_signs import asks
from jatdae.dialogue.reading.words import any_in

_ADVICE: Final = RECOMMEND | AGAINST | KEEP | ALLOW | CONSULT
_OWN: Final = PERSONAL | PATIENT | STRONG
_DENIAL: Final = NEGATE | NOT_TO
_AT_LARGE: Final = GENERAL | EFFECT
_NEAR: Final = 24
_BEFORE: Final = 72
"""How far before a name a remark to it may begin, in characters."""


class Remark(NamedTuple):
    """What a turn of speech does to a name: roles it gives, roles it takes, roles that speak against it."""

    gives: int
    takes: int
    unless: int = 0


_TAIL: Final = r"(?:s|es)?[*_]*(?: \([^()\n]{1,30}\))?(?: \d[\w.,/-]*(?: ?(?:mg|mcg|g|units|percent|%))?)?"
"""What may stand between the name of a drug and what is said of it: "(Lipitor)", "20 mg"."""
_GOES_ON: Final = (
    r" can (?:both |still |all )?be (?:taken|used|continued|kept) (?:with (?:any|either|all|both|it|them|these)\b|as"
    r" (?:usual"
    r"|before|always|normal)|alongside|throughout|unchanged)|"
    r" (?:(?:can|may|should|will|must|also|still|just|simply|both|all|therefore) )*(?:stays?|remains?|continues?)"
    r"(?= (?:as |on board|on your|where |at (?:the|its|this|that|your|\d)|in place|unchanged|put\b|for now|too\b"
    r"|the (?:base|backbone|same|foundation|anchor|mainstay of your)|your |part of (?:your|the) |with you|untouched)"
    r"|\s*(?:[.,;:!)–—\n]|\Z))"
    r"| (?:is|are) (?:still |also )?(?:fine|okay|ok|safe|right|allowed|acceptable) (?:at|with) (?:this|that|the current"
    r"|these) "
    r"(?:level|dose|stage|number|egfr|kidney function|value|range|filtration)"
    r"| (?:(?:can|may|should|will|must|also|still|just|simply|both|all|therefore) )*go(?:es)? on"
    r"(?= (?:as |at |unchanged|too\b|just|exactly|for now|without)|\s*(?:[.,;:!)–—\n]|\Z))"
    r"| needs? no (?:pause|change|adjust\w*|break|stopping|correction|interruption|dose (?:change|adjustment))"
    r"| (?:does|do)(?:n't| not) (?:need|have) (?:(?:any|an?|to|be) )*(?:stop|paus|chang|adjust|held|interrupt|touch)"
)
_AT_WORK: Final = (
    r" (?:(?:is|are|seems? to be|appears? to be|has been|have been) (?:clearly |already |still |evidently )?"
    r"(?:doing (?:its|the|a good|their|what|well)|working(?: well| as| for you|[.,;])|earning its)"
    r"|(?:does|did|has done) (?:its|the|a good|their|what it)"
    r"|(?:(?:already|also|gently|nicely) )?(?:brings|keeps|holds|protects|shields|thins|controls|covers|looks after"
    r"|takes care of|guards|calms|quiets|has (?:brought|kept|held|lowered|improved|settled)) (?:down )?your\b"
    r"|(?:has|keeps|holds) (?:the|your) [a-z ]{2,24} (?:at|down|under|in|where)\b"
    r"|lowers your (?:blood )?(?:pressure|sugar|cholesterol|ldl|heart rate|risk)"
    r"|(?:is|are) (?:helping|easing|protecting|controlling|calming) your?\b"
    r"|(?:is|are) still the right (?:drug|medicine|pill|tablet|choice|one|dose)\b"
    r"|(?:already|now|still|also) (?:on board|in place|in the mix|in your system)"
    r"|(?:suits|agrees with|works (?:well )?for|serves) you\b"
    r"|(?:came|joined|went (?:up|down|from)|(?:was|has been) (?:added|raised|doubled|lowered|halved|introduced"
    r"|increased)))\b"
)
_PRAISED: Final = (
    r"(?: [a-z'-]+){0,6}? (?:is|are|would be|makes?|could be|might be) (?:also )?(?:an?|another) (?:very |perfectly "
    r"|fairly |pretty )?"
    r"(?:good|better|safe|safer|sensible|reasonable|fair|decent|great|excellent|gentler|solid|handy|nice|sound|smart"
    r"|kinder) "
    r"(?:one|option|choice|alternative|test|idea|start|step|thing|bet|addition|way|plan|candidate|solution|compromise"
    r"|trial"
    r"|pick|move|swap|substitute|helper)\b"
    r"|(?: [a-z-]+){0,3}? (?:is|are|would be) the (?:better|safer|safest|kinder|kindest|gentler|gentlest|wiser|easier"
    r"|simpler|simplest|more sensible) (?:\w+ )?(?:one|option|choice|alternative|bet|way|pick)\b"
    r"|[^.;:\n]{0,70}? is (?:what|the one) (?:i|we)(?:'d| would|'ll)? (?:\w+ )?(?:hand|give|use|suggest|recommend"
    r"|choose"
    r"|reach for|offer|pick|prefer|advise|go for|take|try)\b"
    r"|(?: [a-z-]+){0,3}? (?:both )?(?:goes|go|gets? along|mix(?:es)?|combines?|pairs?)(?: fine| well| nicely)? with"
    r" your\b"
)
_UNWANTED: Final = (
    r"[^.;!?\n]{0,60}?(?:[,;:]| –| —| but| and) (?:but )?(?:please (?:don't|do not)|(?:i'd|i would) (?:rather|prefer) "
    r"(?:that )?you (?:didn't|did not|not|stayed away from it|skipped it|left it)|i (?:wouldn't|would not)|you(?:'d)?"
    r" better not|that's not for you"
    r"|(?:it|that|this)(?:'s| is)(?: not|n't) (?:for you|an option for you))"
    r"(?= ?[.,;:!?\n–—)]| ?\Z| (?:in your|here|until|while|for|because|with|partly|since|myself)\b)"
    r"| (?:is|are)(?:n't| not)(?=\s*[.;!\n]|\Z)"
    r"| (?:is|are)(?:n't| not) (?:something|one|what|a (?:drug|medicine|pill)) (?:that )?(?:i|we|you)\b"
    r"| (?:is|are)(?:n't| not) (?:an? |the )?(?:right |good |safe |sensible )?(?:alternative|option|substitute|choice"
    r"|solution"
    r"|idea|answer|good\b|wise|safe|suitable|advisable|recommended|necessary|needed|required|called for|warranted|worth"
    r"|for you)"
    r"| (?:has to|have to|needs? to|must|should) (?:pause|stop|wait|rest|go(?=[ .,;])(?! (?:on|ahead|with)\b)|be"
    r" (?:stopped|paused|held|skipped"
    r"|left out))"
    r"| (?:is|are|would be) (?:an? )?(?:mistake|bad idea|poor choice|no-go|risky|gamble)\b"
    r"| i(?:'d| would) (?:rather not|never|sooner not)\b"
    r"|:[*_]* (?:better not|rather not|please not|no\b(?! (?:change|problem|need|worr|interaction|concern|issue|dose"
    r"|adjust|pause|harm))|not for you|avoid|skip|leave|off limits)"
)
_MAYBE_LATER: Final = (
    r" (?:may|might|could)(?: (?:also|then|well|still|later|soon|eventually|one day))* "
    r"(?:be(?:come)? (?:necessary|needed|required|worth\w*|proposed|discussed|next|(?:an?|one|the next|another|my next)"
    r" (?:\w+ )?(?:option|possibility|choice|alternative|candidate"
    r"|step|thought|idea))|come (?:up|into|next)|follow\b|enter|join|be brought)"
    r"| (?:is|are|would be) (?:sometimes |also |perhaps |still )?(?:possible|conceivable)\b"
    r"| would (?:then )?be (?:an?|one|another) (?:option|possibility|alternative|candidate)\b"
    r"| (?:is|are) (?:an?|one|another) (?:option|possibility|idea)[ ,]+(?:we|that we|which we|i|your|to (?:discuss"
    r"|talk))"
)
_CUSTOMARY: Final = (
    r"(?:, [^,.;\n]{2,24},)? (?:is|are) (?:often|usually|sometimes|generally|typically|commonly|normally|routinely"
    r"|frequently|rarely|traditionally) (?:only )?(?:held|hold|stopped|paused|used|given|prescribed|avoided|continued"
    r"|withheld|taken|started|added|kept|combined|reserved|chosen|offered|tried)\b(?![^.;\n]{0,40}\byour?\b)"
    r"|(?: and [^.;\n]{2,24})? (?:is|are) (?:both |all )?(?:things?|drugs?|medicines?|the ones?|ones?|among (?:the"
    r"|those))"
    r" (?:that|which|known|most|drugs?|medicines?)\b(?! (?:you|we|i)\b)"
    r"| (?:was|were|used to be) (?:once |long |formerly )?(?:popular|standard|common|recommended|the (?:first|standard"
    r"|usual))\b"
    r"| (?:is|are) (?:(?:much|a bit|slightly|somewhat|both|also|a little) )?(?:weaker|stronger|older|newer|cheaper"
    r"|milder|similar"
    r"|better known|less (?:potent|effective|reliable)|an? (?:close )?(?:relative|cousin|older|newer))\b"
)
_SYMPTOM: Final = (
    r"(?:the |your |any )?(?:pain|fever|aches|body aches|headaches?|cough|congestion|nausea|itch(?:ing)?|heartburn"
    r"|a stuffy nose|sore throat|cramps|sleep|soreness|discomfort|chills)"
)
_TOLD: Final = (
    r" is the (?:drug|one|pill|tablet|medicine) you (?:take|use)\b"
    r"| (?:that |which )?you (?:told (?:me|us) about|(?:have|had|'ve) been (?:taking|using)"
    r"|(?:take|use|inject|inhale)(?=\s*(?:[.,;:!?)–—]|\Z)| (?:for|daily|every|at|each|once|twice|in|now|already|anyway"
    r"|is|can"
    r"|may|and|has|was|with|does|before|after)\b)"
    r"|(?:started|bought|picked up) (?:last|this|in|at|yourself|two|three|a)|mention(?:ed)? (?:taking|using))"
)
_AFTER_DRUG: Final = re.compile(
    f"{_TAIL}(?:(?P<told>{_TOLD})|(?P<kept>{_GOES_ON})|(?P<fact>{_AT_WORK})|(?P<hedged>{_MAYBE_LATER})"
    f"|(?P<usual>{_CUSTOMARY})|(?P<good>{_PRAISED})|(?P<yes>:[*_]* (?:yes|fine|go ahead|allowed|safe)\\b)"
    f"|(?P<against>{_UNWANTED}))"
)
_LEFT: Final = re.compile(
    rf"{_TAIL}(?: \w+)? (?:(?P<against>alone|on the shelf|in (?:the|your|its|that) (?!morning|evening|routine|plan"
    rf"|regimen)\w+|out\b|off\b|a (?:miss|wide berth|rest)\b|aside|to others|be\b)"
    r"|(?P<kept>as (?:it|they)|where|unchanged|untouched|the way|in place|at (?:the|its|this|\d)))"
)
"""What behind "leave X" tells whether it is to be left out or left on."""
_LEAVE: Final = re.compile(r"\b(?:leave|leaving|give|giving) (?P<owned>your |the )?$")
_FRAGMENT: Final = re.compile(rf"{_TAIL} for {_SYMPTOM}\s*(?:[.!\n;]|\Z)")
_IN_FRAGMENT: Final = re.compile(
    r"(?:\A|[.:;!\n*-])[\s\d.*_-]*(?:[a-z]+, (?:and )?){0,3}$"
    rf"|\bfor {_SYMPTOM}(?::[*_]* (?:\w+ )?|(?:,? (?:use|take|try|stick to|reach for|choose|prefer)|,) (?:some |plain "
    rf"|an? )?)$"
)


class Lead(NamedTuple):
    """A turn of speech that ends right before the name of a drug or procedure."""

    name: str
    words: tuple[str, ...]
    """Of these its sentence has one: asked first, because that is much faster."""
    pattern: re.Pattern[str]


def _lead(name: str, words: str, pattern: str) -> Lead:
    return Lead(name, tuple(words.split("|")), re.compile(f"(?:{pattern})$"))


_THE: Final = "(?:the |your )?"
_LEADS: Final = (
    _lead(
        "kept",
        "n't |not |never ",
        r"\b(?:don't|do not|never|not to|not) (?:\w+ ){0,2}(?:lower|reduce|change|adjust|alter|taper|raise|increase"
        rf"|halve|touch(?= (?:the|your) )|tinker with|play with|fiddle with|double) {_THE}(?:dose of |dosage of"
        rf" )?{_THE}"
        r"|\b(?:don't|do not) (?:be (?:afraid|scared) of|fear|worry about|fret about) (?:the |your )"
        r"|\b(?:wouldn't|would not|won't) (?:touch|change|stop|alter|lower|drop) your ",
    ),
    _lead(
        "kept",
        "no change|no adj|no dose|no need|no reason|no cause",
        rf"\bno (?:change|changes|adjustment|dose change|dose adjustment) (?:to|in|of|for|with) {_THE}"
        r"|\bno (?:need|reason|cause) to (?:worry|fret|be (?:afraid|worried|concerned|anxious)) about (?:the |your )",
    ),
    _lead(
        "kept",
        " less | fewer | more ",
        r"\b(?:take|use|inject|give|have)\b[^.;,\n]{0,16} (?:units?|tablets?|mg|puffs?|pills?) (?:less|fewer|more) "
        rf"(?:of )?{_THE}",
    ),
    _lead(
        "fact",
        "interfere|interact|clash|conflict|quarrel|mix",
        r"(?:n't|\bnot|\bnever|\bneither|\bnor)(?: \w+){0,2} (?:interfere|interact|clash|conflict|quarrel|mix)s?"
        r" (?:badly )?with "
        rf"{_THE}(?:[\w-]+ or )?",
    ),
    _lead(
        "fact",
        "than ",
        rf"\bthan (?:stopping|dropping|giving up|quitting|skipping|cutting|halving|coming off|pausing) {_THE}",
    ),
    _lead(
        "fact",
        " on ",
        r"\byours?\b(?:(?!\bnot\b|n't|\bnever\b)[^.;,\n]){0,40}\bon (?:the )?|\bdepend(?:s|ing)? on ",
    ),
    _lead(
        "fact",
        "rais|increas|adjust|doubling|titrat|fine-tun",
        r"\b(?:might|may|could|will|to|would) (?:consider |suggest |discuss |be )?(?:raise|raising|increase|increasing"
        rf"|adjust|adjusting|doubling|titrating|fine-tun\w+) {_THE}(?:dose of )?{_THE}",
    ),
    _lead(
        "beside",
        " from |hour|beside|alongside|on top of|addition|next to|add-on|go with",
        r"\b(?:(?:apart|separate|separated) from|hours? (?:from|before|after)|beside|alongside|on top of|in addition to"
        r"|next to|as an add-on to|to go with) (?:the )?",
    ),
    _lead(
        "source",
        " from ",
        r"\b(?:the|your|this|that|it)\b[^.;,\n]{0,24} (?:comes|come|came|stems|is|are) from (?:the )?",
    ),
    _lead(
        "against",
        "hands off|never |let |not |no ",
        r"\bnot (?:a |much of a |a big )?(?:fan|friend) of (?:the )?"
        r"|\bno (?:place|room|role|call|indication|point) (?:for|in taking|in) (?:an? )?|"
        r"hands off (?:the |any )?|\A\W*(?:and |but |so |just )?(?:not|no) (?:the |any |more )?"
        r"|(?:\A\W*|, )(?:but |and )?never (?:any |an? )?"
        r"|\b(?:don't|do not|never) let (?:anybody|anyone|them|someone|any doctor|a doctor|the \w+)[^.;,\n]{0,24} "
        r"(?:the |any )?",
    ),
    _lead("against", " touch ", r"(?:n't|\bnot|\bnever) (?:\w+ )?touch (?:any |that |some )?"),
    _lead("asked", "whether ", r"\bwhether (?:(?:adding|starting|trying|switching to|moving to|an?|some|also) )*"),
    _lead(
        "hedged",
        " need ",
        r"\byou(?:(?:'ll| will)(?: (?:probably|possibly|perhaps|likely|eventually|also|then|still|even))+|(?:'ll|"
        r" will)?"
        r" (?:may|might|could)(?: (?:well|also|then|still|even|eventually|later))*) need (?:to (?:start|take|add|try)"
        r" )?"
        r"(?:an? |some )?",
    ),
    _lead(
        "hedged",
        " be ",
        r"\byou (?:might|may)(?: (?:also|then|well|later|even|still))* be (?:offered|given|started on|put on"
        r"|prescribed|switched to|moved to|asked to (?:take|try|start)) (?:an? |some )?",
    ),
    _lead(
        "yes",
        "then ",
        r"(?<!since )(?<!back )(?<!until )(?<!by )(?<!even )\bthen (?:you|we)(?:'ll| will)? (?:start|begin|take|switch"
        r" to"
        r"|use|add|try) (?:an? |the )?",
    ),
    _lead(
        "against",
        " is | are | be ",
        r"\b(?:avoid|steer (?:around|clear of|away from)|skip|stay away from|leave out|pass on|keep away from|keep off"
        r"|(?:not|n't) (?:want|take|use|touch|recommend|add|mix in))\b[^.;\n]{0,12} (?:is|are|would be) "
        r"(?:the |any |all )?",
    ),
    _lead(
        "against",
        "rather|prefer",
        r"\b(?:rather|prefer)(?: that)? you (?:didn't|don't|did not|do not|not|never|avoid\w*|skip\w*)"
        r"(?: (?!stop|quit|skip|drop|chang|halv|lower|reduc|miss|come|giv|paus)\w+)? (?:any |the )?",
    ),
    _lead("hedged", "end up ", r"\bend up (?:needing|on|with|taking|having) (?:an? |the )?"),
    _lead(
        "yes",
        "ask |sen|call|writ|giving",
        r"\bi(?:'m|'ve| have| am|'ll| will) (?:sending|sent|calling in|called in|writing|written|giving|send|call in"
        r"|write)"
        r"(?: you| in)* (?:an? |some )?(?:(?:short )?course of |prescription for )?"
        r"|\bask (?:the|your|a|any) (?:pharmacist|pharmacy|chemist) for (?:some |an? )?",
    ),
    _lead(
        "hedged",
        "i'm |i am |we're |we are ",
        r"\b(?:i am|i'm|we are|we're) (?:also )?(?:thinking (?:of|about)|considering|leaning towards?|weighing"
        r"|pondering|inclined to (?:add|try|use)) (?:an? |adding |starting |trying |some |the )*",
    ),
    _lead(
        "hedged",
        " may | might | could ",
        r"\b(?:doctor|physician|specialist|surgeon|prescriber|team|they|clinic|[a-z]+ist)(?: \w+)? (?:might|may|could)"
        r"(?: also| well| then)? (?:consider|suggest|propose|offer|choose|add|try|prefer|start|prescribe|use|bring up"
        r"|think about|discuss|mention|recommend|want|opt for|go for|switch (?:you )?to|move (?:you )?to)(?: \w+ing)? "
        r"(?:an? |some |the |you |a (?:short )?course of |a trial of )*",
    ),
    _lead(
        "like",
        " with |contain| have |based on|than | of ",
        r"\b(?:ones?|pills|tablets|products|those|drugs|medicines|combinations|sprays|remedies|preparations)"
        r" (?:with|containing|that (?:contain|have)|based on) |\b(?:long|short|repeated|high) (?:courses|doses|use) of "
        r"|\b(?:less|more|worse|better|stronger|weaker) (?:so )?than (?:with|for|on) ",
    ),
    _lead(
        "offered",
        "option|possibilit|idea|solution|alternative|candidate",
        r"(?<!good )(?<!better )(?<!best )(?<!safe )(?<!safer )\b(?:options?|possibilit(?:y|ies)|ideas?|solutions?"
        r"|alternatives?|candidates?)\b[^.;\n]{0,32}?"
        r"(?:\b(?:is|are|would be|include|includes|could be|might be)|:) (?:[^.;\n]{2,40}(?:,| or| and) )?"
        r"(?:(?:a short course of|adding|starting|trying|an?|some|either|to add|to try) )*",
    ),
)

_REMARKS: Final = {
    "told": Remark(STRONG, _AT_LARGE | HEDGE | _DENIAL),
    "kept": Remark(KEEP, _ADVICE | _DENIAL | _AT_LARGE | HEDGE, FAMILY | CONDITION),
    "fact": Remark(STRONG, _ADVICE | _AT_LARGE | HEDGE | _DENIAL, FAMILY | CONDITION),
    "hedged": Remark(HEDGE, _ADVICE | _AT_LARGE | AFFIRM | PERSONAL, STRONG | NEGATE | FAMILY),
    "asked": Remark(HEDGE, _AT_LARGE | AFFIRM | _ADVICE, STRONG | NEGATE | FAMILY | CONSULT | CONDITION),
    "offered": Remark(HEDGE, _AT_LARGE | AFFIRM | RECOMMEND, AGAINST | KEEP | STRONG | NEGATE | FAMILY | EXAMPLE),
    "usual": Remark(_AT_LARGE, _ADVICE | AFFIRM, STRONG | PERSONAL | FAMILY),
    "good": Remark(
        RECOMMEND, _AT_LARGE | HEDGE | AFFIRM, AGAINST | KEEP | PERSONAL | STRONG | _DENIAL | FAMILY | CONDITION
    ),
    "like": Remark(_AT_LARGE, _ADVICE | AFFIRM, _OWN | FAMILY),
    "next": Remark(RECOMMEND, STRONG | PERSONAL | AFFIRM | _AT_LARGE, CONDITION | FAMILY | NEGATE),
    "yes": Remark(RECOMMEND, _AT_LARGE | HEDGE | CONSULT, AGAINST | KEEP | STRONG | NEGATE | FAMILY | CONDITION),
    "against": Remark(AGAINST, _ADVICE | _DENIAL | _AT_LARGE | AFFIRM | PERSONAL, FAMILY),
    "beside": Remark(STRONG, _ADVICE | _DENIAL, _AT_LARGE | FAMILY | CONDITION),
    "source": Remark(STRONG, AFFIRM | _AT_LARGE, _ADVICE | HEDGE | NEGATE | CONDITION | FAMILY | EXAMPLE),
}

_ANSWERED: Final = re.compile(
    rf"{_TAIL}[^.;:!?\n]{{0,24}}\?[*_]* (?:(?:[A-Za-z' ]{{3,36}}[.;,–—] )?(?P<no>no\b|not (?:for|now|today|with|here|a"
    rf" good)|avoid"
    r"|skip (?:it|them|that)|leave (?:it|them|that)|better not|rather not|i'd (?:skip|avoid|pass|leave|not|rather not)"
    r"|please don't|don't)|(?P<yes>yes\b|sure\b|fine\b|go ahead|by all means|absolutely|of course|please do))"
)
_INSTEAD: Final = re.compile(r"[^.;\n]{0,40}\b(?:you (?:take|use|have)|you're on|is (?:the one|yours|your))\b")
"""What behind "not X" names what is taken in its place: "Not lisinopril – losartan is the one you take"."""
_JOINT: Final = re.compile(r",? (?:and|or|plus) (?:your |the )?[a-z][a-z-]{4,}")
_BEGINS: Final = re.compile(r"(?:\A|[.;:!?\n–—(*-])[\W\d]*(?:both |your |the |and |but )?$")
"""Before the first of two names of which the clause then says something: "Lisinopril and rosuvastatin can stay"."""
_NEXT: Final = re.compile(
    r"\b(?:your|the) next (?:[\w-]+ )?$"
    r"|\b(?:i'd|we'd|i would|we would) (?:also |still )?(?:like|want) (?:(?:you )?to (?:get|do|run|order|have|see"
    r"|arrange) )?"
    r"(?:an? |your |another |some )?$"
)
"""What before a test has it done: "your next MRI", "I'd like an ECG"."""
_OF_ANYTHING: Final = frozenset(("hedged", "offered", "usual", "against", "good"))
"""Remarks on procedures too: nobody takes them on."""
_SPOKEN_OF: Final = _ADVICE | _OWN | NEGATE | CONDITION | FAMILY | EXAMPLE | GENERAL | HEDGE
_THEN: Final = re.compile(
    r"\W*(?:then|in that case|at that point|if so|in this case)\b[^.;\n]{0,60}\b(?:would|may|might|could|'d|can)\b"
)


_REPORTED: Final = re.compile(
    r"\A\W*(?:if|should you|when|once)\b.*\b(?:let (?:me|us) know|tell (?:me|us)|call|ring|message|come back)\b"
    r"[^.;\n]{0,30}\band (?:i|we)(?:'ll| will|'d| would| can| could| may| might)\b[^.;\n]*$"
)
"""What is done once something has happened and is reported: "If …, let me know and I'll give you nystatin"."""
_BEYOND: Final = re.compile(
    r"\b(?:below|above|under|over|beyond|past) (?:an? )?\d[\d./]*%?,? (?:we|i|you|they|your doctor)\b[^.;\n]*$"
)
"""A bound beyond which something is done: "below 8 we would think about a transfusion"."""


def on_treatment(text: str, start: int, end: int, category: str, given: tuple[int, int]) -> tuple[int, int]:
    """The roles and negations of a drug or procedure at start:end of a sentence with what is remarked on it."""
    roles, negations = given
    name = _remark(text, start, end, category, roles)
    if name and not (negations and _INSTEAD.match(text, end)):
        roles, negations = _said(name, roles, negations)
    if roles & (HEDGE | RECOMMEND) and not roles & STRONG:
        supposed = (
            _THEN.match(text)
            or _BEYOND.search(text, max(0, start - _BEFORE), start)
            or (_REPORTED.search(text, 0, start) if " and " in text else None)
        )
        if supposed:
            return roles | CONDITION, negations
    if category == "drug" and not roles & _SPOKEN_OF and text.find("for ", max(0, start - _BEFORE), end + _NEAR) >= 0:
        lone = _IN_FRAGMENT.search(text, max(0, start - _BEFORE), start)
        if lone and ("for " in lone[0] or _FRAGMENT.match(text, end)):
            return roles | RECOMMEND, negations
    return roles, negations


def _remark(text: str, start: int, end: int, category: str, roles: int) -> str:
    """The name of the remark on a drug or procedure; empty if there is none."""
    if category == "procedure":
        if _NEXT.search(text, max(0, start - len("we would also like you to arrange another ")), start):
            return "next"
    else:
        left = _LEAVE.search(text, max(0, start - len("leaving your ")), start)
        kept = _LEFT.match(text, end) if left else None
        if left and kept:
            goes_on = kept["kept"] or (left["owned"] == "your " and kept["against"] == "alone")
            return "kept" if goes_on else "against"
    before = max(0, start - _BEFORE)
    said = text[before:start]
    for lead in _LEADS:
        if category == "procedure" and lead.name not in _OF_ANYTHING:
            continue
        if lead.name == "beside" and not roles & (_ADVICE | NEGATE):
            continue
        if any_in(lead.words, said) and lead.pattern.search(text, before, start):
            return lead.name
    found = _AFTER_DRUG.match(text, end)
    if found is None and (joint := _JOINT.match(text, end)) and _BEGINS.search(text, before, start):
        found = _AFTER_DRUG.match(text, joint.end())
    name = (found.lastgroup or "") if found else ""
    return name if name in _OF_ANYTHING or category != "procedure" else ""


def answered(text: str, first: int, start: int, end: int) -> int:
    """What the answer to a question of one word advises of a treatment: "Ginseng? Leave it", "Paxlovid? Yes"."""
    if asks(text, first, start):
        return 0
    found = _ANSWERED.match(text, end)
    if found is None:
        return 0
    return AGAINST if found["no"] else ALLOW


def _said(name: str, roles: int, negations: int) -> tuple[int, int]:
    remark = _REMARKS[name]
    if roles & remark.unless:
        return roles, negations
    return roles & ~remark.takes | remark.gives, 0 if remark.takes & NEGATE else negations
