// Elements are made here and nowhere else. Whatever a model wrote becomes a text node or a plain attribute value;
// no markup is ever parsed.

const data = JSON.parse(document.getElementById("data").textContent);

function el(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children.flat(Infinity).map(drawn));
}

function math(tag, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/1998/Math/MathML", tag), attributes, children);
}

// A word is a span, which a drawing would not show.
function drawn(child) {
  if (!(child instanceof HTMLElement) || child.dataset.word === undefined) return child;
  return svg("tspan", { "data-word": child.dataset.word, "data-fill": child.dataset.fill }, child.textContent);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

function scrolls(box) {
  return box.scrollWidth > box.clientWidth + 1;
}

function table(kind, header, rows) {
  return el("div", { class: "wide", tabindex: "0" },
    el("table", { class: kind },
      header && el("thead", null, el("tr", null, header.map((cell) => (cell === "" ? el("td") : el("th", { scope: "col" }, cell))))),
      el("tbody", null, rows.map((row) => el("tr", null, row.map((cell) => el("td", null, cell)))))));
}

function titled(title, ...content) {
  return el("div", null, el("h3", null, title), content);
}
