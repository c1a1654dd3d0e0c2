// Both descriptions as they were written, with the terms that were read in them, and lines between those that met.

view((evidence) => Array.isArray(evidence.findings) && Array.isArray(evidence.reference?.terms), showTerms);

const SIDES = ["reference", "prediction"];
// From what is wrong to what is not.
const OUTCOMES = ["missed", "extra", "negated", "confused", "place", "right", "uncounted"];
const WRONG = OUTCOMES.slice(0, 5);
const SIGNS = { missed: "−", extra: "+", negated: "¬", confused: "↔", place: "@", right: "✓", uncounted: "·", unread: "?" };
const LANE = 4;
const LANES = 6;

function showTerms({ reference, prediction, findings }) {
  const described = { reference, prediction };
  const found = findings.map(([outcome, said, meant, similarity]) => ({ outcome, prediction: said, reference: meant, similarity }))
    .sort((a, b) => (a.reference ?? Infinity) - (b.reference ?? Infinity) || a.prediction - b.prediction);
  const pairs = found.filter((each) => SIDES.every((side) => described[side].terms[each[side]]));
  pairs.forEach((pair, at) => { pair.number = at + 1; });
  const outcomes = Object.fromEntries(SIDES.map((side) => [side, outcomesOf(described[side].terms, found, side)]));
  const pieces = { reference: new Map(), prediction: new Map() };
  const box = el("div", { class: "descriptions" }, SIDES.map((side) => el("div", { class: "description" },
    el("p", { class: "side-title" }, word(side)),
    el("p", { class: "sentence" }, sentence(described[side], outcomes[side], pairs, side, pieces[side])))));
  tie(box, pairs.map((pair) => ({ outcome: pair.outcome, pieces: SIDES.map((side) => pieces[side].get(pair[side])) })));
  return el("div", { class: "terms" }, box, inWords(described, found, outcomes));
}

// What became of each term. One that repeats another has its outcome, and so have alternatives of which none met.
function outcomesOf(terms, findings, side) {
  const outcomes = terms.map(() => "uncounted");
  for (const outcome of OUTCOMES.toReversed()) {
    for (const finding of findings.filter((each) => each.outcome === outcome && terms[each[side]])) {
      const first = terms[finding[side]];
      const alone = finding.reference === null || finding.prediction === null;
      terms.forEach((term, at) => {
        const same = term.atom === first.atom || (alone && term.choice && term.choice === first.choice);
        if (same && Boolean(term.negated) === Boolean(first.negated)) outcomes[at] = outcome;
      });
    }
  }
  return outcomes;
}

// Positions count characters, not UTF-16 units.
function sentence({ text, terms, not_understood: gaps = [] }, outcomes, pairs, side, pieces) {
  const letters = Array.from(text);
  const spans = new Map();
  terms.forEach(({ start, end }, at) => {
    const key = `${start} ${end}`;
    if (!spans.has(key)) spans.set(key, { start, end, numbers: [] });
    spans.get(key).numbers.push(at);
  });
  const made = [];
  let done = 0;
  for (const span of [...spans.values(), ...gaps].sort((a, b) => a.start - b.start)) {
    if (span.start < done || span.end > letters.length) continue;
    made.push(letters.slice(done, span.start).join(""));
    made.push(span.numbers ? piece(span.numbers, terms, outcomes, pairs, side, pieces) : unread(span.text));
    done = span.end;
  }
  return [made, letters.slice(done).join(""), letters.length === 0 && el("span", { class: "faint" }, word("empty"))];
}

function piece(numbers, terms, outcomes, pairs, side, pieces) {
  const found = OUTCOMES.filter((outcome) => numbers.some((at) => outcomes[at] === outcome));
  const mixed = found.length > 1; // each part is painted as what became of it: of 薄白 only 薄
  const part = (at) => mixed && `part ${outcomes[at]}`;
  const letters = mixed ? Array.from(terms[numbers[0]].text, (letter) => {
    const at = numbers.find((each) => valueOf(terms[each]).includes(letter));
    return at === undefined ? letter : el("span", { class: part(at) }, letter);
  }) : terms[numbers[0]].text;
  const ties = pairs.filter((pair) => numbers.includes(pair[side])).map((pair) => pair.number);
  const made = el("mark", { class: `atom ${mixed ? "mixed" : found[0]}` },
    el("span", { class: "written" }, letters, ties.length > 0 && el("sup", { class: "tie" }, ties.join(","))),
    numbers.map((at) => el("span", { class: `gloss ${part(at) || ""}` }, outcomes[at] !== "right" && [sign(outcomes[at]), " "],
      numbers.length > 1 && `${valueOf(terms[at])} `, glossOf(terms[at], numbers.length > 1 ? "" : terms[at].text), denial(terms[at]))));
  numbers.forEach((at) => pieces.set(at, made));
  return made;
}

function unread(text) {
  return el("mark", { class: "atom unread" }, el("span", { class: "written" }, text), el("span", { class: "gloss" }, sign("unread")));
}

// The sign is for the eye, the word for the ear.
function sign(outcome) {
  return [el("b", { "aria-hidden": "true" }, SIGNS[outcome]), el("span", { class: "unseen" }, word(`outcome_${outcome}`))];
}

// What a term means, in both languages; the page shows the one it is in. A gloss that stands in the text already says
// nothing; there the name of the property does (담: 淡).
function glossOf(term, beside) {
  const { en, ko } = term.gloss ?? {};
  if (!en && !ko) return null;
  return Object.entries({ en: en || ko, ko: ko || en }).map(([language, gloss]) =>
    el("span", { "data-said": language, hidden: document.documentElement.lang !== language }, gloss === beside ? valueOf(term) : gloss));
}

function valueOf({ atom }) {
  return atom.slice(atom.indexOf("_") + 1);
}

// A term as it was written. Where one piece of text states several (淡胖), each goes by its own name.
function named(term, terms) {
  const shared = terms.some((each) => each.atom !== term.atom && each.start === term.start);
  const name = shared ? valueOf(term) : term.text;
  const gloss = glossOf(term, name);
  return [el("b", { class: "term" }, name), gloss && [" (", gloss, ")"]];
}

function inWords({ reference, prediction }, findings, outcomes) {
  const of = (outcome) => findings.filter((each) => each.outcome === outcome);
  const [meant, said] = [reference.terms, prediction.terms];
  const right = of("right").filter((each) => meant[each.reference]);
  const silent = [...meant.filter((_, at) => outcomes.reference[at] === "uncounted").map((term) => [word("reference"), ": ", named(term, meant), denial(term)]),
    ...said.filter((_, at) => outcomes.prediction[at] === "uncounted").map((term) => [word("prediction"), ": ", named(term, said), denial(term)])];
  const gaps = Object.entries({ reference, prediction }).filter(([, { not_understood: unknown = [] }]) => unknown.length > 0)
    .map(([side, { not_understood: unknown }]) => el("div", null, word(side), ": ", listed([...new Set(unknown.map((gap) => gap.text))].map((text) => el("b", { class: "term" }, text)))));
  return el("ul", { class: "found" },
    WRONG.map((outcome) => group(outcome, of(outcome).map((each) => el("div", null, wrong(each, meant, said))))),
    group("right", listed(right.map((each) => [named(meant[each.reference], meant), denial(meant[each.reference])]))),
    group("uncounted", listed(silent), el("small", null, word("uncounted_why"))),
    group("unread", gaps));
}

function group(outcome, content, note) {
  return content.length > 0 && el("li", null,
    el("span", { class: `found-kind ${outcome}` }, el("b", { "aria-hidden": "true" }, SIGNS[outcome]), " ", word(`outcome_${outcome}`)),
    el("div", null, content, note));
}

function listed(items) {
  return items.map((item, at) => [at > 0 && " · ", item]);
}

function denial(term) {
  return term.negated && [", ", word("denied")];
}

function wrong({ outcome, reference, prediction, similarity }, meant, said) {
  const [wanted, given] = [meant[reference], said[prediction]];
  if (!wanted || !given) {
    const [term, terms] = wanted ? [wanted, meant] : [given, said];
    return term ? [named(term, terms), denial(term), axisOf(term)] : "…";
  }
  if (outcome === "negated") return [named(wanted, meant), ": ", polarity(wanted), " → ", polarity(given), axisOf(wanted)];
  if (outcome === "place") return [named(wanted, meant), ": ", placesOf(wanted, meant), " → ", placesOf(given, said), axisOf(wanted)];
  return [named(wanted, meant), " → ", named(given, said), axisOf(wanted), el("span", { class: "faint" }, " · ", term("about_similarity", word("similarity")), ` ${number(similarity, "")}`)];
}

function polarity(term) {
  return word(term.negated ? "denied" : "stated");
}

function axisOf(term) {
  const [axis] = term.atom.split("_");
  return knows(`axis_${axis}`) && el("span", { class: "faint" }, " · ", word(`axis_${axis}`));
}

// A finding that is stated several times is at the places of all its mentions.
function placesOf(term, terms) {
  const mentions = terms.filter((each) => each.atom === term.atom && Boolean(each.negated) === Boolean(term.negated));
  const places = [...new Set(mentions.flatMap((each) => each.places ?? []))]
    .map((place) => terms.find((each) => each.atom === place)).filter(Boolean);
  return listed([...places.map((place) => named(place, terms)), ...(mentions.some((each) => !each.places) ? [word("no_place")] : [])]);
}

// Lines run below the words of their side to the gap between both, so that none crosses a word. Where the sides do not
// stand side by side, the numbers at the terms say the same.
function tie(box, pairs) {
  if (!pairs.every((pair) => pair.pieces.every(Boolean))) return;
  const drawing = svg("svg", { class: "threads", "aria-hidden": "true" });
  box.append(drawing);
  const observer = new ResizeObserver(() => {
    const [left, right] = [...box.querySelectorAll(".description")].map((column) => rowsOf(column, box));
    const lines = pairs.map(({ outcome, pieces: [a, b] }) => ({ outcome, from: left.get(a), to: right.get(b) }));
    lines.sort((a, b) => OUTCOMES.indexOf(b.outcome) - OUTCOMES.indexOf(a.outcome));
    settle(lines.map((line) => line.from), (one, other) => other.x - one.x);
    settle(lines.map((line) => line.to), (one, other) => one.x - other.x);
    drawing.replaceChildren(...lines.map(({ outcome, from, to }) => svg("path", { class: outcome, d: path(from, to) })));
  });
  for (const each of [box, ...box.querySelectorAll(".atom")]) observer.observe(each);
}

// Where a line leaves each piece of a column: below its middle, and from there below the lowest piece of its row.
function rowsOf(column, box) {
  const { left, top } = box.getBoundingClientRect();
  const edges = column.getBoundingClientRect();
  const placed = [...column.querySelectorAll(".atom")].map((each) => [each, each.getBoundingClientRect()]);
  return new Map(placed.map(([each, at]) => [each, {
    x: (at.left + at.right) / 2 - left, y: at.bottom - top, row: at.top,
    floor: Math.max(...placed.filter(([, other]) => other.top === at.top).map(([, other]) => other.bottom)) - top,
    edges: [edges.left - left, edges.right - left],
  }]));
}

// The nearer to the gap, the higher the lane: then the lines of one row do not cross.
function settle(ends, order) {
  for (const row of new Set(ends.map((end) => end.row))) {
    const inRow = [...new Set(ends.filter((end) => end.row === row))].sort(order);
    inRow.forEach((end, at) => { end.lane = end.floor + 5 + LANE * (at % LANES); });
  }
}

function path(from, to) {
  const [out, into] = [from.edges[1], to.edges[0]];
  const middle = (out + into) / 2;
  return `M${from.x} ${from.y}V${from.lane}H${out}C${middle} ${from.lane} ${middle} ${to.lane} ${into} ${to.lane}H${to.x}V${to.y}`;
}
