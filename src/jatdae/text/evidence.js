// Two texts as they were aligned, what was taken for what, where, and what had been removed before.

view((evidence) => Array.isArray(evidence.runs), showText);

const FIRST_PASSAGES = 5;

// The largest passages that are lost or moved come first: where there are some, they are what is wrong.
function showText(evidence) {
  const passages = evidence.passages ?? [];
  const listed = passages.filter((passage) => passage.from === undefined); // a text that moved is listed once
  const ranked = [...listed].sort((a, b) => b.characters - a.characters);
  const largest = ranked.slice(0, FIRST_PASSAGES);
  const rest = listed.filter((passage) => !largest.includes(passage));
  const bibliography = evidence.bibliography ?? evidence.references;
  return [
    bibliography && oneSided(bibliography),
    largest.length > 0 && titled(word("passages"), passageList(largest)),
    legend(evidence.where ?? {}, passages),
    alignment(joined(evidence.runs, passages)),
    evidence.runs_left_out > 0 && el("p", { class: "note" }, word("and_left_out", { n: evidence.runs_left_out })),
    evidence.largest && alignment(evidence.largest),
    el("div", { class: "sides fitting" },
      evidence.confusions?.length > 0 && titled(word("confusions"), confusionTable(evidence.confusions)),
      Object.keys(evidence.where ?? {}).length > 0 && titled(word("where"), whereTable(evidence.where)),
      rest.length > 0 && titled(word("passages"), passageList(rest)),
      Object.keys(evidence.scope ?? {}).length > 0 && titled(word("scope"), scopeTable(evidence.scope)),
      bibliography && titled(word("bibliography"), bibliographyTable(bibliography))),
  ];
}

// Runs inside a passage as one: letters that an alignment finds there by chance say nothing.
function joined(runs, passages) {
  const shown = [];
  for (const run of runs) {
    const passage = passages.find(({ at }) => at && run.at && [0, 2].every((side) => at[side] <= run.at[side] && run.at[side + 1] <= at[side + 1]));
    const last = shown.at(-1);
    if (!passage) shown.push(run);
    else if (last?.passage === passage) {
      for (const side of ["reference", "prediction"]) last[side] = (last[side] ?? "") + (textOf(run, side) ?? "") || undefined;
    } else shown.push({ passage, kind: passage.kind, reference: textOf(run, "reference"), prediction: textOf(run, "prediction") });
  }
  return shown;
}

function textOf(run, side) {
  return run.kind === "equal" ? run.reference : run[side];
}

function alignment(runs) {
  const sides = { reference: [], prediction: [] };
  runs.forEach((run) => {
    const pair = [];
    for (const side of ["reference", "prediction"]) {
      const text = textOf(run, side);
      if (text === undefined) continue;
      const piece = run.kind === "equal" ? el("span", { class: "run" }, text)
        : el("mark", { class: `run ${kindOf(run.kind, side)}` }, visible(text));
      pair.push(piece);
      sides[side].push(piece);
    }
    if (run.kind !== "equal") link(pair);
  });
  return el("div", { class: "sides" }, ["reference", "prediction"].map((side) => el("div", null,
    el("p", { class: "side-title" }, word(side)),
    el("p", { class: "prose", tabindex: "0", role: "region", ...label(side) }, sides[side].length ? sides[side] : el("span", { class: "faint" }, word("no_text"))))));
}

// What the colours mean, and how many characters of each there are.
function legend(where, passages) {
  const places = Object.values(where);
  const isMoved = passages.some(({ kind }) => kind === "moved");
  return el("p", { class: "legend" }, isMoved && el("span", { class: "run moved" }, term("counts:passages", word("key.moved"), "moved")), Object.entries({ substitutions: "changed", deletions: "lost", insertions: "added" }).map(([sort, kind]) => el("span", { class: `run ${kind}` },
    term(`counts:where.${sort}`, word(sort)), places.length > 0 && ` ${grouped(places.reduce((sum, found) => sum + found[sort], 0))}`)));
}

// What one side has in the place of a passage that only the other has is changed.
function kindOf(kind, side) {
  if (kind === { prediction: "lost", reference: "added" }[side]) return "changed";
  return { replace: "changed", replaced: "changed", delete: "lost", insert: "added" }[kind] ?? kind;
}

// White space that was misread would otherwise not be seen.
function visible(text) {
  return text.trim() === "" ? text.replace(/ /g, "␣").replace(/\t/g, "⇥").replace(/\n/g, "↵\n") : text;
}

function link(pieces) {
  const mark = (on) => () => pieces.forEach((piece) => piece.classList.toggle("linked", on));
  for (const piece of pieces) {
    piece.addEventListener("mouseenter", mark(true));
    piece.addEventListener("mouseleave", mark(false));
  }
}

function confusionTable(confusions) {
  const most = Math.max(...confusions.map(([, count]) => count));
  return [confusionGrid(confusions.map(([pair, count]) => [...parted(pair), count])),
    table("small-table", null, confusions.slice(0, 20).map(([pair, count]) => {
      const [was, now] = parted(pair);
      const bar = el("meter", { min: 0, max: most, value: count, "aria-label": pair });
      return [el("code", { class: "shown" }, was ? visible(was) : "∅", " → ", now ? visible(now) : "∅"), bar, grouped(count)];
    }))];
}

// "a→b", where a or b may be empty or an arrow itself.
function parted(pair) {
  const at = pair.indexOf("→", 1) > 0 ? pair.indexOf("→", 1) : pair.indexOf("→");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

// What was written (down) and what was read instead (across), for the characters most often confused.
function confusionGrid(confusions) {
  const misread = confusions.filter(([was, now]) => was && now);
  if (misread.length < 3) return null;
  const kept = misread.slice(0, 12);
  const [down, across] = [0, 1].map((side) => [...new Set(kept.map((each) => each[side]))]);
  const counts = new Map(kept.map(([was, now, count]) => [`${was}\n${now}`, count]));
  const most = Math.max(...counts.values());
  return el("div", { class: "wide", tabindex: "0" }, el("table", { class: "confusions" },
    el("thead", null, el("tr", null, el("td"), across.map((now) => el("th", { scope: "col" }, visible(now))))),
    el("tbody", null, down.map((was) => el("tr", null, el("th", { scope: "row" }, visible(was)), across.map((now) => {
      const count = counts.get(`${was}\n${now}`);
      const cell = el("td", { class: count && "some" }, count ?? "");
      if (count) cell.style.setProperty("--share", `${Math.round(25 + (75 * count) / most)}%`);
      return cell;
    }))))));
}

function whereTable(where) {
  const sorts = ["substitutions", "deletions", "insertions"];
  return table("small-table", ["", ...sorts.map((sort) => term(`counts:where.${sort}`, word(sort)))],
    Object.entries(where).map(([place, found]) => [knows(`key.${place}`) ? word(`key.${place}`) : place, ...sorts.map((sort) => grouped(found[sort] ?? 0))]));
}

// Text that is lost, moved or added as a whole, with the part of the page it stands in.
function passageList(passages) {
  return el("ul", { class: "problems" }, passages.map((passage) => {
    const [reference, prediction] = [passage.reference ?? "", passage.prediction ?? ""];
    return el("li", null, el("span", { class: `chip run ${kindOf(passage.kind)}` }, term("counts:passages", word(`key.${passage.kind}`), passage.kind)),
      passage.kind === "replaced" ? [reference, el("b", null, " → "), prediction] : reference.length < prediction.length ? prediction : reference,
      passage.after && el("small", null, ["reference", "prediction"].map((side, at) => [at > 0 && " → ", word(side), ": ", placeAfter(passage.after[at])])),
      el("small", null, knows(`key.${passage.where}`) ? word(`key.${passage.where}`) : passage.where, " · ", word("characters"), ` ${grouped(passage.characters)}`));
  }));
}

function placeAfter(text) {
  return text ? [word("after"), " “", text, "”"] : word("at_beginning");
}

function scopeTable(scope) {
  return table("small-table", [word("step"), ...["prediction", "reference"].map((side) => term(`counts:scope.${side}`, word(side)))],
    Object.entries(scope).map(([step, [prediction, reference]]) => [term("counts:scope.reference", stepName(step), step), grouped(prediction), grouped(reference)]));
}

// Steps of the preset `seed` do what those of the same name do, in its own wording.
function stepName(step) {
  const key = `key.${step.replace(/^seed_/, "")}`;
  return knows(key) ? word(key) : step;
}

// A bibliography that one side lacks moves the metrics of the body more than anything that is marked in the texts.
function oneSided({ prediction, reference }) {
  if (Boolean(prediction?.found) === Boolean(reference?.found)) return null;
  return el("p", null, el("span", { class: "chip" }, word("bibliography")), " ",
    reference?.found ? word("only_reference_has_one") : word("only_prediction_has_one"));
}

function bibliographyTable(bibliography) {
  return table("small-table", null, ["prediction", "reference"].map((side) => {
    const found = bibliography[side];
    return [word(side), found?.found ? [word(`found_by_${found.by}`), ` · ${grouped(found.characters)}`] : "–"];
  }));
}
