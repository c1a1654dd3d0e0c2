// One sample in full: its values, its issues and its evidence, beside what another system made of it.

function setUpDetail(samples) {
  const dialog = document.getElementById("detail");
  const places = new Map();
  let shown = null;
  let compared = data.base + 1; // the system beside the first one, of a comparison
  let opener = null;
  let leaving = false; // the address of a sample that was closed is being left, which takes the browser a moment
  let next = null; // what was opened meanwhile
  const lost = el("p", { class: "behind", role: "status", hidden: true });
  document.getElementById("rows").before(lost);
  data.rows.ids.forEach((id, at) => (places.get(id) ?? places.set(id, []).get(id)).push(at));
  for (const rows of places.values()) rows.sort((a, b) => data.rows.systems[a] - data.rows.systems[b]); // sides never swap

  function addressed() {
    return found(location.hash);
  }

  function found(address) {
    if (!data.texts || !address.startsWith("#sample=")) return null;
    const [id, system] = partsOf(address);
    const rows = places.get(id) ?? [];
    return rows.find((at) => system === undefined || data.systems[data.rows.systems[at]] === system) ?? null;
  }

  function follow() {
    const at = addressed();
    tellLost(at === null && data.texts && location.hash.startsWith("#sample="));
    if (at === null) return dialog.open && dialog.close();
    if (dialog.open && at === shown) return;
    shown = at;
    if (data.rows.systems[at] !== data.base) compared = data.rows.systems[at];
    samples.choose(at);
    dialog.replaceChildren(top(at), besidePages(at, alignLevels(panels(at))));
    nameRegions(dialog);
    if (!dialog.open) {
      opener = document.activeElement;
      dialog.showModal();
    }
    giveWidth(dialog.querySelector(".panels"));
    watchScrolling(dialog);
    dialog.scrollTop = below(at);
    const part = partsOf(location.hash)[2]; // such as a turn
    if (part) dialog.querySelector(`[data-level="${CSS.escape(part)}"]`)?.scrollIntoView();
  }

  // How far below the first system the one stands that was asked for: on a narrow screen, not beside it. A comparison is read from its first.
  function below(at) {
    const shown = dialog.querySelectorAll(".panel:not(.pages)");
    return data.base === undefined ? shown[together(at).indexOf(at)].offsetTop - shown[0].offsetTop : 0;
  }

  // An address that leads to no sample of the page says so, where the samples are.
  function tellLost(isLost) {
    lost.hidden = !isLost;
    if (!isLost) return;
    lost.replaceChildren(word("page_no_sample", { id: partsOf(location.hash).join(" · ") }));
    lost.scrollIntoView({ block: "center" });
  }

  function top(at) {
    const inView = together(at);
    const others = places.get(data.rows.ids[at]).filter((other) => !inView.includes(other));
    return el("div", { class: "bar-top" },
      el("h2", { id: "detail-title", class: "id", tabindex: "-1", autofocus: true }, data.rows.ids[at] || say("page_blank")),
      el("div", { class: "steps" },
        el("button", { type: "button", click: () => step(-1) }, word("page_previous")),
        el("button", { type: "button", click: () => step(1) }, word("page_next")),
        el("button", { type: "button", id: "close", click: leave }, word("page_close"))),
      others.length > 0 && el("div", { class: "others" },
        others.map((other) => el("button", { type: "button", click: () => go(other) }, whose(other)))));
  }

  function panels(at) {
    return el("div", { class: "panels" }, together(at).map((each) => panel(each, data.systems.length > 1)));
  }

  // Images of pages scroll by themselves, so that they stay beside however long a text.
  function besidePages(at, texts) {
    const images = data.images?.of[data.rows.ids[at]];
    if (!images) return texts;
    return el("div", { class: "beside" },
      el("div", { class: "pages", tabindex: "0" },
        images.map((src, page) => el("img", { src, loading: "lazy", alt: say("page_image", { n: page + 1 }) })),
        data.images.left_out > 0 && el("p", { class: "note" }, word("page_images_left_out", { n: grouped(data.images.left_out) }))),
      texts);
  }

  // What is shown side by side, in the order of the systems: two systems; in a comparison the first and one other.
  function together(at) {
    const rows = places.get(data.rows.ids[at]);
    if (rows.length === 2) return rows;
    if (data.base === undefined) return [at];
    const system = data.rows.systems[at] === data.base ? compared : data.rows.systems[at];
    return rows.filter((row) => [data.base, system].includes(data.rows.systems[row]));
  }

  // Opening a sample adds a step to the history of the browser, and walking on takes its place: Back closes whatever is open.
  function go(at, address = addressOf(at)) {
    if (leaving) next = [at, address];
    else {
      if (dialog.open) history.replaceState(history.state, "", address);
      else history.pushState({ sample: true }, "", address);
      follow();
    }
  }

  function arrive() {
    const to = next;
    leaving = false;
    next = null;
    if (to) go(...to);
    else follow();
  }

  // A comparison shows both sides of a sample at once: the next is another sample, of the same two systems.
  function step(by) {
    const id = data.rows.ids[shown];
    const other = compared;
    let before;
    do {
      before = samples.current();
      samples.walk(by);
    } while (data.base !== undefined && samples.current() !== before && data.rows.ids[samples.current()] === id);
    if (data.base === undefined || samples.current() === null) return openCurrent();
    const at = samples.current();
    go(places.get(data.rows.ids[at]).find((row) => data.rows.systems[row] === other) ?? at);
  }

  function openCurrent() {
    if (!data.texts) return;
    if (samples.current() === null) samples.walk(1);
    if (samples.current() !== null) go(samples.current());
  }

  // Done at once rather than on the dialog's own event, which comes late enough to close the next sample instead.
  // The step that opening added is taken back, so that Back never opens what was closed.
  function leave() {
    dialog.close();
    leaving = Boolean(history.state?.sample);
    if (location.hash.startsWith("#sample=")) history.replaceState(null, "", location.pathname + location.search);
    if (leaving) history.back();
    const back = opener?.isConnected && opener.matches("a, button") ? opener : document.getElementById("rows");
    back.focus({ preventScroll: true });
  }

  dialog.addEventListener("close", () => { if (!dialog.open && addressed() !== null) leave(); });
  addEventListener("hashchange", follow);
  addEventListener("popstate", arrive);
  addEventListener("resize", () => { if (dialog.open) giveWidth(dialog.querySelector(".panels")); });
  addEventListener("click", (event) => {
    const address = event.target.closest?.("a[href^='#sample=']")?.getAttribute("href");
    if (!address || event.ctrlKey || event.metaKey || event.shiftKey) return; // into a window of its own
    const at = found(address);
    if (at === null) return;
    event.preventDefault();
    go(at, address);
  });
  addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { j: 1, k: -1 }[event.key];
    if (event.key === "Escape" && dialog.open) leave();
    else if (by && dialog.open) step(by);
    else if (by) samples.walk(by);
    else if (event.key === "Enter" && !dialog.open && !event.target.closest("button, a, summary")) openCurrent();
    else return;
    event.preventDefault();
  });
  follow();
}

// Regions of the same name are told apart by their system, and by a number.
function nameRegions(dialog) {
  const met = new Map();
  for (const region of dialog.querySelectorAll("[role=region][data-label]")) {
    const system = region.closest(".panel")?.querySelector("h3.system")?.textContent;
    const name = `${region.dataset.label} ${system}`;
    met.set(name, (met.get(name) ?? 0) + 1);
    region.dataset.whose = [system && ` · ${system}`, met.get(name) > 1 && ` ${met.get(name)}`].filter(Boolean).join("");
    region.setAttribute("aria-label", say(region.dataset.label) + region.dataset.whose);
  }
}

// The system of a row, with its colour.
function whose(at) {
  const system = data.rows.systems[at];
  return [el("span", { class: `key s${data.colours[system]}`, "aria-hidden": "true" }), data.systems[system] || word("all_samples")];
}

function panel(at, isNamed) {
  const detail = data.details[at];
  const issues = detail?.issues ?? data.rows.issues[at].map((code) => [data.rows.codes[code], "", ""]);
  // An error says why there is nothing to see; the rest is read after the evidence.
  const [grave, rest] = [issues.filter(([, , severity]) => severity === "error"), issues.filter(([, , severity]) => severity !== "error")];
  const labels = Object.entries(data.rows.meta).filter(([, label]) => label.at[at] >= 0);
  return el("section", { class: "panel" },
    el("div", null,
      isNamed && el("h3", { class: "system" }, whose(at)),
      measures(at, (metric) => !isSecondary(metric)),
      data.metrics.some(isSecondary) && el("details", { class: "more" },
        el("summary", null, word("page_more_metrics", { n: data.metrics.filter(isSecondary).length })), measures(at, isSecondary)),
      labels.length > 0 && el("p", { class: "note" }, labels.map(([key, label]) => `${key}: ${label.known[label.at[at]]}`).join(" · ")),
      grave.length > 0 && issueList(grave)),
    detail ? evidenceOf(detail.evidence, issues.map(([code]) => code)) : el("p", { class: "note" }, word("page_evidence_absent")),
    el("div", null,
      rest.length > 0 && el("details", { class: "issues" }, el("summary", null, word("issues"), ` ${rest.length}`), issueList(rest)),
      detail?.units.length > 0 && unitsTable(detail.units)));
}

// Parts of evidence that have a level, such as the turns of conversations, stand at one height in all panels: each
// level is a row of the grid around the panels.
function alignLevels(panels) {
  const parts = [...panels.querySelectorAll(":scope > .panel > .evidence > [data-level]")];
  const levels = [...new Set(parts.map((part) => part.dataset.level))].sort(new Intl.Collator("en", { numeric: true }).compare);
  const isUnclear = [...panels.children].some((panel) => levels.some((level) => parts.filter((part) => panel.contains(part) && part.dataset.level === level).length > 1));
  if (panels.children.length < 2 || levels.length === 0 || isUnclear) return panels;
  panels.classList.add("levels");
  for (const panel of panels.children) {
    panel.style.gridRow = `span ${levels.length + 3}`;
    panel.lastElementChild.style.gridRow = levels.length + 3;
  }
  for (const part of parts) part.style.gridRow = levels.indexOf(part.dataset.level) + 3;
  return panels;
}

// Evidence that would be cut in a column of its own gets the width of the window; the systems then follow each other.
function giveWidth(panels) {
  panels.parentElement.style.setProperty("--bar", `${document.querySelector(".bar-top").offsetHeight}px`);
  panels.classList.remove("stacked");
  panels.classList.toggle("stacked", panels.children.length > 1 && [...panels.querySelectorAll(".evidence .wide")].some(scrolls));
}

function issueList(issues) {
  return el("ul", { class: "problems" }, issues.map(issueLine));
}

function isSecondary(metric) {
  return !metric.family && !metric.primary;
}

// Metrics that do not apply follow together.
function measures(at, wanted) {
  const values = data.metrics.map((metric, number) => [metric, data.rows.values[number][at]]).filter(([metric]) => wanted(metric));
  const absent = values.filter(([, value]) => value === null);
  return el("ul", { class: "measures" },
    values.filter(([, value]) => value !== null).map(([metric, value]) => el("li", null,
      named(`metric:${metric.name}`, `${metric.name} ${arrow(metric.better)}`), " ", el("b", null, shownValue(value, metric.unit)))),
    absent.length > 0 && el("li", { class: "faint" }, `${shownValue(null, "")}: `,
      absent.map(([metric], place) => [place > 0 && ", ", named(`metric:${metric.name}`, metric.name)])));
}

// A name that explains itself, where it has an explanation.
function named(key, text) {
  return knows(key) ? el("button", { type: "button", class: "term", "data-about": key }, text) : el("span", { class: "faint" }, text);
}

// A message is in the language of its run; the meaning of its code can be said in both.
function issueLine([code, message]) {
  const meaning = knows(`issue:${code}`) && word(`issue:${code}`);
  return el("li", null, chip(code), " ", meaning || message, meaning && message && el("small", null, message));
}

// Rows below a sample, folded, for the evidence shows what is in them. So are metrics outside the family.
function unitsTable(units) {
  const names = [...new Set(units.flatMap((unit) => Object.keys(unit.values)))];
  const about = new Map(data.metrics.map((metric) => [metric.name, metric]));
  const secondary = names.filter((name) => about.has(name) && isSecondary(about.get(name)));
  const shown = names.filter((name) => !secondary.includes(name));
  const listed = (wanted) => valuesTable(units, wanted, (name) => about.get(name)?.unit ?? "");
  return el("details", { class: "units" }, el("summary", null, word("page_units"), ` ${units.length}`), listed(shown.length > 0 ? shown : secondary),
    shown.length > 0 && secondary.length > 0 && el("details", { class: "more" },
      el("summary", null, word("page_more_metrics", { n: secondary.length })), listed(secondary)));
}

// A row for each unit; of few units with many metrics a row for each metric, which is narrower.
function valuesTable(units, names, unitOf) {
  const title = (unit) => [breakable(unit.id), el("small", null, [unit.kind, ...Object.entries(unit.meta).map(([key, value]) => `${key}: ${value}`)].join(" · "))];
  const label = (name) => named(`metric:${name}`, breakable(name));
  const value = (unit, name) => (name in unit.values ? shownValue(unit.values[name], unitOf(name)) : "–");
  return units.length < names.length && units.length <= 5
    ? table("small-table", [word("metric"), ...units.map(title)], names.map((name) => [label(name), ...units.map((unit) => value(unit, name))]))
    : table("small-table", ["id", ...names.map(label)], units.map((unit) => [title(unit), ...names.map((name) => value(unit, name))]));
}

// A name may be cut where its words end.
function breakable(name) {
  return String(name).split(/(?<=[_./:-])/).map((part, at) => [at > 0 && el("wbr"), part]);
}

function partsOf(address) {
  return address.slice(8).split(/&system=|&part=/).map(decoded);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
