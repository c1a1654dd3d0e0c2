// The transcript: what each answer says that is supported, invented, against a rule, or used from the context.

const SPAN_KINDS = ["violated", "hallucinated", "used", "supported"]; // where they overlap, the first is painted

view((evidence) => Array.isArray(evidence.turns), showDialogue);

function showDialogue(evidence) {
  return [
    el("p", { class: "legend" }, SPAN_KINDS.map((kind) => el("span", { class: `span ${kind}` }, word(`span_${kind}`)))),
    evidence.turns.map(dialogueTurn),
    evidence.MCS?.contradictions?.length > 0 && titled(word("contradictions"), table("small-table", null,
      evidence.MCS.contradictions.map(({ about, first, second }) =>
        [about, `${first.turn}: ${first.text}`, `${second.turn}: ${second.text}`]))),
  ];
}

function dialogueTurn(turn) {
  const { event, results, spans } = turn;
  const why = new Map((results?.CSP?.violated_rules ?? []).map((rule) => [rule.id, `${rule.name}. ${rule.rationale}`]));
  for (const found of results?.SFS?.hallucinated_details ?? []) why.set(found.concept, `${found.why}: ${found.truth ?? ""}`);
  const missing = spans.filter((span) => span.kind === "missing");
  return el("article", { class: "turn" },
    el("h3", null, word("turn", { n: turn.turn }), el("small", null, turnValues(turn.metrics))),
    el("p", { class: "question" }, event.question?.text ?? ""),
    el("p", { class: "answer" }, painted(event.answer ?? "", spans, why)),
    el("ul", { class: "problems" },
      (results?.CSP?.violated_rules ?? []).map((rule) => el("li", null, el("span", { class: "span violated" }, rule.id), " ", why.get(rule.id))),
      (results?.SFS?.hallucinated_details ?? []).map((found) => el("li", null, el("span", { class: "span hallucinated" }, found.text), " ", why.get(found.concept))),
      missing.length > 0 && el("li", null, word("span_missing"), ": ", missing.map((span) => span.label).join(" · "))));
}

function turnValues(metrics) {
  const known = Object.entries(metrics ?? {}).filter(([, value]) => typeof value === "number");
  return known.map(([name, value]) => `${name} ${number(value, "")}`).join(" · ");
}

// Positions count characters as Python does, not UTF-16 units.
function painted(answer, spans, why) {
  const characters = Array.from(answer);
  const placed = spans.filter((span) => Number.isInteger(span.start) && SPAN_KINDS.includes(span.kind))
    .map((span) => ({ ...span, end: span.end ?? span.start + 1 }));
  const edges = [...new Set([0, characters.length, ...placed.flatMap((span) => [span.start, span.end])])]
    .filter((edge) => edge >= 0 && edge <= characters.length).sort((a, b) => a - b);
  return edges.slice(0, -1).map((start, at) => {
    const text = characters.slice(start, edges[at + 1]).join("");
    const over = placed.filter((span) => span.start <= start && span.end >= edges[at + 1]);
    const kind = SPAN_KINDS.find((each) => over.some((span) => span.kind === each));
    if (!kind) return text;
    const told = over.map((span) => why.get(span.label) ?? span.label).join("\n");
    return el("mark", { class: `span ${kind}`, title: told }, text);
  });
}
