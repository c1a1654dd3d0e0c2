// The properties read from both descriptions, and who met whom.

const TERM_ROW = 36;

view((evidence) => Array.isArray(evidence.matches) && Array.isArray(evidence.reference), showTerms);

function showTerms(evidence) {
  const { prediction, reference, matches } = evidence;
  const height = Math.max(prediction.length, reference.length, 1) * TERM_ROW + 28;
  const met = { prediction: new Set(matches.map(([at]) => at)), reference: new Set(matches.map(([, at]) => at)) };
  const y = (at) => 28 + (at + 0.5) * TERM_ROW;
  const drawing = svg("svg", { class: "matching", viewBox: `0 0 440 ${height}`, role: "img", ...label("matches") },
    svg("text", { x: 175, y: 14, "text-anchor": "end", class: "faint" }, word("prediction")),
    svg("text", { x: 265, y: 14, class: "faint" }, word("reference")),
    matches.filter(([p, r]) => p < prediction.length && r < reference.length).map(([p, r, alike]) =>
      svg("line", { x1: 183, x2: 257, y1: y(p), y2: y(r), class: alike < 1 ? "partial" : "", "stroke-opacity": Math.max(0.25, alike) },
        svg("title", null, number(alike, "")))),
    prediction.map((term, at) => termText(term, 175, y(at), "end", met.prediction.has(at))),
    reference.map((term, at) => termText(term, 265, y(at), "start", met.reference.has(at))));
  return [
    titled(word("matches"), el("div", { class: "wide", tabindex: "0" }, drawing)),
    evidence.not_understood && titled(word("not_understood"), table("small-table", null,
      Object.entries(evidence.not_understood).flatMap(([side, gaps]) => gaps.map((gap) =>
        [word(side), el("code", { class: "shown" }, gap.text), `${gap.start}–${gap.end}`])))),
  ];
}

function termText(term, x, y, anchor, met) {
  const marks = [term.degree, ...(term.places ?? [])].filter(Boolean).join(" · ");
  return svg("g", null,
    svg("text", { x, y, "text-anchor": anchor, class: met ? "" : "alone" }, `${term.negated ? "¬" : ""}${term.atom}`,
      svg("title", null, met ? term.text : `${term.text} · ${say("no_match")}`)),
    svg("text", { x, y: y + 13, "text-anchor": anchor, class: "faint" }, `${term.text} [${term.start}–${term.end}]${marks && ` ${marks}`}`));
}
