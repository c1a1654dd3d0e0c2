"""What stands right before or behind a name in an English sentence and tells how it is meant.

"X stays as it is", "leave X alone", "X might come up", "black stools need a call": turns of speech whose verb alone
says too little. Each is tried at the name itself, so that a sentence is never searched as a whole.
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

_ADVICE: Final = RECOMMEND | AGAINST | KEEP | ALLOW | CONSULT
_OWN: Final = PERSONAL | PATIENT | STRONG
_DENIAL: Final = NEGATE | NOT_TO
_AT_LARGE: Final = GENERAL | EFFECT
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
    r" (?:(?:can|may|should|will|must|also|still|just|simply|both|all|therefore) )*(?:stays?|remains?|continues?)"
    r"(?= (?:as |on board|on your|where |at (?:the|its|this|that|your|\d)|in place|unchanged|put\b|for now|too\b"
    r"|the (?:base|backbone|same|foundation|anchor|mainstay of your)|your |part of (?:your|the) |with you|untouched)"
    r"|\s*(?:[.,;:!)–—\n]|\Z))"
    r"| (?:is|are) (?:still |also )?(?:fine|okay|ok|safe|right|allowed|acceptable) (?:at|with) (?:this|that|the current"
    r"|these) "
    r"(?:level|dose|stage|number|egfr|kidney function|value|range|filtration)"
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
    r"|(?: [a-z-]+){0,3}? (?:both )?(?:goes|go|gets? along|mix(?:es)?|combines?|pairs?)(?: fine| well| nicely)? with"
    r" your\b"
)
_UNWANTED: Final = (
    r"[^.;!?\n]{0,60}?(?:[,;]| –| —| but| and) (?:but )?(?:please (?:don't|do not)|(?:i'd|i would) (?:rather|prefer) "
    r"(?:that )?you (?:didn't|did not|not)|i (?:wouldn't|would not)|you(?:'d)? better not|that's not for you"
    r"|(?:it|that|this)(?:'s| is)(?: not|n't) (?:for you|an option for you))"
    r"(?= ?[.,;:!?\n–—)]| ?\Z| (?:in your|here|until|while|for|because|with|partly|since|myself)\b)"
    r"| (?:is|are)(?:n't| not)(?=\s*[.;!\n]|\Z)"
    r"| (?:is|are)(?:n't| not) (?:an? |the )?(?:right |good |safe |sensible )?(?:alternative|option|substitute|choice"
    r"|solution"
    r"|idea|answer|good\b|wise|safe|suitable|advisable|recommended|necessary|needed|required|called for|warranted|worth"
    r"|for you)"
    r"| (?:has to|have to|needs? to|must|should) (?:pause|stop|wait|rest|go(?=[ .,;])|be (?:stopped|paused|held|skipped"
    r"|left out))"
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
)
_SYMPTOM: Final = (
    r"(?:the |your |any )?(?:pain|fever|aches|body aches|headaches?|cough|congestion|nausea|itch(?:ing)?|heartburn"
    r"|a stuffy nose|sore throat|cramps|sleep|soreness|discomfort|chills)"
)
_TOLD: Final = (
    r" (?:that |which )?you (?:told (?:me|us) about|(?:have|had|'ve) been (?:taking|using)"
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
    rf"{_TAIL}(?: \w+)? (?:(?P<against>alone|on the shelf|in the (?:cabinet|box|drawer|shop|store|pharmacy|package"
    r"|cupboard)|out\b|off\b|aside|to others|be\b)"
    r"|(?P<kept>as (?:it|they)|where|unchanged|untouched|the way|in place|at (?:the|its|this|\d)))"
)
"""What behind "leave X" tells whether it is to be left out or left on."""
_LEAVE: Final = re.compile(r"\b(?:leave|leaving) (?P<owned>your |the )?$")
_FRAGMENT: Final = re.compile(rf"{_TAIL} for {_SYMPTOM}\s*(?:[.!\n;]|\Z)")
_IN_FRAGMENT: Final = re.compile(
    r"(?:\A|[.:;!\n*-])[\s\d.*_-]*(?:[a-z]+, (?:and )?){0,3}$"
    rf"|\bfor {_SYMPTOM}(?::[*_]* (?:\w+ )?|(?:,? (?:use|take|try|stick to|reach for|choose|prefer)|,) (?:some |plain "
    rf"|an? )?)$"
)
_BEFORE_DRUG: Final = re.compile(
    r"(?:"
    r"(?P<kept>\b(?:don't|do not|never|not to|not) (?:\w+ ){0,2}(?:lower|reduce|change|adjust|alter|taper|raise"
    r"|increase"
    r"|halve|touch|tinker with|play with|fiddle with|double) (?:the |your )?(?:dose of |dosage of )?(?:the |your )?"
    r"|\bno (?:change|changes|adjustment|dose change|dose adjustment) (?:to|in|of|for|with) (?:the |your )?"
    r"|\b(?:take|use|inject|give|have)\b[^.;,\n]{0,16} (?:units?|tablets?|mg|puffs?|pills?) (?:less|fewer|more) (?:of"
    r" )?(?:the |your )?"
    r"|\bno (?:need|reason|cause) to (?:worry|fret|be (?:afraid|worried|concerned|anxious)) about (?:the |your ))"
    r"|(?P<fact>\bthan (?:stopping|dropping|giving up|quitting|skipping|cutting|halving|coming off|pausing) (?:the "
    r"|your )?"
    r"|\b(?:your|yours)\b(?:(?!\bnot\b|n't|\bnever\b)[^.;,\n]){0,40}\bon (?:the )?"
    r"|\b(?:might|may|could|will|to|would) (?:consider |suggest |discuss |be )?(?:raise|raising|increase|increasing"
    r"|adjust|adjusting|doubling|titrating|fine-tun\w+) (?:the |your )?(?:dose of )?(?:the |your )?"
    r"|\bdepend(?:s|ing)? on )"
    r"|(?P<beside>\b(?:(?:apart|separate|separated) from|hours? (?:from|before|after)|beside|alongside|on top of|in"
    r" addition to|next to|as an add-on to|to go with) (?:the )?)"
    r"|(?P<source>\b(?:the|your|this|that|it)\b[^.;,\n]{0,24} (?:comes|come|came|stems|is|are) from (?:the )?)"
    r"|(?P<against>hands off (?:the |any )?|\A\W*(?:and |but |so |just )?(?:not|no) (?:the |any |more )?"
    r"|\b(?:don't|do not|never) let (?:anybody|anyone|them|someone|any doctor|a doctor|the \w+)[^.;,\n]{0,24} (?:the "
    r"|any )?|, (?:but |and )?never (?:any |an? )?"
    r"|\b(?:avoid|steer (?:around|clear of|away from)|skip|stay away from|leave out|pass on|keep away from|keep off"
    r"|(?:not|n't) (?:want|take|use|touch|recommend|add|mix in))\b[^.;\n]{0,12} (?:is|are|would be) (?:the |any |all )?"
    r"|\b(?:rather|prefer)(?: that)? you (?:didn't|don't|did not|do not|not|never|avoid\w*|skip\w*)"
    r"(?: (?!stop|quit|skip|drop|chang|halv|lower|reduc|miss|come|giv|paus)\w+)? (?:any |the )?)"
    r"|(?P<hedged>\b(?:i am|i'm|we are|we're) (?:also )?(?:thinking (?:of|about)|considering|leaning towards?|weighing"
    r"|pondering|inclined to (?:add|try|use)) (?:an? |adding |starting |trying |some |the )*"
    r"|\b(?:doctor|physician|specialist|surgeon|prescriber|team|they|clinic|[a-z]+ist)(?: \w+)? (?:might|may|could)"
    r"(?: also| well| then)? (?:consider|suggest|propose|offer|choose|add|try|prefer|start|prescribe|use|bring up"
    r"|think about|discuss|mention|recommend|want|opt for|go for|switch (?:you )?to|move (?:you )?to)(?: \w+ing)? "
    r"(?:an? |some |the |you |a (?:short )?course of |a trial of )*)"
    r"|(?P<like>\b(?:ones?|pills|tablets|products|those|drugs|medicines|combinations|sprays|remedies|preparations)"
    r" (?:with|containing|that (?:contain|have)|based on) |\b(?:less|more|worse|better|stronger|weaker) (?:so )?than"
    r" (?:with|for|on) "
    r"|\b(?:long|short|repeated|high) (?:courses|doses|use) of )"
    r"|(?P<offered>(?<!good )(?<!better )(?<!best )(?<!safe )(?<!safer )\b(?:options?|possibilit(?:y|ies)|ideas?"
    r"|solutions?|alternatives?|candidates?)\b[^.;\n]{0,32}?"
    r"(?:\b(?:is|are|would be|include|includes|could be|might be)|:) (?:[^.;\n]{2,40}(?:,| or| and) )?"
    r"(?:(?:a short course of|adding|starting|trying|an?|some|either|to add|to try) )*)"
    r")$"
)
_REMARKS: Final = {
    "told": Remark(STRONG, _AT_LARGE | HEDGE | _DENIAL),
    "kept": Remark(KEEP, _ADVICE | _DENIAL | _AT_LARGE | HEDGE, FAMILY | CONDITION),
    "fact": Remark(STRONG, _ADVICE | _AT_LARGE | HEDGE | _DENIAL, FAMILY | CONDITION),
    "hedged": Remark(HEDGE, _ADVICE | _AT_LARGE | AFFIRM | PERSONAL, STRONG | NEGATE | FAMILY),
    "offered": Remark(HEDGE, _AT_LARGE | AFFIRM | RECOMMEND, AGAINST | KEEP | STRONG | NEGATE | FAMILY | EXAMPLE),
    "usual": Remark(_AT_LARGE, _ADVICE | AFFIRM, STRONG | PERSONAL | FAMILY),
    "good": Remark(RECOMMEND, _AT_LARGE | HEDGE | AFFIRM, AGAINST | KEEP | _OWN | _DENIAL | FAMILY | CONDITION),
    "like": Remark(_AT_LARGE, _ADVICE | AFFIRM, _OWN | FAMILY),
    "next": Remark(RECOMMEND, STRONG | PERSONAL | AFFIRM, CONDITION | FAMILY | NEGATE),
    "yes": Remark(RECOMMEND, _AT_LARGE | HEDGE, _ADVICE | _OWN | NEGATE | FAMILY),
    "against": Remark(AGAINST, _ADVICE | _DENIAL | _AT_LARGE | AFFIRM | PERSONAL | FAMILY),
    "beside": Remark(STRONG, _ADVICE | _DENIAL, _AT_LARGE | FAMILY | CONDITION),
    "source": Remark(STRONG, AFFIRM | _AT_LARGE, _ADVICE | HEDGE | NEGATE | CONDITION | FAMILY | EXAMPLE),
}

_CARE: Final = (
    r"(?:call|ring|phone|go\b|come (?:in|straight)|stop|see\b|seek|get (?:help|seen|medical)|er\b|ambulance|emergency"
    r"|911|999|112|urgent|straight|same[- ]day|the same day|hospital|be seen|a visit|medical|attention|checked|tell|let"
    r"|an exam|doctor|looked at|immediate|right away|today|tonight|message|write|no waiting|time to|reach)"
)
_URGENT: Final = (
    r"(?:emergency|at once|right away|straight away|immediately|(?:the )?same[- ]day|without delay|urgent(?:ly)?"
    r"|ambulance"
    r"|911|999|112|can't wait|cannot wait|don't wait|let (?:me|us) know|call (?:me|us)|tell (?:me|us)|hear about|be"
    r" seen|get(?: it| that)? looked at|the"
    r" er"
    r"|hospital)"
)
_ALARM: Final = re.compile(
    r"s?[^.;!?\n:]{0,60}?(?: (?:would (?:all )?be|are all|is|should be) (?:an? |your |the )?(?:reasons?|signs?"
    rf"|signals?|cues?|grounds) (?:to|for|that) [^.;\n]{{0,24}}?\b{_CARE}"
    r"| (?:would )?(?:needs?|deserves?|warrants?|calls? for|means?|belongs? in|requires?|should (?:bring|send|prompt"
    rf"|make|get|have)|must (?:bring|send)) [^.;\n]{{0,24}}?\b{_CARE}"
    r"| (?:is|are|would be|means?|makes? it|would change|turns? (?:this|it|that)|would make (?:me|us)|should be|has to"
    r" be|have to be|must be|needs? to be)\b"
    rf"[^.;!?\n]{{0,60}}?\b{_URGENT}"
    rf"|: (?:please |then )?{_CARE}"
    r"|: (?:those|these|that|all of (?:them|these|that)|any of (?:these|those)) (?:need|call|mean|is an|are|should"
    r"|belong"
    r"|deserve|warrant))"
)
"""What behind a symptom tells what to do once it is there: "black stools need a call", "fainting: call 911"."""
_AT_SIGN: Final = re.compile(
    r"\b(?:first|early|earliest|slightest|any) (?:signs?|hint|symptoms?|trace) of (?:an? )?(?:[\w-]+,? or )?$"
)
_THAT_YOU: Final = re.compile(
    r"\b(?:tell|remind|mention|inform|say|let|make|note|know|aware)\b(?:(?!\bif\b|\bwhe)[^.;,\n]){0,40} (?:that"
    r" )?you(?:'re| are|'ve| have| take| use"
    r"| carry)(?: allergic to| on| taking| using)? (?:an? |the )?(?:[\w-]+ )?$"
)
_CALL_FOR: Final = re.compile(
    r"\b(?:call|ring|phone|contact|message|return|come (?:in|back)|see (?:me|us|someone|a doctor)|go to (?:the )?\w+"
    r"|seek \w+"
    r"|get help)\b[^.;:!?\n]{0,32}? (?:for|with|about|in case of|on) [^.;:!?\n]{0,90}$"
)
"""What before a symptom tells what to do once it is there: "call the ward for a fever, shortness of breath or …"."""
_IDENTIFIED: Final = re.compile(
    r"(?:\b(?:name|term|word)s? for (?:this|it|that|these) (?:is|are)|\b(?:this|that|it)(?:'s| is) (?:called|known as"
    r"|what (?:we|doctors) call)|\b\d[\d.]*(?: ?%| g/dl)? (?:is|means)|\b(?:we|doctors) call (?:this|it|that)|\bwhich"
    r" (?:we|doctors) call"
    r"|(?:\A\W*|, (?:and|so|which means) )(?:that|this) is|\bso you have) (?:an? |the |mild |early |just )*$"
)
"""What names what the patient has: "the name for this is chronic kidney disease"."""
_SUPPOSING: Final = re.compile(r"\W*(?:when|if|once|whenever|unless)\b")
_WOULD_BE: Final = re.compile(
    r"\b(?:that|this|it|these|those) (?:can|could|may|might|would|will) (?:\w+ )?be (?:an? |the )?$"
)
_IN_CASE: Final = re.compile(r"\b(?:if|should you|whenever|unless|call 911|emergency)\b")
"""What before "that may be" makes it what would then be so: "if you tremble, that may be lithium toxicity"."""
_SINCE: Final = re.compile(
    r"(?:\A|[\n:*])\W*(?:(?:just|only|about|nearly|almost|roughly|[\w-]+) ){1,3}(?:weeks?|months?|years?|days?) "
    r"(?:after|since|out from|past|on from) (?:an? |the |your )?(?:[\w-]+ )?$"
)
"""At the beginning of a sentence, a time since something that the patient had: "Ten weeks after a hernia repair"."""
_HAD: Final = re.compile(
    r"s? (?:that |which )?you(?:'ve| have|'re| are)? (?:had|describe|described|told (?:me|us) about|been (?:having"
    r"|feeling"
    r"|getting|noticing)|having|feeling|get|feel|notice|noticed|report|reported|felt)\b(?! (?:if|when|whether))"
)
_EVIDENCE: Final = re.compile(r"s?[^.;!?\n]{0,60}?(?<!would) makes? (?:me|us) (?:think|wonder|suspect|consider)\b")
_WITHOUT: Final = re.compile(r"\A\W*without (?:an? |any |the )?(?:[\w-]+ )?$")
_IN_HAND: Final = re.compile(
    r"\b(?:there's|there is) no\b|\b(?:in|on|for|of) (?:you|your)\b|\byour (?:symptoms|cough|pain)\b"
)
"""What behind "Without X, …" makes it one that the patient does not have."""
_FLARE: Final = re.compile(r"\b(?:flare(?:-up)?s?|relapse|recurrence|exacerbation|worsening) of (?:the |your )?$")
"""What takes for granted that the patient has something, whatever is doubted: "may well be a flare of eczema"."""
_WITH: Final = re.compile(r"\W*with (?:an? |the )?")
_WOULD: Final = re.compile(r"\bwould\b|'d\b|\b(?:often|usually|typically|commonly)\b")
_TO_YOU: Final = re.compile(r"\byou(?:r|'re|'ve|rs)?\b")
_NOT_WORSE: Final = re.compile(
    r"(?:n't|\bnot|\bnever|\bneither|\bnor|\bnone of (?:it|them|these)|\bnothing \w+)(?: \w+){0,3}? (?:worsens?|upsets?"
    r"|affects?"
    r"|aggravates?|bothers?|harms?|provokes?|interferes? with|conflicts? with|clash(?:es)? with) (?:the )?$"
)
"""What denies a harm to a condition, which is there: "it doesn't worsen COPD"."""
_TESTED: Final = re.compile(
    r"\b(?:we|i|i'd|we'd|should|let's|like to|want to)\b[^.;\n]{0,24}\b(?:look(?:ing)?|test(?:ing)?|check(?:ing)?"
    r"|screen(?:ing)?) (?:you )?for (?:an? )?$"
)
_QUESTIONED: Final = re.compile(
    rf"[^.;:!?\n]{{0,60}}\?[*_]* (?:then|that|please|it's|this|{_CARE}|don't|do not|those)\b"
)
_ANSWERED: Final = re.compile(
    rf"{_TAIL}[^.;:!?\n]{{0,24}}\?[*_]* (?:(?:[A-Za-z' ]{{3,36}}[.;,–—] )?(?P<no>no\b|not (?:for|now|today|with|here|a"
    rf" good)|avoid"
    r"|skip (?:it|them|that)|leave (?:it|them|that)|better not|rather not|i'd (?:skip|avoid|pass|leave|not|rather not)"
    r"|please don't|don't)|(?P<yes>yes\b|sure\b|fine\b|go ahead|by all means|absolutely|of course|please do))"
)
_ASKS: Final = re.compile(
    r"\b(?:you|your|i|we|is|are|was|do|does|did|have|has|can|could|would|should|will|what|why|how|when|which|who|or"
    r" is)\b"
)


_INSTEAD: Final = re.compile(r"[^.;\n]{0,40}\b(?:you (?:take|use|have)|you're on|is (?:the one|yours|your))\b")
"""What behind "not X" names what is taken in its place: "Not lisinopril – losartan is the one you take"."""
_NEXT: Final = re.compile(r"\b(?:your|the) next (?:[\w-]+ )?$")
_OF_ANYTHING: Final = frozenset(("hedged", "offered", "usual", "against", "good"))
"""Remarks on procedures too: nobody takes them on."""
_SPOKEN_OF: Final = _ADVICE | _OWN | NEGATE | CONDITION | FAMILY | EXAMPLE | GENERAL | HEDGE
_THEN: Final = re.compile(
    r"\W*(?:then|in that case|at that point|if so|in this case)\b[^.;\n]{0,60}\b(?:would|may|might|could|'d|can)\b"
)


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
        supposed = _THEN.match(text) or _BEYOND.search(text, max(0, start - _BEFORE), start)
        if supposed:
            return roles | CONDITION, negations
    if category == "drug" and not roles & _SPOKEN_OF:
        lone = _IN_FRAGMENT.search(text, max(0, start - _BEFORE), start)
        if lone and ("for " in lone[0] or _FRAGMENT.match(text, end)):
            return roles | RECOMMEND, negations
    return roles, negations


def _remark(text: str, start: int, end: int, category: str, roles: int) -> str:
    """The name of the remark on a drug or procedure; empty if there is none."""
    if category == "procedure":
        if _NEXT.search(text, max(0, start - len("your next follow-up ")), start):
            return "next"
    else:
        left = _LEAVE.search(text, max(0, start - len("leaving your ")), start)
        kept = _LEFT.match(text, end) if left else None
        if left and kept:
            goes_on = kept["kept"] or (left["owned"] == "your " and kept["against"] == "alone")
            return "kept" if goes_on else "against"
    for found in (_BEFORE_DRUG.search(text, max(0, start - _BEFORE), start), _AFTER_DRUG.match(text, end)):
        name = (found.lastgroup or "") if found else ""
        fits = name in _OF_ANYTHING or category != "procedure"
        if name and fits and (name != "beside" or roles & (_ADVICE | NEGATE)):
            return name
    return ""


def on_condition(text: str, start: int, end: int, given: tuple[int, int]) -> tuple[int, int]:
    """The roles and negations of a condition or symptom at start:end with what is remarked on it."""
    roles, negations = given
    if roles & CONDITION and _WITHOUT.search(text, 0, start) and _IN_HAND.search(text, end):
        return roles & ~CONDITION | NEGATE | PERSONAL, 1
    if _NOT_WORSE.search(text, max(0, start - _BEFORE), start):
        return roles & ~(_AT_LARGE | HEDGE | _DENIAL | _ADVICE) | STRONG, 0
    if roles & (CONDITION | FAMILY):
        return roles, negations
    if _HAD.match(text, end) or _FLARE.search(text, max(0, start - len("a recurrence of your ")), start):
        return roles & ~(_AT_LARGE | HEDGE) | STRONG, negations
    if not negations and not roles & GENERAL and _WITH.fullmatch(text, 0, start) and not _WOULD.search(text, end):
        return roles | AFFIRM | PATIENT, negations
    if not (roles & (STRONG | NEGATE) or _TO_YOU.search(text, 0, start)) and _ALARM.match(text, end):
        return roles & ~(AFFIRM | PERSONAL) | CONDITION, negations
    if roles & (PERSONAL | STRONG | PATIENT):
        return roles, negations
    if _EVIDENCE.match(text, end):
        return roles & ~(_AT_LARGE | HEDGE) | STRONG, negations
    return (roles if negations else _supposed(text, start, end, roles)), negations


def _supposed(text: str, start: int, end: int, roles: int) -> int:
    """The roles of a condition of which nobody is said: named as the patient's, suspected, or a sign to act on."""
    before = max(0, start - _BEFORE)
    if not roles & HEDGE and _IDENTIFIED.search(text, before, start) and not _SUPPOSING.match(text):
        return roles & ~_AT_LARGE | STRONG
    if _WOULD_BE.search(text, max(0, start - len("actually would actually be the ")), start):
        return roles & ~_AT_LARGE | (CONDITION if _IN_CASE.search(text, 0, start) else HEDGE)
    if (
        _ALARM.match(text, end)
        or _AT_SIGN.search(text, before, start)
        or _CALL_FOR.search(text, max(0, start - 2 * _BEFORE), start)
    ):
        return roles | CONDITION
    return roles & ~_AT_LARGE | HEDGE if _TESTED.search(text, before, start) else roles


def is_told_to_others(text: str, start: int) -> bool:
    """Whether others are to be told of what stands at a place: "remind the prescriber that you're allergic to …"."""
    return _THAT_YOU.search(text, max(0, start - _BEFORE), start) is not None


def is_since(text: str, start: int) -> bool:
    """Whether a sentence begins with the time since what is named at a place: "Ten weeks after a hernia repair"."""
    return _SINCE.search(text, max(0, start - _BEFORE), start) is not None


def answered(text: str, first: int, start: int, end: int) -> int:
    """What the answer to a question of one word advises of a treatment: "Ginseng? Leave it", "Paxlovid? Yes,"
    " please"."""
    if _ASKS.search(text, first, start):
        return 0
    found = _ANSWERED.match(text, end)
    if found is None:
        return 0
    return AGAINST if found["no"] else ALLOW


def is_alarm(text: str, first: int, start: int, end: int) -> bool:
    """Whether a question without a verb, which begins at `first`, is a sign to act on: "Chest pain? Then call 911"."""
    return _QUESTIONED.match(text, end) is not None and _ASKS.search(text, first, start) is None


def _said(name: str, roles: int, negations: int) -> tuple[int, int]:
    remark = _REMARKS[name]
    if roles & remark.unless:
        return roles, negations
    return roles & ~remark.takes | remark.gives, 0 if remark.takes & NEGATE else negations
