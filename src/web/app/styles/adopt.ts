/** Gives the page a style sheet. What imports a `.css` file calls this instead, when it is bundled: so styles come with the part they belong to. */
export function adopt(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
