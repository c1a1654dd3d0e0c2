// A view is chosen by the shape of the evidence, not by who made it: what is composed of texts and tables is shown
// as texts and tables. Whatever no view knows, or a view stumbles over, is shown as a tree.

const VIEWS = [
  [(evidence) => Array.isArray(evidence.runs), showText],
  [(evidence) => Array.isArray(evidence.pairs), showTables],
  [(evidence) => Array.isArray(evidence.field_results), showStructured],
  [(evidence) => Array.isArray(evidence.turns), showDialogue],
  [isStructure, showStructure],
  [(evidence) => Array.isArray(evidence.matches) && Array.isArray(evidence.reference), showTerms],
];

function evidenceOf(evidence) {
  if (evidence === null || evidence === undefined) return null;
  if (typeof evidence !== "object") return el("p", { class: "prose" }, String(evidence));
  try {
    const view = VIEWS.find(([fits]) => fits(evidence));
    if (view) return el("div", { class: "evidence" }, view[1](evidence));
    return composed(evidence);
  } catch {
    return showTree(evidence);
  }
}

function composed(evidence) {
  const parts = Object.entries(evidence);
  const known = parts.filter(([, part]) => part && typeof part === "object" && VIEWS.some(([fits]) => fits(part)));
  const rest = parts.filter((part) => !known.includes(part));
  return el("div", { class: "evidence" },
    known.map(([name, part]) => titled(name, evidenceOf(part))),
    rest.length > 0 && showTree(Array.isArray(evidence) ? rest.map(([, part]) => part) : Object.fromEntries(rest)));
}
