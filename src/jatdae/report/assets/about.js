// Names explain themselves: pointing at one, focusing or tapping it opens a note with its meaning, of a metric also its
// formula, direction, range and source, and the way to its entry at the end of the page. The note stands right behind
// its name, so that the Tab key leads from one into the other.

const NOTE_DELAY = 150;

function setUpAbout() {
  const note = el("div", { id: "about", class: "about", role: "note", popover: "manual" });
  let owner = null;
  let timer = 0;
  let still = null; // where the pointer stood when the reader pressed something: what comes to lie there is not meant

  function open(name) {
    clearTimeout(timer);
    if (owner === name || !name.isConnected) return;
    close();
    note.replaceChildren(...explanation(name.dataset));
    owner = name;
    owner.after(note);
    owner.setAttribute("aria-describedby", "about");
    note.showPopover();
    place();
  }

  function close() {
    clearTimeout(timer);
    if (!owner) return;
    owner.removeAttribute("aria-describedby");
    owner = null;
    note.remove();
  }

  // Below its name if there is room, else above, and never outside the window.
  function place() {
    if (!owner) return;
    const at = owner.getBoundingClientRect();
    const size = note.getBoundingClientRect();
    const below = at.bottom + 6 + size.height <= innerHeight || at.top < size.height + 6;
    note.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
    note.style.top = `${below ? at.bottom + 6 : at.top - size.height - 6}px`;
  }

  const nameAt = (target) => (target instanceof Element ? target.closest("[data-about]") : null);
  const isInside = (target) => target instanceof Node && (note.contains(target) || owner?.contains(target));
  const later = (action) => { clearTimeout(timer); timer = setTimeout(action, NOTE_DELAY); };

  document.addEventListener("pointerover", (event) => {
    if (still && Math.abs(event.clientX - still.x) < 1 && Math.abs(event.clientY - still.y) < 1) return; // a click has whole pixels
    const name = nameAt(event.target);
    if (name && event.pointerType === "mouse") later(() => open(name));
    else if (isInside(event.target)) clearTimeout(timer);
    else if (owner && !isInside(document.activeElement)) later(close);
  });
  document.addEventListener("focusin", (event) => {
    const name = nameAt(event.target);
    if (name && name.matches(":focus-visible")) open(name);
    else if (!isInside(event.target)) close();
  });
  document.addEventListener("click", (event) => {
    const name = nameAt(event.target);
    still = { x: event.clientX, y: event.clientY };
    if (name?.matches(".term") || (event.pointerType === "touch" && name?.closest("#rows thead"))) open(name);
    else if (name || !isInside(event.target)) close(); // what does something of its own has done it
  });
  // Escape closes the note of a name in focus, and nothing else; a note that is merely pointed at does not hold it up.
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !owner) return;
    const isFocused = owner.isConnected && isInside(document.activeElement);
    if (note.contains(document.activeElement)) owner.focus();
    close();
    if (!isFocused) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  addEventListener("scroll", place, true);
  addEventListener("resize", close);
}

function explanation({ about, aboutFill, why, rate, key }) {
  const [kind, ...rest] = about.split(":");
  const name = rest.join(":");
  const own = key && [`key:${name}.${key}`, `key:${key}`].find(knows);
  return [
    own && el("p", null, el("b", null, word(own))),
    why && knows(why) && el("p", null, word(why)),
    el("p", null, word(about, aboutFill && JSON.parse(aboutFill))),
    ...(kind === "metric" ? definition(name) : []),
    rate && knows(`rate:${rate}`) && el("p", { class: "faint" }, el("code", null, `${rate}:${key}`), " – ", word(`rate:${rate}`)),
    knows(why) && knows(`key:${key}`) ? waysOn("rule", key) : waysOn(kind, name),
  ].filter(Boolean);
}

function definition(name) {
  const metric = data.metrics.find((each) => each.name === name);
  if (!metric) return [];
  const { better, unit, range } = metric;
  const source = Object.keys(data.sources).find((each) => data.sources[each].includes(name));
  const end = (value, beyond) => (value === null ? beyond : unit === "%" || unit === "pp" ? `${100 * value} ${unit}` : String(value));
  return [
    knows(`formula:${name}`) && el("p", { class: "defined" }, word(`formula:${name}`)),
    el("p", { class: "faint" }, word(`page_better_${better}`), " · ", word("metric_range", { low: end(range[0], "−∞"), high: end(range[1], "∞") })),
    source && el("p", { class: "faint" }, word("page_source", { source })),
  ];
}

// Where the documentation tells of a name. The page never loads it: a reader follows the link, opens the file, or asks
// the command.
function documentation(kind, name) {
  const place = documentedAt(kind, name);
  return place && el("p", { class: "faint" }, docsLink(place)
    || [place.includes("#") ? word("page_docs_at") : word("page_docs_command"), " ", el("code", null, place)]);
}

function documentedAt(kind, name) {
  const scope = scopeOf(name);
  const { page, others } = data.docs[scope];
  if (!page.endsWith("#")) return page;
  const plain = name.slice(scope.length);
  return `${page}${kind === "counts" ? "count" : kind}-${others.includes(plain) ? "others" : plain}`;
}

function docsLink(place) {
  return /^(https?|file):/.test(place) && el("a", { href: place, target: "_blank", rel: "noreferrer noopener" }, word("page_docs"));
}

// For `data-about`: the word that explains a name, if there is one.
function aboutOf(key) {
  return knows(key) && key;
}
