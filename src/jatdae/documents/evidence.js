// The elements of a document by kind: how many met their partners, and which did not.

view(isStructure, showStructure);

function isStructure(evidence) {
  const kinds = Object.values(evidence);
  return kinds.length > 0 && kinds.every((kind) => Array.isArray(kind?.missed) && Array.isArray(kind?.extra));
}

function showStructure(evidence) {
  return table("small-table", ["", "F1", word("missed"), word("extra")],
    Object.entries(evidence).map(([kind, found]) => [
      kind, number(found.f1, "%"),
      found.missed.map((text) => el("div", { class: "run lost" }, text)),
      found.extra.map((text) => el("div", { class: "run added" }, text)),
    ]));
}
