// A document: where it begins, what went wrong in its text and its order, its tables, structure and formulas, if any,
// then each of these. What is all right is folded.

const PARTS = ["text", "tables", "structure"];
const BEGINNING = 90;

view(isDocument, showDocument);
view(isStructure, showStructure);
view(isBlocks, showBlocks);

function isDocument(evidence) {
  return PARTS.every((part) => part in evidence) && Array.isArray(evidence.text?.runs);
}

function showDocument(evidence, issues) {
  const lines = { text: textLine(evidence.text), blocks: blocksLine(evidence.blocks), tables: tablesLine(evidence.tables, issues), structure: structureLine(evidence.structure), formulas: formulasLine(evidence.formulas) };
  const moved = evidence.blocks?.moved > 0;
  const parts = ["text", moved && "blocks", "tables", "structure", evidence.formulas && "formulas"].filter(Boolean);
  const places = new Map();
  const shown = parts.filter((part) => Object.keys(evidence[part] ?? {}).length > 0).map((part) => {
    const place = el("details", { class: "document-part", open: lines[part].wrong }, el("summary", null, word(`part_${part}`)), draw(evidence[part]));
    places.set(part, place);
    return place;
  });
  return [
    el("p", { class: "note" }, word("begins"), " “", el("q", { class: "beginning" }, beginningOf(evidence.text)), "”"),
    el("dl", { class: "document-parts" }, parts.map((part) => [
      el("dt", null, places.has(part) ? el("button", { type: "button", class: "plain", click: () => goTo(places.get(part)) }, word(`part_${part}`)) : word(`part_${part}`)),
      el("dd", { class: lines[part].wrong ? "wrong" : places.has(part) ? "right" : null }, lines[part].said),
    ])),
    shown,
  ];
}

function goTo(place) {
  place.open = true;
  place.scrollIntoView({ block: "start" });
  place.querySelector("summary").focus({ preventScroll: true });
}

function beginningOf({ runs }) {
  const text = runs.map((run) => run.reference ?? "").join("");
  return text.length > BEGINNING ? `${Array.from(text).slice(0, BEGINNING).join("")}…` : text;
}

function textLine({ where }) {
  const places = Object.entries(where ?? {}).map(([place, found]) => [place, found.substitutions + found.deletions + found.insertions]);
  const sum = (sort) => Object.values(where ?? {}).reduce((total, found) => total + found[sort], 0);
  const [place, most] = places.sort(([, a], [, b]) => b - a)[0] ?? ["", 0];
  if (!most) return { wrong: false, said: word("text_right") };
  const counts = Object.fromEntries(["substitutions", "deletions", "insertions"].map((sort) => [sort, grouped(sum(sort))]));
  const mostly = places.length > 1 && [" · ", word("most_in"), " ", knows(`place_${place}`) ? word(`place_${place}`) : place, ` (${grouped(most)})`];
  return { wrong: true, said: [word("text_wrong", counts), mostly] };
}

function blocksLine(blocks) {
  const short = blocks?.short_characters ?? 0;
  const found = [["blocks_moved", blocks?.moved], ["blocks_missed", blocks?.reference - blocks?.found - short], ["blocks_short", short]];
  return { wrong: true, said: counted(found, (key) => (key === "blocks_moved" ? "metric:order_error" : "metric:block_recall")) };
}

function isBlocks(evidence) {
  return Array.isArray(evidence.out_of_order) && Array.isArray(evidence.missed);
}

function showBlocks(evidence) {
  return table("small-table structure", [word("moved_passages"), word("missed_passages")], [[
    evidence.out_of_order.map((text) => el("div", null, text)),
    [evidence.missed.map((text) => element(text, "lost")),
      evidence.short?.length > 0 && [el("p", { class: "note" }, word("short_passages")), evidence.short.map((text) => el("div", null, text))]],
  ]]);
}

function tablesLine(tables, issues) {
  if (!tables) return { wrong: false, said: issues.includes("no_reference_table") ? word("tables_none") : word("not_compared") };
  const missing = tables.pairs.filter((pair) => pair.number === null).length;
  const count = (isMeant) => tables.pairs.flatMap((pair) => Object.entries(pair.errors ?? {})).reduce((sum, [kind, n]) => sum + (isMeant(kind) ? n : 0), 0);
  const cells = count((kind) => !["notation", "headers"].includes(kind));
  const headers = count((kind) => kind === "headers");
  const unmarked = tables.pairs.flatMap((pair) => pair.reference?.cells ?? []).filter((cell) => cell.header && cell.wrong?.includes("headers")).length;
  const rewritten = count((kind) => kind === "notation");
  const found = [["tables_missing", missing], ["tables_extra", (tables.extra ?? []).length], ["cells_wrong", cells], [unmarked === headers ? "headers_unmarked" : "headers_differ", headers]].filter(([, n]) => n > 0);
  const harmless = rewritten > 0 && [" · ", word("cells_rewritten", { n: grouped(rewritten) })];
  if (found.length === 0) return { wrong: !rewritten && tables.pairs.some((pair) => pair.teds < 1), said: [word("cells_right", { n: tables.pairs.length }), harmless] };
  return { wrong: true, said: [counted(found, () => "counts:table_errors"), harmless] };
}

// What was found and how often, each with the note of the name that `about` gives it.
function counted(found, about) {
  return found.filter(([, n]) => n > 0).map(([key, n], at) => [at > 0 && " · ", term(about(key), word(key, { n: grouped(n) }))]);
}

function formulasLine(formulas) {
  const pairs = formulas?.formula_pairs ?? [];
  const missing = pairs.filter((pair) => !pair.prediction).length;
  const differing = pairs.filter((pair) => pair.prediction && pair.values.formula_match < 1).length;
  const found = [["formulas_missing", missing], ["formulas_extra", (formulas?.formula_extra ?? []).length], ["formulas_differ", differing]].filter(([, n]) => n > 0);
  if (found.length === 0) return { wrong: false, said: word("formulas_right", { n: pairs.length }) };
  return { wrong: true, said: counted(found, () => "counts:formula_errors") };
}

function structureLine(structure) {
  if (!structure) return { wrong: false, said: word("not_compared") };
  if (Object.keys(structure).length === 0) return { wrong: false, said: word("structure_none") };
  const wrong = Object.entries(structure).filter(([, found]) => found.matched < found.reference || found.matched < found.predicted);
  if (wrong.length === 0) return { wrong: false, said: word("structure_right") };
  return { wrong: true, said: wrong.map(([kind, found], at) => [at > 0 && " · ", kindOf(kind), ": ",
    word("structure_wrong", { missed: found.reference - found.matched, extra: found.predicted - found.matched })]) };
}

function kindOf(kind) {
  return knows(`kind_${kind}`) ? word(`kind_${kind}`) : kind;
}

function isStructure(evidence) {
  const kinds = Object.values(evidence);
  return kinds.length > 0 && kinds.every((kind) => Array.isArray(kind?.missed) && Array.isArray(kind?.extra));
}

function showStructure(evidence) {
  return table("small-table structure", ["", "F1", word("missed"), word("extra")],
    Object.entries(evidence).map(([kind, found]) => [
      kindOf(kind), number(found.f1, "%"),
      found.missed.map((text) => element(text, "lost")),
      found.extra.map((text) => element(text, "added")),
    ]));
}

// The last of a long list says how many more there are.
function element(text, kind) {
  const more = /^… (\d+) more$/.exec(text);
  return more ? el("div", { class: "faint" }, word("and_left_out", { n: more[1] })) : el("div", null, el("span", { class: `run ${kind}` }, text));
}
