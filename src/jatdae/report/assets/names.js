// What the names of the page mean, at its end: an entry for each metric, issue, rule, rate and kind of mistake, made of
// the words of its note. A note leads to its entry, which is unfolded, marked and focused; Back leads back to the name.

function setUpNames() {
  const groups = Object.entries(data.docs).flatMap(([scope, { title }]) => [
    ["metric", word("page_metrics")],
    ["counts", word("page_counted")],
    ["rule", word("page_rules")],
    ["rate", word("rates")],
    ["issue", word("issues")],
  ].map(([kind, heading]) => nameGroup(kind, namesOf(kind, scope), [title && `${title} · `, heading])));
  const box = document.getElementById("name-list");
  box.append(...groups.filter(Boolean));
  if (!box.firstChild) box.closest("section").remove();
}

// Names of a kind that the words of the page explain. A rule is a key of a count table that has a word and a reason.
function namesOf(kind, scope) {
  const prefix = `${kind === "rule" ? "why" : kind}:${scope}`;
  const names = Object.keys(words).filter((key) => key.startsWith(prefix)).map((key) => key.slice(key.indexOf(":") + 1));
  return kind === "rule" ? names.filter((name) => knows(`key:${name}`)) : names;
}

function nameGroup(kind, names, heading) {
  return names.length > 0 && el("details", { class: "more" },
    el("summary", null, heading, ` ${names.length}`),
    el("dl", null, names.map((name) => nameEntry(kind, name))));
}

function nameEntry(kind, name) {
  const title = { counts: `count:${name}`, rule: `key:${name}`, rate: `rate_word:${name}` }[kind];
  const plain = name.slice(scopeOf(name).length);
  return el("div", { class: "entry", id: entryId(kind, name), tabindex: "-1" },
    el("dt", null, knows(title) && [word(title), " "], !says(title, plain) && el("code", null, plain)),
    el("dd", null, el("p", null, word(`${kind === "rule" ? "why" : kind}:${name}`)), kind === "metric" && definition(name), documentation(kind, name)));
}

// A label may begin with its key: "CSP_EX_001 Hard exercise".
function says(key, name) {
  return knows(key) && words[key][0].split(" ")[0] === name;
}

function entryId(kind, name) {
  return `name-${kind === "counts" ? "count" : kind}-${encodeURIComponent(name)}`;
}

// On a page of several evaluators, what stands before the names of one.
function scopeOf(name) {
  return Object.keys(data.docs).find((scope) => name.startsWith(scope)) ?? "";
}

// The end of a note: the way to the entry of its name, if the page has one, and to the documentation, if it has an address.
function waysOn(kind, name) {
  const id = entryId(kind, name);
  if (!document.getElementById(id)) return null;
  const docs = docsLink(documentedAt(kind, name));
  return el("p", null, el("a", { href: `#${id}` }, word("page_name_entry")), docs && [" · ", docs]);
}

function setUpEntries() {
  let left = null; // the address and the name that an entry was opened from

  function follow() {
    const entry = location.hash.startsWith("#name-") && document.getElementById(location.hash.slice(1));
    if (entry) {
      entry.closest("details").open = true;
      entry.scrollIntoView({ block: "center" });
      entry.focus({ preventScroll: true });
    } else if (left?.address === location.hash) left.name.focus({ preventScroll: true });
  }

  addEventListener("click", (event) => {
    const link = event.target.closest?.("#about a[href^='#name-']");
    if (!link) return;
    if (link.hash === location.hash) follow(); // no step of the history leads there
    else left = { address: location.hash, name: link.closest("#about").previousElementSibling };
  });
  addEventListener("hashchange", follow);
  follow();
}
