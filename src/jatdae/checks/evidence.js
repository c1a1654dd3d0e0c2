// Each test of a page: whether it passed, what was asked, why it failed, and the place that matched or nearly did.

const THERE = ["absent_found", "regex_found", "order_wrong"]; // failed because of what stands at the place

view((evidence) => Array.isArray(evidence.checks), showChecks);

function showChecks(evidence) {
  const passed = evidence.checks.filter((check) => check.passed === 1).length;
  const left = evidence.checks_left_out ?? 0;
  return [
    el("p", { class: "note" }, word("checks_sum", { passed: grouped(passed), all: grouped(evidence.checks.length) })),
    el("ul", { class: "checks" }, evidence.checks.map(showCheck)),
    left > 0 && el("p", { class: "note" }, word("checks_left_out", { n: grouped(left) })),
  ];
}

function showCheck(check) {
  const near = nearMiss(check);
  return el("li", { class: check.passed === 1 ? "check passed" : "check failed" },
    el("p", { class: "check-title" },
      el("span", { class: "check-verdict" }, verdictOf(check)), " ",
      el("strong", null, term(`metric:pass_${check.type}`, word(`type_${check.type}`))), " ", el("span", { class: "faint" }, check.id),
      check.reason && [" · ", term("counts:check_failures", word(`key.${check.reason}`), check.reason)]),
    el("dl", { class: "check-asked" }, Object.entries(check.asked).map(([key, value]) => [
      el("dt", null, named(`asked_${key}`, key)), el("dd", null, near?.key === key ? near.marked.reference : askedValue(value))])),
    check.note && el("p", { class: "note" }, check.note),
    check.found && el("p", { class: "check-found" }, foundInstead(check)),
    check.place && showPlace(check, near));
}

// Names of a tests file, in the reader's language where it has a word for them.
function named(key, name) {
  return knows(key) ? word(key) : name;
}

function askedValue(value) {
  if (typeof value === "boolean") return word(`asked_${value}`);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function foundInstead(check) {
  if (check.reason === "order_text_missing") return [word("check.lacking"), " ", named(`asked_${check.found}`, check.found)];
  return [word(check.passed === 1 ? "check.seen" : "check.found"), " ", check.found];
}

// Of a text that was only nearly found: which it is, and both with the letters that differ.
function nearMiss(check) {
  const isThere = THERE.includes(check.reason) || (check.reason === "count_differs" && check.found !== "0");
  const key = check.reason === "order_text_missing" ? check.found : "text";
  if (isThere || !check.place || typeof check.asked[key] !== "string") return null;
  const text = check.asked[key];
  return { key, marked: letters(check.asked.case_sensitive === false ? text.toLowerCase() : text, check.place[1]) };
}

function showPlace(check, near) {
  const [before, match, after] = check.place;
  return el("p", { class: "check-place" }, word(near ? "check.nearest" : "check.there"), " ",
    el("span", { class: "faint" }, before),
    near ? near.marked.prediction : el("mark", { class: "letter" }, match),
    el("span", { class: "faint" }, after));
}

function verdictOf(check) {
  if (check.passed === 1) return word("check.passed");
  return check.passed === 0 ? word("check.failed") : word("check.partly", { share: number(check.passed, "%") });
}
