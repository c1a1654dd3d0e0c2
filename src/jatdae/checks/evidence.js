// Each test of a page: whether it passed, what was asked, why it failed, and the place that nearly matched.

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
  return el("li", { class: check.passed === 1 ? "check passed" : "check failed" },
    el("p", { class: "check-title" },
      el("span", { class: "check-verdict" }, verdictOf(check)), " ",
      el("strong", null, check.type), " ", el("span", { class: "faint" }, check.id),
      check.reason && [" · ", word(`key.${check.reason}`)]),
    el("dl", { class: "check-asked" }, Object.entries(check.asked).map(([key, value]) => [
      el("dt", null, key), el("dd", null, typeof value === "string" ? value : JSON.stringify(value))])),
    check.note && el("p", { class: "note" }, check.note),
    check.found && el("p", { class: "check-found" }, word("check.found", { text: check.found })),
    check.place && el("p", { class: "check-place" }, word("check.nearest"), " ",
      el("span", { class: "faint" }, check.place[0]), el("mark", { class: "letter" }, check.place[1]), el("span", { class: "faint" }, check.place[2])));
}

function verdictOf(check) {
  if (check.passed === 1) return word("check.passed");
  return check.passed === 0 ? word("check.failed") : word("check.partly", { share: number(check.passed, "%") });
}
