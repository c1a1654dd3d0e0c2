// The answer with its keywords marked, and the keywords it lacks.

view((evidence) => typeof evidence.answer === "string" && evidence.keywords, (evidence) => {
  const missed = Object.keys(evidence.keywords).filter((name) => evidence.keywords[name].length === 0);
  return [
    titled(word("answer"), el("p", { class: "prose" }, marked(evidence.answer, Object.values(evidence.keywords).flat()))),
    missed.length > 0 && el("p", { class: "note" }, word("missed", { names: missed.join(", ") })),
  ];
});

function marked(text, spans) {
  const pieces = [];
  let end = 0;
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    pieces.push(text.slice(end, from), el("mark", { class: "run added" }, text.slice(Math.max(from, end), to)));
    end = Math.max(end, to);
  }
  return [...pieces, text.slice(end)];
}
