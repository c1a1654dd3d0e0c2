// The side navigation: a link to each section, the one in view marked. Wide pages show it open, narrow ones folded.

function setUpContents() {
  const box = document.querySelector("#contents details");
  if (!box) return;
  const headings = [...document.querySelectorAll("main section[aria-labelledby] h2[id]")];
  const links = headings.map((heading) => el("a", { href: `#${heading.id}`, click: () => { if (!wide.matches) box.open = false; } },
    [...heading.childNodes].map((node) => node.cloneNode(true))));
  box.querySelector("ol").append(...links.map((link) => el("li", null, link)));
  const wide = matchMedia("(min-width: 1100px)");
  const fold = () => { box.open = wide.matches; };
  wide.addEventListener("change", fold);
  fold();

  function mark() {
    const bottom = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
    const current = bottom ? headings.length - 1 : Math.max(0, passed.length - 1);
    links.forEach((link, at) => (at === current ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  }

  addEventListener("scroll", mark, { passive: true });
  addEventListener("resize", mark);
  mark();
}

function setUpUnfolding() {
  for (const button of document.querySelectorAll("[aria-controls]")) {
    const rest = document.getElementById(button.getAttribute("aria-controls"));
    button.addEventListener("click", () => {
      rest.hidden = !rest.hidden;
      button.setAttribute("aria-expanded", String(!rest.hidden));
    });
  }
}

// What is wider than its box says so below it, for as long as it is.
const widths = new ResizeObserver((entries) => {
  for (const box of new Set(entries.map(({ target }) => target.closest(".wide, .rows")))) {
    const told = box?.nextElementSibling?.matches(".scroll-note") && box.nextElementSibling;
    if (box && scrolls(box) && !told) box.after(el("p", { class: "note scroll-note" }, word("page_scrolls")));
    else if (told && !scrolls(box)) told.remove();
  }
});

function watchScrolling(root) {
  for (const box of root.querySelectorAll(".wide, .rows")) {
    for (const each of [box, ...box.children]) widths.observe(each);
  }
}
