/**
 * Adds a style sheet to the page. In a bundle, importing a `.css` file calls this function, so that styles are loaded
 * together with their components.
 */
export function adopt(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
