/**
 * Adds a style sheet to the page. In a bundle, an import of a `.css` file calls this instead: so styles load with their
 * part.
 */
export function adopt(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
