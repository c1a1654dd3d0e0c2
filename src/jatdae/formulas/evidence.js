// Formulas side by side, drawn in MathML by the browser itself, with the symbols that differ marked. What is drawn is the
// tree that `reader.py` made; its symbols are counted as `tokens.py` counts them.

const LARGE = new Set("∑∏∐⋃⋂⨆⋀⋁");
const BRACKETS = new Set("()[]{}|∥⟨⟩");
const LIMITS = /^(?:lim|max|min|sup|inf|limsup|liminf|argmax|argmin|det|gcd|Pr)$/;
const ALPHABETS = { bold: [0x1d400, 0x1d41a, 0x1d7ce], double: [0x1d538, 0x1d552, 0x1d7d8], script: [0x1d49c, 0x1d4b6], fraktur: [0x1d504, 0x1d51e], sans: [0x1d5a0, 0x1d5ba, 0x1d7e2], mono: [0x1d670, 0x1d68a, 0x1d7f6] };
// Letters that Unicode had before it had the alphabets.
const EARLIER = {
  double: { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" },
  script: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" },
  fraktur: { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" },
};

view((evidence) => Array.isArray(evidence.formula_pairs), showFormulas);

function showFormulas(evidence) {
  const left = evidence.formulas_left_out ?? 0;
  return [
    el("p", { class: "note" }, word("drawn_note")),
    evidence.formula_pairs.map((pair) => showPair(pair, evidence.formula_pairs.length > 1)),
    evidence.formula_extra && titled(word("extra_formulas"), evidence.formula_extra.map((side) => el("div", { class: "formula-side" }, showSide(side)))),
    left > 0 && el("p", { class: "note" }, word("formulas_left_out", { n: grouped(left) })),
  ];
}

function showPair(pair, several) {
  const equal = pair.values.formula_match === 1;
  return el("section", { class: "formula-pair" },
    several && el("h3", null, word("formula", { n: pair.number }), " ", el("span", { class: "note" }, equal ? word("equal") : number(pair.values.formula_score, "%"))),
    errorsOf(pair),
    el("div", { class: "sides" }, ["reference", "prediction"].map((side) => el("div", { class: "formula-side" },
      el("p", { class: "side-title" }, word(side)),
      showSide(equal && pair[side] ? { ...pair.reference, latex: pair[side].latex } : pair[side])))));
}

// What the marks below amount to: "another symbol 2 (∗→∘) · symbol missing 1 (x)".
function errorsOf({ errors, named }) {
  const listed = Object.entries(errors ?? {});
  const taken = (kind) => Object.entries(named?.[kind] ?? {}).map(([pair, n]) => `${pair.replace("→", " → ")}${n > 1 ? ` ×${n}` : ""}`).join(", ");
  return listed.length > 0 && el("p", { class: "formula-errors" }, listed.map(([kind, n], at) => [at > 0 && " · ",
    term("counts:formula_errors", word(`key.${kind}`), kind), ` ${grouped(n)}`, named?.[kind] && [" (", el("b", null, taken(kind)), ")"]]));
}

function showSide(side) {
  if (!side) return el("p", { class: "note" }, word("missing"));
  return [
    side.row ? el("div", { class: "wide formula", tabindex: "0" }, drawn(side)) : el("p", { class: "note" }, word("not_drawn")),
    el("p", { class: "formula-latex", tabindex: "0" }, el("code", null, side.latex)),
  ];
}

function drawn(side) {
  const symbols = { at: 0, marked: new Set(side.marked ?? []) };
  return math("math", { display: "block" }, rowOf(side.row, symbols));
}

function rowOf(row, symbols) {
  const nodes = [];
  for (const part of joined(row)) {
    const kind = Array.isArray(part) ? part[0] : "";
    if (kind === "sub" || kind === "sup") addScript(nodes, kind, rowOf(part[1], symbols));
    else {
      const before = nodes.at(-1);
      const now = { node: nodeOf(part, symbols), limits: takesLimits(part), tall: kind === "grid" || kind === "lines", bracket: BRACKETS.has(part) };
      nodes.push(now);
      if (before?.bracket && now.tall) before.node.removeAttribute("stretchy"); // a bracket beside a matrix is as tall as it
      if (before?.tall && now.bracket) now.node.removeAttribute("stretchy");
    }
  }
  return math("mrow", null, nodes.map(({ node }) => node));
}

// Words and numbers are drawn as one: their letters and digits are counted one by one all the same.
function joined(row) {
  const parts = [];
  for (const part of row) {
    const last = parts.at(-1);
    const sort = typeof part === "string" && /^[0-9.]$/.test(part) ? "number" : part[0] === "#" && part[2] === "upright" && /^\p{L}/u.test(part[1]) ? "word" : "";
    const letter = sort === "word" ? part[1] : part;
    if (sort && last?.[0] === sort) last[1].push(letter);
    else parts.push(sort ? [sort, [letter]] : part);
  }
  return parts;
}

function addScript(nodes, kind, script) {
  const last = nodes.pop() ?? { node: math("mrow", null), limits: false };
  const [under, over] = last.limits ? ["munder", "mover"] : ["msub", "msup"];
  if (kind === "sup" && last.script === "sub") {
    const [base, lower] = last.node.children;
    nodes.push({ node: math(last.limits ? "munderover" : "msubsup", null, base, lower, script), limits: false });
  } else nodes.push({ node: math(kind === "sub" ? under : over, null, last.node, script), limits: last.limits, script: kind });
}

function takesLimits(part) {
  return typeof part === "string" ? LARGE.has(part) : part[0] === "word" ? LIMITS.test(part[1].join("")) : part[0] === "accent" && "⏞⏟".includes(part[1]);
}

function nodeOf(part, symbols) {
  if (typeof part === "string") return symbolOf(part, "", symbols);
  const [kind, first, second] = part;
  if (kind === "#") return symbolOf(first, second, symbols);
  if (kind === "word" || kind === "number") return runOf(kind, first, symbols);
  if (kind === "frac" || kind === "binom") return fractionOf(kind, first, second, symbols);
  if (kind === "root") return rootOf(first, second, symbols);
  if (kind === "accent") return accentOf(first, second, symbols);
  if (kind === "lines") return tableOf(first.map((line) => [line]), "left", symbols);
  return tableOf(first, "center", symbols);
}

function taken(symbols) {
  const at = symbols.at;
  symbols.at += 1;
  return symbols.marked.has(at) ? "differs" : null;
}

function symbolOf(symbol, font, symbols) {
  const kind = taken(symbols);
  if (symbol === "⏎") return math("mspace", { linebreak: "newline", width: "1em" });
  const tag = /^[\p{L}∂∇∞ℏ\\]/u.test(symbol) ? "mi" : /^[0-9]/.test(symbol) ? "mn" : "mo";
  const stretched = tag === "mo" ? { stretchy: "false" } : symbol.length > 1 || font ? { mathvariant: "normal" } : {};
  return math(tag, { class: kind, ...stretched }, font && font !== "upright" ? lettered(symbol, font) : symbol);
}

function runOf(kind, letters, symbols) {
  const tag = kind === "word" ? "mi" : "mn";
  const marks = letters.map(() => taken(symbols));
  if (marks.every((mark) => mark === marks[0])) {
    const run = math(tag, { class: marks[0], mathvariant: "normal" }, letters.join(""));
    return kind === "word" && letters.length > 1 ? math("mrow", null, run, math("mspace", { width: "0.17em" })) : run;
  }
  return math("mrow", null, letters.map((letter, at) => math(tag, { class: marks[at], mathvariant: "normal" }, letter)));
}

function fractionOf(kind, above, below, symbols) {
  const mark = taken(symbols);
  const inside = math("mfrac", { class: mark, linethickness: kind === "binom" ? "0" : null }, rowOf(above, symbols), rowOf(below, symbols));
  return kind === "frac" ? inside : math("mrow", null, math("mo", { class: mark }, "("), inside, math("mo", { class: mark }, ")"));
}

function rootOf(inside, degree, symbols) {
  const mark = taken(symbols);
  const row = rowOf(inside, symbols);
  return degree.length ? math("mroot", { class: mark }, row, rowOf(degree, symbols)) : math("msqrt", { class: mark }, row);
}

// A line is drawn as a border: few fonts can stretch it.
function accentOf(mark, row, symbols) {
  if (mark === "‾" || mark === "_") return math("mrow", { class: mark === "_" ? "under" : "over" }, rowOf(row, symbols));
  return math(mark === "⏟" ? "munder" : "mover", { accent: "true" }, rowOf(row, symbols), math("mo", { stretchy: row.length > 1 ? "true" : "false" }, mark));
}

// What parts cells and lines counts as a symbol too.
function tableOf(lines, align, symbols) {
  return math("mtable", { class: `formula-${align}` }, lines.map((cells, line) => {
    if (line > 0) taken(symbols);
    return math("mtr", null, cells.map((cell, column) => {
      if (column > 0) taken(symbols);
      return math("mtd", null, rowOf(cell, symbols));
    }));
  }));
}

function lettered(symbol, font) {
  const earlier = EARLIER[font]?.[symbol];
  if (earlier) return earlier;
  const bases = ALPHABETS[font] ?? [];
  const ranges = [["A", "Z"], ["a", "z"], ["0", "9"]];
  const at = ranges.findIndex(([from, to]) => symbol.length === 1 && symbol >= from && symbol <= to);
  return at >= 0 && bases[at] ? String.fromCodePoint(bases[at] + symbol.codePointAt(0) - ranges[at][0].codePointAt(0)) : symbol;
}
