// The tables of each pair side by side, reference left. Rows lie on each other as the cells were compared: what is wrong
// with a cell is painted and said, a row that one side lacks leaves a gap there, and runs of equal rows are folded.

const MOST_SLOTS = 20000;
const SMALL = 12; // rows of a table that is shown in full
const LEAST_FOLDED = 3;
const SIDES = ["reference", "prediction"];
const WRONG = { text: "changed", missed: "missing", extra: "extra", spans: "spans", headers: "headers", notation: "notation" };

view((evidence) => Array.isArray(evidence.pairs), showTables);

function showTables(evidence) {
  return [
    evidence.misordered && el("p", null, word("misordered")),
    evidence.pairs.map(tablePair),
    (evidence.extra ?? []).map((extra) => titled(word("extra_table"), extra.prediction && lonely(extra.prediction, "extra"))),
    evidence.left_out > 0 && el("p", { class: "note" }, word("and_left_out", { n: evidence.left_out })),
  ];
}

function tablePair(pair, at) {
  const title = [word("table", { id: pair.id || at + 1 }), el("small", null, term("metric:teds", "TEDS"), ` ${number(pair.teds, "")} · `, term("metric:teds_s", "TEDS-S"), ` ${number(pair.teds_s, "")}`)];
  if (!pair.prediction || !pair.reference) {
    const side = pair.reference ? "reference" : "prediction";
    const alone = pair[side] && lonely(pair[side], side === "reference" ? "missed" : "extra");
    return titled(title, el("p", null, pair.number === null ? word("table_missed") : word("table_unread"), pair.instead === "" && [" ", word("nothing_instead")]),
      pair.instead ? el("div", { class: "sides" }, alone, el("div", null, el("p", { class: "side-title" }, word("instead")), el("pre", { class: "prose" }, pair.instead))) : alone);
  }
  const compared = pair.rows ? pair : byPlaces(pair);
  const sections = onOneSide(compared);
  return titled(title,
    verdict(compared, sections),
    el("div", { class: "sides fitting" }, drawPair(compared, sections)),
    !pair.rows && el("p", { class: "note" }, word("painted_places")),
    pair.script && scriptList(pair.script),
    pair.script_missing && el("p", { class: "note" }, word("script_missing", { problem: pair.script_missing })));
}

// What is wrong, in words, with the colours in which it is painted.
function verdict(pair, sections) {
  const counts = { ...pair.errors, missed: pair.errors.cells_missed, extra: pair.errors.cells_extra };
  const found = Object.keys(WRONG).filter((kind) => counts[kind] > 0);
  const split = SIDES.some((side) => sections[side].size > 0);
  if (found.length === 0 && !split) return el("p", null, pair.teds === 1 ? word("tables_agree") : word("cells_agree"));
  return el("ul", { class: "legend wrongs" },
    found.map((kind) => el("li", { class: WRONG[kind] }, kind === "notation" ? term("counts:table_notation", word("wrong_notation"))
      : term("counts:table_errors", word(`wrong_${kind}`), `cells_${kind}` in pair.errors ? `cells_${kind}` : kind), ` ${grouped(counts[kind])}`)),
    split && el("li", { class: "section" }, word("wrong_sections")));
}

// A run from before errors were kept, or a pair too large to be compared: cells are held against the same place.
function byPlaces(pair) {
  const places = SIDES.map((side) => new Map(pair[side].cells.map((cell) => [addressOf(cell), cell])));
  const errors = { text: 0, cells_missed: 0, cells_extra: 0 };
  const marked = (side, other, alone) => ({ ...pair[side], cells: pair[side].cells.map((cell) => {
    const partner = other.get(addressOf(cell));
    if (partner?.text === cell.text) return cell;
    errors[partner ? "text" : `cells_${alone}`] += partner && side === "prediction" ? 0 : 1;
    return { ...cell, wrong: [partner ? "text" : alone], partner: partner && [cell.row, cell.col] };
  }) });
  const [reference, prediction] = [marked("reference", places[1], "missed"), marked("prediction", places[0], "extra")];
  const rows = new Set(rowsOf(prediction));
  return { ...pair, reference, prediction, errors, rows: rowsOf(reference).filter((row) => rows.has(row)).map((row) => [row, row]) };
}

function addressOf(cell) {
  return `${cell.row} ${cell.col}`;
}

// Sections (thead, tbody, tfoot) that the other side does not have, by their numbers.
function onOneSide(pair) {
  const found = {};
  SIDES.forEach((side, at) => {
    const others = (pair[SIDES[1 - at]].sections ?? []).map(([tag]) => tag);
    found[side] = new Set((pair[side].sections ?? []).flatMap(([tag], number) => {
      const met = others.indexOf(tag);
      if (met < 0) return tag ? [number] : [];
      others.splice(met, 1);
      return [];
    }));
  });
  return found;
}

// A table without a partner: every cell of it is missing, or too many.
function lonely(grid, kind) {
  const painted = { ...grid, cells: grid.cells.map((cell) => ({ ...cell, wrong: [kind] })) };
  const steps = rowsOf(grid).map((row) => ({ [kind === "missed" ? "reference" : "prediction"]: row }));
  return drawSide(kind === "missed" ? "reference" : "prediction", painted, steps, new Map(), new Set(), []);
}

function drawPair(pair, sections) {
  const steps = stepsOf(pair);
  const folds = foldsOf(pair, steps);
  const texts = new Map(SIDES.map((side) => [side, new Map(pair[side].cells.map((cell) => [addressOf(cell), cell.text]))]));
  return SIDES.map((side) => drawSide(side, pair[side], steps, texts, sections[side], folds));
}

// Rows that lie on each other make one step; a row of one side alone makes one too.
function stepsOf(pair) {
  const left = { reference: rowsOf(pair.reference), prediction: rowsOf(pair.prediction) };
  const steps = [];
  const until = (side, row) => { while (left[side].length && left[side][0] < row) steps.push({ [side]: left[side].shift() }); };
  for (const [predicted, expected] of pair.rows) {
    until("reference", expected);
    until("prediction", predicted);
    steps.push({ reference: left.reference.shift(), prediction: left.prediction.shift() });
  }
  until("reference", Infinity);
  until("prediction", Infinity);
  return steps;
}

function rowsOf(grid) {
  return grid.shown_rows ? [...grid.shown_rows] : Array.from({ length: Math.min(grid.rows, MOST_SLOTS) }, (_, row) => row);
}

// Runs of equal rows, without the row before and after what differs, as [from, to] in steps. No merged cell is cut.
function foldsOf(pair, steps) {
  const wrong = {};
  const cut = {};
  for (const side of SIDES) {
    wrong[side] = new Set(pair[side].cells.flatMap((cell) => (cell.wrong ? spanned(cell) : [])));
    cut[side] = new Set(pair[side].cells.flatMap((cell) => spanned(cell).slice(1)));
  }
  const equal = (step) => SIDES.every((side) => step[side] !== undefined && !wrong[side].has(step[side]));
  const closed = (at) => at >= steps.length || SIDES.every((side) => !cut[side].has(steps[at][side]));
  const folds = [];
  if (steps.length <= SMALL) return folds;
  for (let at = 0; at < steps.length;) {
    let end = at;
    while (end < steps.length && equal(steps[end])) end += 1;
    let [from, to] = [at + 1, end === steps.length ? end : end - 1];
    while (from < to && !closed(from)) from += 1;
    while (from < to && !closed(to)) to -= 1;
    if (to - from >= LEAST_FOLDED) folds.push([from, to]);
    at = end + 1;
  }
  return folds;
}

function spanned(cell) {
  return Array.from({ length: Math.min(cell.rowspan, MOST_SLOTS) }, (_, at) => cell.row + at);
}

function drawSide(side, grid, steps, texts, sections, folds) {
  const cols = Math.min(grid.cols, 1000);
  const lines = new Map();
  for (const cell of grid.cells) (lines.get(cell.row) ?? lines.set(cell.row, []).get(cell.row)).push(cell);
  const names = sectionNames(grid, sections);
  const inside = new Set(grid.cells.flatMap((cell) => spanned(cell).slice(1))); // rows that a cell above reaches into
  const ends = blockEnds(steps.map((step) => step[side]).filter((row) => row !== undefined));
  const taken = new Set();
  const body = el("tbody");
  const gap = () => body.append(noteRow(cols, "gap", word(`gap_${side}`, { n: lacking })));
  let drawn = -1;
  let lacking = 0;
  steps.forEach((step, at) => {
    const row = step[side];
    const fold = folds.findIndex(([from, to]) => at >= from && at < to);
    if (fold >= 0 && at === folds[fold][0]) body.append(noteRow(cols, "fold", foldButton(folds[fold], fold)));
    if (row === undefined) {
      lacking += 1;
      return;
    }
    if (lacking && !inside.has(row)) {
      gap();
      lacking = 0;
    }
    if (row > drawn + 1) body.append(noteRow(cols, "cut", word("rows_left_out", { n: row - drawn - 1 })));
    drawn = row;
    if (taken.size >= MOST_SLOTS) return;
    body.append(el("tr", fold >= 0 && { "data-fold": fold, hidden: true },
      el("th", { scope: "row", class: "gutter" }, names.get(row), row + 1),
      gridLine(lines.get(row) ?? [], { side, row, cols, end: ends.get(row), taken, texts })));
  });
  if (lacking) gap();
  return el("div", null,
    el("p", { class: "side-title" }, word(side)),
    el("div", { class: "wide grid-box", tabindex: "0", role: "region", ...label(side) }, el("table", { class: "grid" }, body)),
    grid.left_out > 0 && el("p", { class: "note" }, word("cells_left_out", { n: grid.left_out })));
}

// Sections are named where the other side has not the same ones; else they say nothing.
function sectionNames(grid, alone) {
  const names = new Map();
  let row = 0;
  (grid.sections ?? []).forEach(([tag, rows], number) => {
    if (alone.has(number)) names.set(row, el("span", { class: "section" }, tag));
    row += rows;
  });
  return names;
}

// For each row the last one that is drawn without a gap after it.
function blockEnds(rows) {
  const ends = new Map();
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    ends.set(rows[at], rows[at + 1] === rows[at] + 1 ? ends.get(rows[at + 1]) : rows[at]);
  }
  return ends;
}

function noteRow(cols, kind, content) {
  return el("tr", { class: kind }, el("td", { colspan: cols + 1 }, content));
}

// Equal rows unfold on both sides at once.
function foldButton([from, to], fold) {
  return el("button", { type: "button", class: "plain", "aria-expanded": "false", "data-folds": fold, click: (event) => {
    const open = event.currentTarget.getAttribute("aria-expanded") === "false";
    const pair = event.currentTarget.closest(".sides");
    for (const button of pair.querySelectorAll(`[data-folds="${fold}"]`)) button.setAttribute("aria-expanded", String(open));
    for (const row of pair.querySelectorAll(`[data-fold="${fold}"]`)) row.hidden = !open;
  } }, word("equal_rows", { n: to - from }));
}

function gridLine(cells, { side, row, cols, end, taken, texts }) {
  const starts = new Map(cells.map((cell) => [cell.col, cell]));
  const line = [];
  for (let col = 0; col < cols; col += 1) {
    const cell = starts.get(col);
    if (taken.has(`${row} ${col}`)) continue;
    if (!cell) {
      line.push(el("td"));
      continue;
    }
    const [tall, broad] = [Math.min(cell.rowspan, end - row + 1), Math.min(cell.colspan, cols - col)];
    for (let r = 0; r < tall; r += 1) {
      for (let c = 0; c < broad && taken.size < MOST_SLOTS; c += 1) taken.add(`${row + r} ${col + c}`);
    }
    line.push(el(cell.header && cell.text.trim() ? "th" : "td", { // a header without a word says nothing to those who listen
      rowspan: tall > 1 && tall, colspan: broad > 1 && broad, class: cell.wrong?.map((kind) => WRONG[kind]).join(" "),
    }, cellContent(cell, side, texts)));
  }
  return line;
}

function cellContent(cell, side, texts) {
  const wrong = cell.wrong ?? [];
  const partner = cell.partner && texts.get(side === "reference" ? "prediction" : "reference")?.get(cell.partner.join(" "));
  const sides = side === "reference" ? [cell.text, partner] : [partner, cell.text];
  return [
    (wrong.includes("text") || wrong.includes("notation")) && partner !== undefined ? letters(...sides)[side] : cell.text,
    wrong.includes("text") && cell.text === "" && el("small", null, word("cell_empty")),
    wrong.includes("spans") && el("small", null, cell.rowspan * cell.colspan > 1
      ? word("cell_spans", { rows: cell.rowspan, cols: cell.colspan }) : word("cell_unmerged")),
    wrong.includes("headers") && el("small", null, cell.header ? word("cell_is_header") : word("cell_is_plain")),
    ["text", "notation", "missed", "extra"].filter((kind) => wrong.includes(kind)).map((kind) => el("span", { class: "unseen" }, word(`wrong_${kind}`))),
  ];
}

// The edits that TEDS counts, kept with --explain: what each is, where, and what it costs.
function scriptList(script) {
  const folded = el("details", null, el("summary", null, word("script", { n: script.edits.length + (script.left_out ?? 0) })));
  folded.addEventListener("toggle", () => {
    if (folded.childNodes.length > 1) return;
    folded.append(table("small-table", [word("edit"), word("reference"), word("prediction"), word("cost")],
      script.edits.map((edit) => [word(`edit_${edit.op}`), ...SIDES.map((side) => placeOf(edit[side])), edit.cost.toFixed(2)])),
    script.left_out > 0 && el("p", { class: "note" }, word("and_left_out", { n: script.left_out })));
  });
  return folded;
}

function placeOf(node) {
  if (!node) return "–";
  const place = node.row === undefined ? null : node.col === undefined ? word("place_row", { row: node.row + 1 })
    : word("place_cell", { row: node.row + 1, col: node.col + 1 });
  return [el("code", null, node.tag), " ", place];
}
