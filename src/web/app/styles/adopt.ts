/**
 * Adds a style sheet to the page. An import of a `.css` file calls this instead, when it is bundled: so styles load
 * with the part they belong to.
 */
export function adopt(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
