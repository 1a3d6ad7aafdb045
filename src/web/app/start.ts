/**
 * Runs before anything is rendered, as a classic script that any browser can parse. Sets the colour scheme and shows a
 * message in outdated browsers. The checks cover the features that all other code uses without checking.
 */
const root = document.documentElement;

try {
  const scheme = localStorage.getItem("parley.scheme");
  if (scheme === "light" || scheme === "dark") root.setAttribute("data-scheme", scheme);
} catch {
  // If the browser blocks storage, the colour scheme of the system is used.
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
