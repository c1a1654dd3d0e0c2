// Names explain themselves: pointing at one, focusing or tapping it opens a note with its meaning and its page in the
// documentation. The note stands right behind its name, so that the Tab key leads from one into the other.

const NOTE_DELAY = 150;

function setUpAbout() {
  const note = el("div", { id: "about", class: "about", role: "tooltip", popover: "manual" });
  let owner = null;
  let timer = 0;

  function open(name) {
    clearTimeout(timer);
    if (owner === name || !name.isConnected) return;
    close();
    const [kind, ...rest] = name.dataset.about.split(":");
    const metric = kind === "metric" && data.metrics.find((each) => each.name === rest.join(":"));
    note.replaceChildren(
      el("p", null, word(name.dataset.about)),
      metric ? el("p", { class: "faint" }, word(`page_better_${metric.better}`)) : "",
      data.docs ? el("p", null, documentation()) : "");
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
    if (name?.matches(".term")) open(name);
    else if (!isInside(event.target)) close();
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

// The page never loads it: a reader follows the link, or looks for the file.
function documentation() {
  if (!data.docs.startsWith("https://")) return [word("page_docs_file"), " ", el("code", null, data.docs)];
  return el("a", { href: data.docs, target: "_blank", rel: "noreferrer noopener" }, word("page_docs"));
}

// For `data-about`: the word that explains a name, if there is one.
function aboutOf(key) {
  return knows(key) && key;
}
