// The tables of each pair side by side. With an edit script the edits are painted; without one, cells that differ
// from what stands in the same place on the other side.

const MOST_SLOTS = 20000;

view((evidence) => Array.isArray(evidence.pairs), showTables);

function showTables(evidence) {
  return [
    evidence.pairs.map(tablePair),
    (evidence.extra ?? []).map((extra) => titled(word("extra_table"), gridTable(extra.prediction, () => "extra"))),
    evidence.left_out > 0 && el("p", { class: "note" }, word("and_left_out", { n: evidence.left_out })),
  ];
}

function tablePair(pair) {
  const paint = pair.script ? fromScript(pair.script.edits) : fromPlaces(pair.prediction, pair.reference);
  return titled([word("table", { id: pair.id }), el("small", null, `TEDS ${number(pair.teds, "")} · TEDS-S ${number(pair.teds_s, "")}`)],
    el("div", { class: "sides" }, ["reference", "prediction"].map((side) => el("div", { class: "wide", tabindex: "0" },
      el("p", { class: "side-title" }, word(side)),
      pair[side] ? gridTable(pair[side], paint[side]) : el("p", { class: "note" }, word("no_match"))))),
    pair.prediction && pair.reference && el("p", { class: "note" }, pair.script ? word("painted_script") : word("painted_places")),
    pair.script_missing && el("p", { class: "note" }, word("script_missing", { problem: pair.script_missing })),
    el("p", { class: "legend" },
      el("span", { class: "run changed" }, word("cell_changed")),
      el("span", { class: "run lost" }, word("cell_missing")),
      el("span", { class: "run added" }, word("cell_extra"))));
}

function fromScript(edits) {
  const painted = { reference: new Map(), prediction: new Map() };
  const kinds = { rename: "changed", insert: "missing", delete: "extra" };
  for (const edit of edits) {
    for (const side of ["reference", "prediction"]) {
      const place = edit[side];
      if (place && place.row !== undefined) painted[side].set(`${place.row} ${place.col}`, kinds[edit.op]);
    }
  }
  return paintBy(painted);
}

function fromPlaces(prediction, reference) {
  const texts = (grid) => new Map((grid?.cells ?? []).map((cell) => [`${cell.row} ${cell.col}`, cell.text]));
  const [predicted, expected] = [texts(prediction), texts(reference)];
  const painted = { reference: new Map(), prediction: new Map() };
  for (const [place, text] of expected) {
    if (!predicted.has(place)) painted.reference.set(place, "missing");
    else if (predicted.get(place) !== text) ["reference", "prediction"].forEach((side) => painted[side].set(place, "changed"));
  }
  for (const place of predicted.keys()) if (!expected.has(place)) painted.prediction.set(place, "extra");
  return paintBy(painted);
}

function paintBy(painted) {
  const side = (name) => (cell) => painted[name].get(`${cell.row} ${cell.col}`);
  return { reference: side("reference"), prediction: side("prediction") };
}

function gridTable(grid, paint) {
  if (!grid) return el("p", { class: "note" }, word("no_match"));
  const lines = new Map();
  for (const cell of grid.cells) {
    if (!lines.has(cell.row)) lines.set(cell.row, []);
    lines.get(cell.row).push(cell);
  }
  const taken = new Set();
  const rows = [];
  const last = Math.max(0, ...lines.keys());
  for (let row = 0; row <= last && taken.size < MOST_SLOTS; row += 1) {
    rows.push(el("tr", null, gridLine(lines.get(row) ?? [], row, Math.min(grid.cols, 1000), last + 1, taken, paint)));
  }
  return [el("table", { class: "grid" }, el("tbody", null, rows)),
    grid.left_out > 0 && el("p", { class: "note" }, word("and_left_out", { n: grid.left_out }))];
}

function gridLine(cells, row, cols, rows, taken, paint) {
  const starts = new Map(cells.map((cell) => [cell.col, cell]));
  const line = [];
  for (let col = 0; col < cols; col += 1) {
    const cell = starts.get(col);
    if (taken.has(`${row} ${col}`)) continue;
    if (!cell) {
      line.push(el("td"));
      continue;
    }
    const [tall, broad] = [Math.min(cell.rowspan, rows - row), Math.min(cell.colspan, cols - col)];
    for (let r = 0; r < tall; r += 1) {
      for (let c = 0; c < broad && taken.size < MOST_SLOTS; c += 1) taken.add(`${row + r} ${col + c}`);
    }
    line.push(el(cell.header ? "th" : "td", { rowspan: tall > 1 && tall, colspan: broad > 1 && broad, class: paint(cell) }, cell.text));
  }
  return line;
}
