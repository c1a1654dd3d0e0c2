// Any JSON as a tree that unfolds.

const MOST_CHILDREN = 200;

function showTree(value) {
  return el("div", { class: "tree" }, el("ul", null, branches(value, 0)));
}

function branches(value, depth) {
  const entries = Array.isArray(value) ? value.map((item, at) => [String(at), item]) : Object.entries(value);
  const shown = entries.slice(0, MOST_CHILDREN).map(([name, item]) => branch(name, item, depth));
  if (entries.length > MOST_CHILDREN) shown.push(el("li", null, word("page_and_left_out", { n: entries.length - MOST_CHILDREN })));
  return shown;
}

function branch(name, value, depth) {
  const label = el("span", { class: "name" }, name);
  if (value === null || typeof value !== "object") {
    return el("li", null, label, ": ", el("span", { class: "leaf" }, typeof value === "string" ? value : JSON.stringify(value)));
  }
  const size = Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`;
  const inside = el("ul");
  const folded = el("details", null, el("summary", null, label, ` ${size}`), inside);
  const unfold = () => { if (!inside.childNodes.length) inside.append(...branches(value, depth + 1)); };
  folded.addEventListener("toggle", unfold);
  if (depth < 1) {
    folded.open = true;
    unfold();
  }
  return el("li", null, folded);
}
