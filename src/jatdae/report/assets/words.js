// One catalogue in two languages; what Korean lacks is the same in English. Whatever is said carries its key, so that
// switching relabels what is there; what is there in every language is shown in one.

let language = data.language;

function say(key, blanks) {
  const text = knows(key) ? data.words[language][key] ?? data.words.en[key] : key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (blanks && Object.hasOwn(blanks, name) ? String(blanks[name]) : whole));
}

function word(key, blanks) {
  return el("span", { "data-word": key, "data-fill": blanks && JSON.stringify(blanks) }, say(key, blanks));
}

function knows(key) {
  return Object.hasOwn(data.words[language], key) || Object.hasOwn(data.words.en, key);
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
    node.hidden = node.dataset.said !== language;
  }
}

function setUpLanguage() {
  document.getElementById("language").addEventListener("click", () => {
    language = language === "ko" ? "en" : "ko";
    translate();
  });
}
