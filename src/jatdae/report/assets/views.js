// Views of evidence. Each `evidence.js` of an evaluator comes as a function in a script of its own and registers its
// views when it is called with these tools, so that a mistake in one leaves the page and the other views alone.
//
// A view is chosen by the shape of the evidence, not by who made it: what is composed of texts and tables is shown as
// texts and tables. Evidence that no view fits, or that a view fails on, is shown as a tree.

const views = [];

function setUpViews() {
  for (const [name, register] of globalThis.evidenceViews ?? []) {
    try {
      register(toolsOf(name));
    } catch (error) {
      console.error(`evidence.js of ${name}:`, error);
    }
  }
}

// Words are looked up among those of the evaluator, then among those of the page.
function toolsOf(name) {
  const keyOf = (key) => [`view:${name}:${key}`, `page_${key}`].find(knows) ?? key;
  return {
    view: (fits, show) => views.push({ name, fits, show }),
    word: (key, blanks) => word(keyOf(key), blanks),
    say: (key, blanks) => say(keyOf(key), blanks),
    label: (key) => ({ "data-label": keyOf(key), "aria-label": say(keyOf(key)) }),
    knows: (key) => knows(keyOf(key)),
    translated: (key, text) => (knows(keyOf(key)) && words[keyOf(key)].includes(text) ? word(keyOf(key)) : text),
    note: (key, code) => noteOf(keyOf(key), code),
    term: (key, content, code) => (knows(keyOf(key)) ? el("button", { type: "button", class: "term", ...noteOf(keyOf(key), code) }, content) : content),
    number: shownValue,
    draw: evidenceOf,
    el, svg, math, table, titled, letters, grouped,
  };
}

// Attributes of a name that explains itself; `code` is a key of the count table that `key` stands for, such as a rule.
function noteOf(key, code) {
  return { "data-about": aboutOf(key), "data-key": code, "data-why": code && `why:${code}` };
}

// `issues` are the codes of those that the sample has.
function evidenceOf(evidence, issues = []) {
  if (evidence === null || evidence === undefined) return null;
  if (typeof evidence !== "object") return el("p", { class: "prose" }, String(evidence));
  const view = viewFor(evidence);
  if (!view) return composed(evidence);
  try {
    return el("div", { class: "evidence" }, view.show(evidence, issues));
  } catch (error) {
    console.error(`evidence.js of ${view.name}:`, error);
    return showTree(evidence);
  }
}

function viewFor(evidence) {
  return views.find((view) => {
    try {
      return view.fits(evidence);
    } catch {
      return false;
    }
  });
}

function composed(evidence) {
  const parts = Object.entries(evidence);
  const known = parts.filter(([, part]) => part && typeof part === "object" && viewFor(part));
  const rest = parts.filter((part) => !known.includes(part));
  return el("div", { class: "evidence" },
    known.map(([name, part]) => titled(name, evidenceOf(part))),
    rest.length > 0 && showTree(Array.isArray(evidence) ? rest.map(([, part]) => part) : Object.fromEntries(rest)));
}
