// Values as the rest of jatdae shows them.

function shownValue(value, unit) {
  if (value === null || value === undefined) return "N/A";
  if (unit === "%" || unit === "pp") return `${fixed(100 * value, 2)} ${unit}`;
  return fixed(value, 4);
}

// A number halfway between two goes to the even one, as it does wherever Python writes it; toFixed takes the larger.
function fixed(value, digits) {
  const exact = value.toFixed(digits + 20);
  const cut = exact.slice(0, -20);
  return /^50*$/.test(exact.slice(-20)) && "02468".includes(cut.at(-1)) ? cut : value.toFixed(digits);
}

function arrow(better) {
  return better === "higher" ? "↑" : "↓";
}

function grouped(number) {
  return number.toLocaleString("en");
}
