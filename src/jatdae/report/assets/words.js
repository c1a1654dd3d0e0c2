// One catalogue, by kind and key the English and the Korean text; one text alone is the same in both. Whatever is said carries its key, so that
// switching relabels what is there; what is there in every language is shown in one.

let language = data.language;
const words = Object.fromEntries(Object.entries(data.words).flatMap(([kind, known]) => Object.entries(known).map(([key, texts]) => [kind + key, texts])));

function say(key, blanks) {
  const [english, korean = english] = knows(key) ? words[key] : [key];
  const text = language === "ko" ? korean : english;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (blanks && Object.hasOwn(blanks, name) ? String(blanks[name]) : whole));
}

function word(key, blanks) {
  return el("span", { "data-word": key, "data-fill": blanks && JSON.stringify(blanks) }, say(key, blanks));
}

function knows(key) {
  return Object.hasOwn(words, key);
}

function translate() {
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll("[data-word]")) {
    node.textContent = say(node.dataset.word, node.dataset.fill && JSON.parse(node.dataset.fill));
  }
  for (const node of document.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", say(node.dataset.label) + (node.dataset.whose ?? ""));
  }
  for (const node of document.querySelectorAll("[data-said]")) {
    node.toggleAttribute("hidden", node.dataset.said !== language); // the property is not one of SVG
  }
}

function setUpLanguage() {
  document.getElementById("language").addEventListener("click", () => {
    language = language === "ko" ? "en" : "ko";
    translate();
  });
}
