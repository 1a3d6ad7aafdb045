/**
 * Runs before anything is drawn, as a classic script, so that any browser reads it: the page begins in the chosen
 * colours, and an outdated browser gets a message. These checks cover the features that all other code uses unchecked.
 */
const root = document.documentElement;

try {
  const scheme = localStorage.getItem("parley.scheme");
  if (scheme === "light" || scheme === "dark") root.setAttribute("data-scheme", scheme);
} catch {
  // Storage is refused: the system's colours are used.
}

const isNewEnough =
  "popover" in HTMLElement.prototype &&
  "adoptedStyleSheets" in Document.prototype &&
  "withResolvers" in Promise &&
  "groupBy" in Map &&
  CSS.supports("color", "light-dark(red, red)") &&
  CSS.supports("selector(:has(a))");

if (!isNewEnough) {
  root.setAttribute("data-too-old", "");
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("too-old")?.removeAttribute("hidden");
  });
}
