// Light or dark: the reader's system decides until the reader does.

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setUpTheme() {
  const button = document.getElementById("theme");
  const relabel = () => button.replaceChildren(word(isDark() ? "page_light" : "page_dark"));
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    relabel();
  });
  relabel();
}

function setUpCopying() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      await copied(document.getElementById(button.dataset.copy));
      button.replaceChildren(word("page_copied"));
      setTimeout(() => button.replaceChildren(word("page_copy")), 1500);
    });
  }
}

// A page opened from a file has no clipboard in some browsers; then the text is selected and copied as by hand.
async function copied(node) {
  try {
    await navigator.clipboard.writeText(node.textContent);
  } catch {
    getSelection().selectAllChildren(node);
    document.execCommand("copy");
  }
}
