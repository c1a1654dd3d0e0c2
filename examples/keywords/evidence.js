// The answer with its keywords marked, and the keywords it lacks.

view((evidence) => typeof evidence.answer === "string" && evidence.keywords, (evidence) => {
  const missed = Object.keys(evidence.keywords).filter((name) => evidence.keywords[name].length === 0);
  return [
    titled(word("answer"), el("p", { class: "prose" }, marked(evidence.answer, Object.values(evidence.keywords).flat()))),
    missed.length > 0 && el("p", { class: "note" }, word("missed", { names: missed.join(", ") })),
  ];
});

// Python counts code points and JavaScript half of an emoji, so the text is cut as a list of code points.
function marked(text, spans) {
  const letters = [...text];
  const cut = (from, to) => letters.slice(from, to).join("");
  const pieces = [];
  let end = 0;
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    if (to <= end) continue;
    pieces.push(cut(end, from), el("mark", { class: "run added" }, cut(Math.max(from, end), to)));
    end = to;
  }
  return [...pieces, cut(end)];
}
