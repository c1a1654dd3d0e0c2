// Values as the rest of jatdae shows them.

function shownValue(value, unit) {
  if (value === null || value === undefined) return "N/A";
  if (unit === "%" || unit === "pp") return `${(100 * value).toFixed(2)} ${unit}`;
  return value.toFixed(4);
}

function arrow(better) {
  return better === "higher" ? "↑" : "↓";
}

function grouped(number) {
  return number.toLocaleString("en");
}
