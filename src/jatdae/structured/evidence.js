// The fields of a document as a tree: expected, actual, type and outcome; then what the schema says.

view((evidence) => Array.isArray(evidence.field_results), showStructured);

function showStructured(evidence) {
  const leaves = [...evidence.field_results, ...(evidence.extra_results ?? [])];
  return [
    titled(word("fields"), table("small-table fields",
      [word("field"), word("type"), word("expected"), word("actual"), word("outcome")], fieldRows(leaves))),
    evidence.left_out > 0 && el("p", { class: "note" }, word("and_left_out", { n: evidence.left_out })),
    pathList("missing_fields", evidence.missing_fields),
    pathList("extra_fields", evidence.extra_fields),
    evidence.schema_errors?.length > 0 && titled(word("schema_errors"), table("small-table", null,
      evidence.schema_errors.map((error) => Object.values(error).map((value) => el("code", { class: "shown" }, String(value)))))),
  ];
}

function fieldRows(leaves) {
  const root = new Map();
  for (const leaf of leaves) {
    const steps = leaf.field_name.match(/[^.[\]]+|\[[^\]]*\]/g) ?? [leaf.field_name];
    let place = root;
    for (const step of steps.slice(0, -1)) {
      if (!place.has(step)) place.set(step, { inside: new Map() });
      place = (place.get(step).inside ??= new Map());
    }
    const last = steps.at(-1);
    place.set(last, { ...place.get(last), leaf });
  }
  return treeRows(root, 0);
}

function treeRows(place, level) {
  return [...place].flatMap(([step, { leaf, inside }]) => [
    leaf ? leafRow(leaf, step, level) : [stepCell(step, level), "", "", "", ""],
    ...(inside ? treeRows(inside, level + 1) : []),
  ]);
}

function leafRow(leaf, step, level) {
  const hint = `${say("similarity")} ${number(leaf.similarity, "")}`;
  return [
    el("span", { title: leaf.field_name }, stepCell(step, level)),
    leaf.field_type, fieldValue(leaf.gold_value), fieldValue(leaf.pred_value),
    el("span", { class: `badge ${leaf.status}`, title: hint }, outcomeWord(leaf.outcome ?? leaf.status)),
  ];
}

function outcomeWord(outcome) {
  return knows(`outcome_${outcome}`) ? word(`outcome_${outcome}`) : outcome;
}

function stepCell(step, level) {
  return el("span", { class: `level-${Math.min(level, 5)}` }, step);
}

function fieldValue(value) {
  if (value === null || value === undefined) return el("span", { class: "faint" }, "–");
  return el("code", { class: "shown" }, typeof value === "string" ? value : JSON.stringify(value));
}

function pathList(title, paths) {
  return paths?.length > 0 && titled(word(title), el("p", null, paths.map((path, at) => [at > 0 && " · ", el("code", { class: "shown" }, path)])));
}
