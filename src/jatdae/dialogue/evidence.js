// The transcript, turn by turn: in each answer the words that something was found about, and below it what that is, in
// a sentence. What was known of the patient is folded above.

const FAULTS = ["violated", "hallucinated", "contradicted"]; // where they overlap, the first is painted
const LISTED = ["violated", "hallucinated", "contradicted", "unused_slots", "missing_elements"];
const LONGEST = 160;
const MOST_HEADLINES = 5;

view((evidence) => Array.isArray(evidence.turns), showDialogue);

let glosses = new Map(); // what names of the record are called in Korean
let inRecord = null; // finds them in a text

function showDialogue(evidence) {
  glosses = new Map(Object.entries(evidence.glosses ?? {}));
  const names = [...glosses.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  inRecord = names.length > 0 ? new RegExp(`(${names.join("|")})`) : null;
  const found = findingsOf(evidence);
  const first = evidence.turns[0]?.slots_truth;
  return [
    el("div", null, summary(found), headlines(found.filter((each) => each.number), evidence.turns), recordOf(first)),
    evidence.turns.map((turn) => dialogueTurn(turn, found, !isSame(turn.slots_truth, first))),
  ];
}

// Everything that was found, numbered in the order in which it is read; a contradiction stands in both of its turns.
function findingsOf({ turns, MCS }) {
  const found = [];
  for (const turn of turns) {
    const { CSP, SFS, CUS_improved: use, ASS } = turn.results ?? {};
    const add = (kind, about, span) => found.push({ kind, about, places: [{ turn: turn.turn, span }] });
    for (const rule of CSP?.violated_rules ?? []) add("violated", rule, rule.span);
    for (const claim of SFS?.hallucinated_details ?? []) add("hallucinated", claim, claim.span);
    for (const pair of (MCS?.contradictions ?? []).filter(({ second }) => second.turn === turn.turn)) {
      found.push({ kind: "contradicted", about: pair, places: [pair.second, pair.first] });
    }
    const unused = Object.entries(use?.used_detail ?? {}).filter(([, slot]) => slot.confidence < 1);
    const lacking = Object.entries(ASS?.elements ?? {}).filter(([, element]) => element.value < 1);
    if (unused.length) add("unused_slots", unused);
    if (lacking.length) add("missing_elements", lacking);
  }
  found.filter(({ kind }) => FAULTS.includes(kind)).forEach((each, at) => { each.number = at + 1; });
  return found;
}

// How often what went wrong; each leads to where it is first found.
function summary(found) {
  const counts = LISTED.map((kind) => [kind, found.filter((each) => each.kind === kind && countOf(each) > 0)]).filter(([, each]) => each.length > 0);
  return el("ul", { class: "legend findings-sum" },
    counts.map(([kind, listed]) => el("li", null, el("button", { type: "button", class: `span ${kind}`, ...note(`counts:${kind}`), click: () => goTo(listed[0]) },
      word(`count.${kind}`), ` ${grouped(listed.reduce((sum, each) => sum + countOf(each), 0))}`))),
    counts.length === 0 && el("li", null, word("no_findings")),
    el("li", null, el("span", { class: "span supported" }, word("span_supported"))));
}

// The gravest findings in a line each, and how many more there are: an answer may be longer than the screen.
function headlines(faults, turns) {
  const ranked = [...faults].sort((a, b) => FAULTS.indexOf(a.kind) - FAULTS.indexOf(b.kind)).slice(0, MOST_HEADLINES);
  return ranked.length > 0 && el("ul", { class: "headlines" }, ranked.map((each) => el("li", null,
    el("button", { type: "button", class: "plain", ...note(`counts:${each.kind}`, codeOf(each)), click: () => goTo(each) }, headline(each, turns)), " ",
    el("span", { class: "faint" }, word("turn", { n: each.places[0].turn })))),
    faults.length > ranked.length && el("li", { class: "faint" }, word("more_below", { n: faults.length - ranked.length })));
}

// The key of what was found in its count table: the id of a rule, the reason why a claim is untrue.
function codeOf({ about: { id, why } }) {
  return id ?? why;
}

function headline({ kind, about, number, places }, turns) {
  if (kind === "violated") return [el("sup", null, number), " ", translated(`key.${about.id}`, about.name), about.text && [": “", about.text, "”"]];
  if (kind === "contradicted") return [el("sup", null, number), " ", word("span_contradicted"), `: “${about.first.text}” – “${about.second.text}”`];
  const said = saidAt(turns.find(({ turn }) => turn === places[0].turn), about);
  const denied = about.why === "negates_truth"; // the words alone would read as if they had been claimed
  return [el("sup", null, number), " ", denied ? word("answer_denies") : [word("span_hallucinated"), ":"], " “", said, "”"];
}

// As in the counts of the run: what is hinted at, or named without a figure, is not left out.
function countOf({ about }) {
  return Array.isArray(about) ? about.filter((each) => shareOf(each) === 0).length : 1;
}

function shareOf([, { confidence, value }]) {
  return confidence ?? value;
}

function goTo({ node }) {
  node.scrollIntoView({ block: "center" });
  node.focus({ preventScroll: true });
}

function isSame(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

function recordOf(slots) {
  const known = Object.entries(slots ?? {}).filter(([, value]) => written(value));
  if (known.length === 0) return el("p", { class: "note" }, word("record_absent"));
  return el("details", { class: "record" }, el("summary", null, word("record")),
    el("dl", null, known.map(([slot, value]) => [el("dt", null, named(slot)), el("dd", null, valued(written(value)))])));
}

// A slot, a requirement or an element by its word, where it has one.
function named(key) {
  return knows(`key.${key}`) ? word(`key.${key}`) : String(key).replaceAll("_", " ");
}

// A value of the record as a reader would write it: "HbA1c 7.8 %, eGFR 48".
function written(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(written).filter(Boolean).join(", ");
  if (typeof value !== "object") return String(value);
  if (value.value !== undefined) return [written(value.value), value.unit].filter(Boolean).join(" ");
  if (value.name !== undefined) return [value.name, value.dose].filter(Boolean).join(" ");
  return Object.entries(value).map(([name, each]) => `${name.replaceAll("_", " ")} ${written(each)}`).join(", ");
}

function valued(text) {
  return knows(`value_${text}`) ? word(`value_${text}`) : glossed(text);
}

// The record stays as it was written; a Korean page says first what its names mean.
function glossed(text) {
  if (!inRecord) return text;
  const inKorean = (said) => el("span", { "data-said": "ko", hidden: document.documentElement.lang !== "ko" }, said);
  return text.split(inRecord).map((part) => (glosses.has(part) ? [inKorean(`${glosses.get(part)}(`), part, inKorean(")")] : part));
}

function shortened(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function dialogueTurn(turn, found, other) {
  const { event } = turn;
  const mine = found.filter(({ places }) => places[0].turn === turn.turn);
  const marks = found.flatMap((each) => each.places.filter((place) => place.turn === turn.turn && place.span)
    .map(({ span }) => ({ kind: each.kind, start: span[0], end: span[1], found: each })));
  const fine = (turn.spans ?? []).filter(({ kind, start }) => ["used", "supported"].includes(kind) && Number.isInteger(start))
    .map((span) => ({ kind: "supported", start: span.start, end: span.end ?? span.start + 1 }));
  const alarms = mine.filter(({ kind }) => kind === "violated").flatMap((each) => (each.about.because ?? [])
    .filter(({ slot, text }) => slot === "question" && turn.raised?.[text])
    .map(({ text }) => ({ kind: "violated", start: turn.raised[text][0], end: turn.raised[text][1], found: each })));
  const answer = typeof event.answer === "string" ? event.answer : "";
  return el("article", { class: "turn", "data-level": turn.turn },
    el("h3", null, word("turn", { n: turn.turn }), el("small", null, turnScores(turn.metrics))),
    other && recordOf(turn.slots_truth),
    el("div", { class: "said patient" }, el("b", { class: "speaker" }, word("patient")),
      el("p", { class: "question" }, painted(questionOf(event), alarms))),
    el("div", { class: "said assistant" }, el("b", { class: "speaker" }, word("assistant")),
      el("p", { class: "answer" }, answer.trim() ? painted(answer, [...marks, ...fine]) : el("em", null, word("no_answer")))),
    mine.length > 0 && el("ul", { class: "findings" }, mine.map((each) => {
      each.node = el("li", { class: each.kind, tabindex: "-1" }, finding(each, turn));
      return each.node;
    })),
    event.metadata && Object.keys(event.metadata).length > 0
      && el("details", { class: "record" }, el("summary", null, word("context")), draw(event.metadata)));
}

function questionOf({ question }) {
  return String(question?.text ?? (typeof question === "string" ? question : ""));
}

function turnScores(metrics) {
  const known = Object.entries(metrics ?? {}).filter(([name, value]) => typeof value === "number" && knows(`score_${name}`));
  return known.map(([name, value]) => el("span", null, term(`metric:${name}`, [word(`score_${name}`), ` (${name})`]), ` ${value.toFixed(2)}`));
}

function finding({ kind, about, number }, turn) {
  const name = (said) => term(`counts:${kind}`, said, codeOf({ about }));
  const tag = number && [el("sup", null, number), " "];
  if (kind === "violated") {
    return [tag, el("span", { class: "span violated" }, term("counts:violated", word("span_violated"))), " ", el("b", null, name(translated(`key.${about.id}`, about.name))),
      el("p", null, grounds(about.because ?? [], turn), about.text ? [word("answer_recommends"), quoted(about.text)] : word("answer_silent")),
      about.rationale && el("small", null, translated(`why_${about.id}`, about.rationale))];
  }
  if (kind === "hallucinated") {
    return [tag, el("span", { class: "span hallucinated" }, name(word("span_hallucinated"))), " ", claim(about, turn)];
  }
  if (kind === "contradicted") {
    return [tag, el("span", { class: "span contradicted" }, name(word("span_contradicted"))), " ",
      [about.first, about.second].map(({ turn: n, text, says }) => [word("turn_says", { n }), quoted(text, knows(`says_${says}`) && [" (", word(`says_${says}`), ")"])])];
  }
  const words = kind === "unused_slots" ? ["answer_unused", "answer_hints"] : ["answer_lacks", "answer_vague"];
  return [about.filter((each) => shareOf(each) === 0), about.filter((each) => shareOf(each) > 0)]
    .map((listed, at) => listed.length > 0 && el("p", null, word(words[at]), " ", joined(listed.map(([name, { value }]) => lacked(term(`counts:${kind}`, named(name), name), kind === "unused_slots" && value)))));
}

function lacked(name, value) {
  return [name, value && el("span", { class: "faint" }, " (", valued(shortened(written(value))), ")")];
}

// What of the record and the question makes a rule apply: "The record says: main condition – Heart failure."
function grounds(because, turn) {
  const asked = because.filter(({ slot, text }) => slot === "question" && turn.raised?.[text]);
  const facts = because.filter(({ slot }) => slot !== "question");
  const question = Array.from(questionOf(turn.event).normalize("NFC"));
  return [
    asked.length > 0 && [word("patient_says"), asked.map(({ text }) => quoted(question.slice(...turn.raised[text]).join("")))],
    facts.length > 0 && [word("record_says"), " ", joined(facts.map(({ slot, text }) => [named(slot), " – ", el("b", null, valued(text.replaceAll("_", " ")))])), ". "],
  ];
}

function claim(about, turn) {
  const { concept, why, truth } = about;
  const sort = String(concept).split(":")[0];
  const says = why === "negates_truth" ? word("answer_denies") : knows(`answer_says_${sort}`) ? word(`answer_says_${sort}`) : word("answer_says");
  return [says, quoted(saidAt(turn, about)), !truth ? word("record_none")
    : [why === "contradicts_truth" ? word("record_says") : word("record_lists"), " ", el("b", null, valued(shortened(truth))), "."]];
}

// A claim with its value: "LDL is 160 mg/dL", not only "LDL".
function saidAt(turn, { span, text }) {
  return Array.from(turn.event.answer.normalize("NFC")).slice(...span).join("") || text;
}

function quoted(text, remark) {
  return [" “", el("q", null, text), "”", remark, ". "];
}

function joined(parts) {
  return parts.map((part, at) => [at > 0 && ", ", part]);
}

// Places count the characters of the composed text as Python does, not UTF-16 units.
function painted(text, marks) {
  const characters = Array.from(text.normalize("NFC"));
  const edges = [...new Set([0, characters.length, ...marks.flatMap((mark) => [mark.start, mark.end])])]
    .filter((edge) => edge >= 0 && edge <= characters.length).sort((a, b) => a - b);
  return edges.slice(0, -1).map((start, at) => {
    const end = edges[at + 1];
    const piece = characters.slice(start, end).join("");
    const over = marks.filter((mark) => mark.start <= start && mark.end >= end);
    const kind = [...FAULTS, "supported"].find((each) => over.some((mark) => mark.kind === each));
    if (!kind) return piece;
    if (kind === "supported") return el("span", { class: "span supported" }, piece);
    const numbers = [...new Set(over.filter((mark) => mark.end === end && mark.found).map((mark) => mark.found.number))];
    const { found } = over.find((mark) => mark.kind === kind);
    return el("mark", { class: `span ${kind}`, click: () => goTo(found) }, piece, numbers.length > 0 && el("sup", null, numbers.join(",")));
  });
}
