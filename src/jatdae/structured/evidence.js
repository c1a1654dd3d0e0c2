// The values of a document that differ, with the characters that do; the equal ones folded; what the schema says.

view((evidence) => Array.isArray(evidence.field_results), showStructured);

const MOST_INSIDE = 12;
const LONGEST_EQUAL = 48;
const KEPT = 18;
// Below this share of common characters two values are different as a whole, and single characters say nothing.
const ALIKE = 0.4;
const SIDES = [["gold_value", "pred_value", "value_stands_at"], ["pred_value", "gold_value", "value_missing_at"]];
const TELLING = 3;

function showStructured(evidence) {
  const results = evidence.field_results;
  const equal = results.filter((leaf) => leaf.exact_match);
  const extra = evidence.extra_results ?? [];
  const wrong = besideSiblings([
    ...gathered(results.filter((leaf) => !leaf.exact_match), evidence.missing_fields ?? []),
    ...gathered(extra, evidence.extra_fields ?? []),
  ]);
  const count = wrong.reduce((sum, entry) => sum + entry.leaves.length, 0);
  return el("div", { class: "fields" },
    results.length + count > 0 && el("p", { class: "fields-sum" }, count ? word("values_differ", { n: grouped(count), all: grouped(count + equal.length) }) : word("all_equal", { n: grouped(equal.length) })),
    wrong.length > 0 && fieldTable(wrong.map((entry) => wrongRow(entry, evidence))),
    schemaErrors(evidence.schema_errors ?? []),
    equal.length > 0 && equalFields(equal),
    evidence.left_out > 0 && el("p", { class: "note" }, word("and_left_out", { n: grouped(evidence.left_out) })));
}

function fieldTable(rows) {
  return el("table", { class: "field-table" },
    el("thead", null, el("tr", null, ["field", "reference", "prediction", "outcome"].map((key) => el("th", { scope: "col" }, word(key))))),
    el("tbody", null, rows));
}

// A part of the document that is missing or invented as a whole is one entry.
function gathered(leaves, paths) {
  const whole = new Map();
  const entries = [];
  for (const leaf of leaves) {
    const path = ["missing", "extra"].includes(leaf.outcome) ? paths.find((each) => isWithin(leaf.field_name, each)) ?? leaf.field_name : leaf.field_name;
    const found = whole.get(path);
    if (found) found.leaves.push(leaf);
    else {
      whole.set(path, { path, leaves: [leaf] });
      entries.push(whole.get(path));
    }
  }
  return entries;
}

// What is missing and what was invented often belong together: a value under another key, or in another item.
function besideSiblings(entries) {
  const parents = new Map();
  const sides = { gold_value: new Map(), pred_value: new Map() }; // by value, as printed, the leaves that have it
  for (const entry of entries) {
    listedAt(parents, parentOf(entry.path)).push(entry);
    for (const leaf of entry.leaves) {
      for (const side of Object.keys(sides)) listedAt(sides[side], printed(onSide(leaf, side))).push(leaf);
    }
  }
  return [...parents.values()].flat().map((entry) => ({ ...entry, twins: twinsOf(entry, sides) }));
}

function listedAt(map, key) {
  return map.get(key) ?? map.set(key, []).get(key);
}

function parentOf(path) {
  return path.replace(/(?:\.?[^.[\]]+|\[[^\]]*\])$/, "");
}

// Where a value stands on the other side: the reference's in the prediction, and the prediction's in the reference.
// Of a wrong value, or in another object, only what is long enough to be no accident; there, no figures either.
function twinsOf({ leaves, path }, sides) {
  return leaves.flatMap((leaf) => SIDES.flatMap(([own, other, key]) => {
    const value = onSide(leaf, own);
    if (value === undefined) return [];
    const alike = (sides[other].get(printed(value)) ?? []).filter((each) => each !== leaf);
    const same = alike.filter((each) => onSide(each, other) === value);
    const others = same.length > 0 ? same : alike;
    const isTelling = value.length >= TELLING;
    const near = leaves.length === 1 && others.find((each) => parentOf(each.field_name) === parentOf(path));
    const found = near || (isTelling && /\p{L}/u.test(value) && others[0]);
    const wrong = leaf.outcome === "mismatch";
    const written = found && onSide(found, other); // where that is not equal, it is cited
    return found && (isTelling || !wrong) ? [[key, found.field_name, wrong || leaves.length > 1 || written !== value ? written : ""]] : [];
  })).slice(0, MOST_INSIDE);
}

// A text without what differs in print alone: width, case, blanks, marks beside words, separators of thousands. One of
// figures alone keeps its other marks.
function printed(value) {
  if (value === undefined) return undefined;
  const text = value.normalize("NFKC").toLowerCase();
  return /\p{L}/u.test(text) ? text.replace(/(?<!\p{N})[^\p{L}\p{N}]+|[^\p{L}\p{N}]+(?!\p{N})/gu, "") : text.replace(/[,.\s](?=\d{3}(?!\d))/g, "");
}

function cited(value) {
  const kept = [...value].slice(0, LONGEST_EQUAL).join("");
  return ["“", kept, kept !== value && "…", "”"];
}

function onSide(leaf, side) {
  return leaf.outcome === (side === "gold_value" ? "extra" : "missing") ? undefined : textOf(leaf[side]);
}

function isWithin(path, whole) {
  return whole === "$" || path === whole || (path.startsWith(whole) && [".", "["].includes(path[whole.length]));
}

function wrongRow({ path, leaves, twins }, { partners = {}, written }) {
  const [leaf] = leaves;
  const one = leaves.length === 1 && leaf.field_name === path;
  const extra = leaf.outcome === "extra";
  const unread = path === "$" && written !== undefined;
  const [wanted, given] = one ? valuesOf(leaf) : [inside(extra ? [] : leaves, path), inside(extra ? leaves : [], path)];
  return el("tr", null,
    el("th", { scope: "row" }, pathOf(path), partnerOf(path, leaf, partners)),
    cell("reference", wanted), cell("prediction", unread ? valueText(written) : given),
    el("td", { class: "outcome" },
      el("span", { class: `badge ${extra ? "extra" : leaf.fuzzy_match || leaf.why === "format" ? "near" : ""}` }, unread ? word("outcome_unread") : outcomeWord(leaf)),
      one && leaf.outcome === "mismatch" && remark(leaf),
      twins.map(([key, at, value]) => el("small", null, value && [cited(value), ": "], word(key, { path: at })))));
}

function pathOf(path) {
  return path === "$" ? word("document") : el("code", { class: "shown" }, path);
}

// On a narrow screen the cells stand below each other and carry their own title.
function cell(side, content) {
  return el("td", { class: side }, el("span", { class: "side-title" }, word(side)), content);
}

// In arrays without order an item is compared with its partner, which may stand elsewhere.
function partnerOf(path, leaf, partners) {
  if (leaf.outcome === "extra" && path === leaf.field_name) return null;
  if (leaf.outcome === "extra") return partners[parentOf(path) || "$"] && el("small", null, word("item_of_prediction"));
  let [given, done, differs] = ["", "", false];
  for (const step of path.match(/\[\d+\]|\["(?:[^"\\]|\\.)*"\]|[^[]+/g) ?? []) {
    const index = /^\[\d+\]$/.test(step) ? partners[done || "$"]?.[Number(step.slice(1, -1))] : undefined;
    if (index === null) return null;
    differs ||= index !== undefined && `[${index}]` !== step;
    given += index === undefined ? step : `[${index}]`;
    done += step;
  }
  return differs && el("small", null, word("in_prediction", { path: given }));
}

function outcomeWord(leaf) {
  return term(`counts:fields.${leaf.outcome}`, leaf.why ? word(`why_${leaf.why}`) : word(`outcome_${leaf.outcome}`));
}

function remark(leaf) {
  return el("small", null, term("about_type", knows(`type_${leaf.field_type}`) ? word(`type_${leaf.field_type}`) : leaf.field_type), " · ", term("metric:similarity", word("similarity")), ` ${number(leaf.similarity, "")}`);
}

function inside(leaves, path) {
  if (!leaves.length) return absent();
  return el("ul", { class: "inside" },
    leaves.slice(0, MOST_INSIDE).map((leaf) => el("li", null, el("span", { class: "faint" }, nameWithin(leaf.field_name, path)), " ", valueText(leaf.outcome === "extra" ? leaf.pred_value : leaf.gold_value))),
    leaves.length > MOST_INSIDE && el("li", { class: "faint" }, word("and_left_out", { n: grouped(leaves.length - MOST_INSIDE) })));
}

function nameWithin(name, path) {
  return path === "$" ? name : name.slice(path.length).replace(/^\./, "");
}

function absent() {
  return el("span", { class: "faint" }, "–");
}

function valueText(value) {
  if (value === null || value === undefined) return el("code", { class: "shown faint" }, "null");
  return el("code", { class: "shown" }, value === "" ? "\"\"" : textOf(value));
}

function textOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function valuesOf(leaf) {
  const { gold_value: wanted, pred_value: given, outcome } = leaf;
  if (outcome === "missing") return [valueText(wanted), absent()];
  if (outcome === "extra" && wanted === null) return [absent(), valueText(given)];
  if (outcome !== "mismatch") return [valueText(wanted), valueText(given)];
  return compared(textOf(wanted), textOf(given));
}

// Both texts with the characters marked that the other lacks, and long equal stretches shortened.
function compared(wanted, given) {
  const [a, b] = [graphemes(wanted), graphemes(given)];
  const common = longestCommon(a, b);
  if (common.length < ALIKE * Math.max(a.length, b.length)) common.length = 0;
  const sides = [[], []];
  for (const run of runsOf(common, a.length, b.length)) {
    [a, b].forEach((letters, side) => {
      const text = letters.slice(...run[side]);
      sides[side].push(run.same ? shortened(text, run[0][0] > 0, run[0][1] < a.length) : el("mark", { class: text.length ? "off" : "off gap" }, visible(text.join(""))));
    });
  }
  return sides.map((pieces) => el("code", { class: "shown" }, pieces));
}

// Stretches that both texts share and stretches between them, as the ranges of both.
function runsOf(common, ...ends) {
  const runs = [];
  let [i, j] = [0, 0];
  const add = (same, k, l) => {
    if (k === i && l === j) return;
    const last = runs.at(-1);
    if (last?.same === same) [last[0][1], last[1][1]] = [k, l];
    else runs.push({ same, 0: [i, k], 1: [j, l] });
    [i, j] = [k, l];
  };
  for (const [k, l] of common) {
    add(false, k, l);
    add(true, k + 1, l + 1);
  }
  add(false, ...ends);
  return runs;
}

// Characters as a reader counts them: a syllable, an emoji, a letter with its accents.
const segmenter = globalThis.Intl?.Segmenter && new Intl.Segmenter();

function graphemes(text) {
  return segmenter ? Array.from(segmenter.segment(text), (each) => each.segment) : Array.from(text);
}

// The longest common subsequence, as pairs of positions. Texts are cut to a few hundred characters before.
function longestCommon(a, b) {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return pairs;
}

function shortened(letters, after, before) {
  if (letters.length <= LONGEST_EQUAL) return letters.join("");
  return `${after ? letters.slice(0, KEPT).join("") : ""}…${before ? letters.slice(-KEPT).join("") : ""}`;
}

// White space that differs would otherwise not be seen.
function visible(text) {
  return text.trim() === "" ? text.replace(/ /g, "␣").replace(/\t/g, "⇥").replace(/\n/g, "↵") : text;
}

function equalFields(leaves) {
  const rows = [...leaves.filter((leaf) => leaf.why), ...leaves.filter((leaf) => !leaf.why)];
  const folded = el("details", { class: "equal" }, el("summary", null, word("equal_fields", { n: grouped(leaves.length) })));
  folded.addEventListener("toggle", () => folded.append(fieldTable(rows.map((leaf) => el("tr", null,
    el("th", { scope: "row" }, pathOf(leaf.field_name)), cell("reference", valueText(leaf.gold_value)), cell("prediction", valueText(leaf.pred_value)),
    el("td", { class: "outcome" }, outcomeWord(leaf)))))), { once: true });
  return folded;
}

function schemaErrors(errors) {
  return errors.length > 0 && titled(word("schema_errors"), table("small-table", null, errors.map(({ path, keyword, message }) => [
    pathOf(path), [knows(`schema_${keyword}`) ? word(`schema_${keyword}`) : el("code", { class: "shown" }, keyword), el("small", null, message)]])));
}
