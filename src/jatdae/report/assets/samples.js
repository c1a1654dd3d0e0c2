// The table of samples. Only the rows in view are in the document, so that 50,000 are as light as fifty.

const ROW_HEIGHT = 35;
const MARGIN = 12;

function setUpSamples(box) {
  const rows = data.rows;
  const count = rows.ids.length;
  const filters = { text: "", issue: "", labels: {}, behind: null }; // behind: by row how often, of a bar
  let everyMetric = false;
  let sorted = { key: "", down: false };
  let order = Array.from({ length: count }, (_, at) => at);
  let shown = order;
  let current = -1;
  let drawn = "";
  const searched = new Array(count);
  const body = el("tbody");
  const head = el("tr");
  const grid = el("table", { "aria-rowcount": count + 1 }, el("thead", null, head), body);
  box.append(grid);

  const every = [
    { key: "id", label: () => "id", value: (at) => rows.ids[at], kind: "id" },
    ...(data.systems.length > 1
      ? [{ key: "system", label: () => word("system"), value: (at) => data.systems[rows.systems[at]] }] : []),
    ...data.metrics.map((metric, number) => ({
      key: `metric ${number}`, metric,
      label: () => [breakable(metric.name), ` ${arrow(metric.better)}`],
      value: (at) => rows.values[number][at],
    })),
    { key: "issues", label: () => word("issues"), value: (at) => rows.issues[at].length },
  ];
  every.splice(1, 0, { key: "behind", kind: "value", about: "about_count", label: () => word("count"), value: (at) => filters.behind.get(at) ?? null });
  let columns = [];

  // Metrics outside the family are shown on demand, and how often something went wrong where its bar was pressed.
  function chooseColumns() {
    const counted = filters.behind && [...filters.behind.values()].some((times) => times !== null); // not in an older run
    columns = every.filter((column) => (column.key === "behind" ? counted : everyMetric || !column.metric || !isSecondary(column.metric)));
    head.replaceChildren(...columns.map((column) => el("th", { scope: "col", class: column.metric ? "value" : column.kind },
      el("button", { type: "button", "data-about": column.about ?? (column.metric && aboutOf(`metric:${column.metric.name}`)), click: () => sortBy(column) }, column.label()))));
    markSorted();
  }

  function markSorted() {
    columns.forEach((column, at) => {
      if (sorted.key === column.key) head.cells[at].setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else head.cells[at].removeAttribute("aria-sort");
    });
  }

  // The samples behind a bar, where it is most frequent first; none: all samples as they came.
  function chooseBehind(found) {
    filters.behind = found;
    sorted = { key: found ? "behind" : "", down: true };
    order = found ? [...found.keys()] : Array.from({ length: count }, (_, at) => at);
    chooseColumns();
    refilter();
  }

  // The first press brings the worst up; the next turns the order round. What has no value stays at the end.
  function sortBy(column) {
    const worstDown = column.metric ? column.metric.better === "lower" : ["issues", "behind"].includes(column.key);
    sorted = { key: column.key, down: sorted.key === column.key ? !sorted.down : worstDown };
    const sign = sorted.down ? -1 : 1;
    const keyed = order.map((at) => [column.value(at), at]);
    keyed.sort(([a, i], [b, j]) => {
      if (a === null || b === null) return (a === null) - (b === null) || i - j;
      return a < b ? -sign : a > b ? sign : i - j;
    });
    order = keyed.map(([, at]) => at);
    markSorted();
    refilter();
  }

  function haystack(at) {
    searched[at] ??= [
      rows.ids[at], data.systems[rows.systems[at]],
      ...Object.values(rows.meta).map((label) => label.known[label.at[at]] ?? ""),
      ...rows.issues[at].map((code) => rows.codes[code]),
      JSON.stringify(data.details[at]?.evidence ?? ""),
    ].join("\n").toLowerCase();
    return searched[at];
  }

  function fits(at) {
    if (filters.behind && !filters.behind.has(at)) return false;
    if (filters.issue !== "" && !rows.issues[at].includes(filters.issue)) return false;
    for (const [key, wanted] of Object.entries(filters.labels)) {
      const own = key === "system" ? rows.systems[at] : rows.meta[key.slice(5)].at[at];
      if (wanted !== "" && own !== wanted) return false;
    }
    return filters.text === "" || haystack(at).includes(filters.text);
  }

  function refilter() {
    const selected = shown[current];
    shown = order.filter(fits);
    current = shown.indexOf(selected);
    document.getElementById("shown").replaceChildren(word("page_of", { n: grouped(shown.length), all: grouped(count) }));
    box.scrollTop = 0;
    drawn = "";
    draw();
  }

  function draw(from = Math.floor(box.scrollTop / ROW_HEIGHT) - MARGIN, most = Math.ceil(box.clientHeight / ROW_HEIGHT) + 2 * MARGIN) {
    const start = Math.max(0, from);
    const end = Math.min(shown.length, start + most);
    const key = `${start} ${end} ${current}`;
    if (key === drawn) return;
    drawn = key;
    body.replaceChildren(spacer(start), ...shown.slice(start, end).map((at, place) => row(at, start + place)), spacer(shown.length - end));
    if (!shown.length) body.append(el("tr", { class: "empty" }, el("td", { colspan: columns.length }, word("page_none_left"))));
  }

  function spacer(rowsAway) {
    const cell = el("td", { colspan: columns.length });
    cell.style.height = `${rowsAway * ROW_HEIGHT}px`;
    return el("tr", { class: "spacer", "aria-hidden": "true", hidden: rowsAway === 0 }, cell);
  }

  function row(at, place) {
    return el("tr", { "aria-rowindex": place + 2, "aria-current": place === current && "true", click: (event) => { if (!event.target.closest("a, button")) event.currentTarget.querySelector("a")?.click(); } },
      columns.map((column) => {
        if (column.kind === "id") return el("th", { scope: "row", class: "id" }, el(data.texts ? "a" : "span", { href: data.texts && addressOf(at) }, rows.ids[at] || say("page_blank")));
        if (column.metric) return el("td", { class: "value" }, shownValue(column.value(at), column.metric.unit));
        if (column.key === "behind") return el("td", { class: "value" }, column.value(at) ?? "–");
        if (column.key === "system") return el("td", null, column.value(at) || word("all_samples"));
        return el("td", null, issuesOf(rows.issues[at].map((code) => rows.codes[code])));
      }));
  }

  function select(place) {
    if (!shown.length) return;
    current = Math.min(Math.max(place, 0), shown.length - 1);
    const top = current * ROW_HEIGHT;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top + 2 * ROW_HEIGHT > box.scrollTop + box.clientHeight - ROW_HEIGHT) box.scrollTop = top + 3 * ROW_HEIGHT - box.clientHeight;
    draw();
  }

  setUpFilters(filters, refilter);
  setUpBehind(chooseBehind);
  const choice = document.getElementById("all-metrics");
  choice.hidden = !data.metrics.some(isSecondary);
  choice.addEventListener("change", (event) => {
    everyMetric = event.target.checked;
    drawn = "";
    chooseColumns();
    draw();
  });
  box.addEventListener("scroll", () => draw());
  addEventListener("resize", () => { drawn = ""; draw(); });
  addEventListener("beforeprint", () => draw(0, 200));
  addEventListener("afterprint", () => draw());
  chooseColumns();
  refilter();
  return {
    walk: (step) => select(current + step),
    current: () => (current < 0 ? null : shown[current]),
    choose: (at) => { const place = shown.indexOf(at); if (place >= 0) select(place); },
  };
}

function setUpFilters(filters, refilter) {
  const rows = data.rows;
  document.getElementById("filter-text").addEventListener("input", (event) => {
    filters.text = event.target.value.toLowerCase();
    refilter();
  });
  const issue = document.getElementById("filter-issue");
  issue.append(el("option", { value: "" }, word("page_any")), ...rows.codes.map((code, at) => el("option", { value: at }, code)));
  issue.addEventListener("change", () => {
    filters.issue = issue.value === "" ? "" : Number(issue.value);
    refilter();
  });
  for (const button of document.querySelectorAll("[data-issue]")) {
    button.addEventListener("click", () => {
      issue.value = String(rows.codes.indexOf(button.dataset.issue));
      issue.dispatchEvent(new Event("change"));
      document.getElementById("rows").scrollIntoView({ block: "center" });
    });
  }
  const told = new Set(data.metrics.flatMap((metric) => metric.told ?? []));
  const labels = Object.entries(rows.meta)
    .filter(([key, label]) => !told.has(key) && label.known.length > 1 && label.known.length <= 200)
    .map(([key, label]) => [`meta ${key}`, key, label.known]);
  if (data.systems.length > 1) labels.unshift(["system", word("system"), data.systems]);
  for (const [key, name, known] of labels) {
    const choice = el("select", null, el("option", { value: "" }, word("page_any")), known.map((value, at) => el("option", { value: at }, value || say("no_value"))));
    choice.addEventListener("change", () => {
      filters.labels[key] = choice.value === "" ? "" : Number(choice.value);
      refilter();
    });
    document.getElementById("filter-labels").append(el("label", null, name, " ", choice));
  }
}

// A bar of what goes wrong opens the samples behind it: the worst of them, until the reader asks for all samples again.
function setUpBehind(choose) {
  const note = document.getElementById("behind");

  function clear() {
    note.hidden = true;
    choose(null);
    document.getElementById("rows").focus({ preventScroll: true });
  }

  for (const button of document.querySelectorAll("[data-behind]")) {
    button.addEventListener("click", () => {
      const found = data.behind[button.dataset.behind];
      const all = Number(button.dataset.all);
      const kind = document.getElementById(button.closest("table").getAttribute("aria-labelledby"));
      const system = button.closest("table").tHead.rows[0].cells[button.closest("td").cellIndex];
      note.hidden = false;
      note.replaceChildren(
        word("page_behind"), " ", el("b", null, copyOf(kind), ": ", copyOf(button.closest("tr").cells[0])),
        ...(data.systems.length > 1 ? [" · ", ...copyOf(system)] : []),
        " – ", found.length < all ? word("page_behind_of", { n: grouped(found.length), all: grouped(all) }) : word("page_behind_all", { n: grouped(all) }), " ",
        el("button", { type: "button", click: clear }, word("page_behind_clear")));
      choose(new Map(found));
      document.getElementById("samples").scrollIntoView();
      document.getElementById("rows").focus({ preventScroll: true });
    });
  }
}

// The same words once more, without what explains them.
function copyOf(node) {
  return [...node.childNodes].map((child) => (child instanceof Element && child.matches("button") ? copyOf(child) : child.cloneNode(true)));
}

// The first issue of a row, and how many more an open sample tells of.
function issuesOf([first, ...more]) {
  return first && [chip(first), more.length > 0 && el("span", { class: "faint", title: more.join(", ") }, `+${more.length}`)];
}

// The code of an issue, which explains itself where its meaning is known.
function chip(code) {
  const about = aboutOf(`issue:${code}`);
  return about ? el("button", { type: "button", class: "chip term", "data-about": about }, code) : el("span", { class: "chip" }, code);
}

function addressOf(at) {
  const system = data.systems[data.rows.systems[at]];
  return `#sample=${encodeURIComponent(data.rows.ids[at])}${data.systems.length > 1 ? `&system=${encodeURIComponent(system)}` : ""}`;
}
