/** Adds a style sheet to the document or shadow root that contains an element. */
export function adoptStyle(element: HTMLElement | null, css: string | undefined): void {
  const root = element?.getRootNode();
  if (css === undefined || !(root instanceof Document || root instanceof ShadowRoot)) return;
  const sheet = styleSheets.get(css) ?? new CSSStyleSheet();
  if (!styleSheets.has(css)) sheet.replaceSync(css);
  styleSheets.set(css, sheet);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

const styleSheets = new Map<string, CSSStyleSheet>();
