// Two short texts letter by letter: what both have stays plain, the rest is marked. A letter is what a reader sees as
// one. Texts that have little in common are marked whole: scattered letters would only look like a match.

const MOST_LETTER_PAIRS = 250000;
const LEAST_COMMON = 0.5;

function letters(reference, prediction) {
  const [expected, given] = [lettersOf(reference), lettersOf(prediction)];
  const most = Math.min(expected.length, given.length);
  let start = 0;
  while (start < most && expected[start] === given[start]) start += 1;
  let end = 0;
  while (end < most - start && expected.at(-1 - end) === given.at(-1 - end)) end += 1;
  const common = commonLetters(expected.slice(start, expected.length - end), given.slice(start, given.length - end));
  const scattered = start + end + common[0].size < LEAST_COMMON * Math.max(expected.length, given.length);
  const marked = (side, at) => scattered
    || !(at < start || at >= side.length - end || common[side === expected ? 0 : 1].has(at - start));
  return { reference: lettersMarked(expected, marked), prediction: lettersMarked(given, marked) };
}

function lettersOf(text) {
  return Array.from(new Intl.Segmenter().segment(text), (each) => each.segment);
}

// Places in both texts of a longest common subsequence.
function commonLetters(a, b) {
  const found = [new Set(), new Set()];
  if (a.length * b.length > MOST_LETTER_PAIRS) return found;
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      found[0].add(i++);
      found[1].add(j++);
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return found;
}

function lettersMarked(side, marked) {
  const runs = [];
  side.forEach((letter, at) => {
    const on = marked(side, at);
    if (runs.length && runs.at(-1).on === on) runs.at(-1).text += letter;
    else runs.push({ on, text: letter });
  });
  const seen = (text) => (text.trim() ? text : text.replaceAll(" ", "␣")); // a space alone would not be seen
  return runs.map(({ on, text }) => (on ? el("mark", { class: "letter" }, seen(text)) : text));
}
