/** Matches statements that load other style sheets. Their URLs may contain semicolons. */
const imports = /@import\s+(?:url\(\s*(?:"[^"]*"|'[^']*'|[^)]*)\s*\)|"[^"]*"|'[^']*')[^;]*;/gi;

/**
 * Returns an author's rules for a font, without imported style sheets. Until the font has loaded, text is shown in
 * another font.
 */
export function fontFaces(css: string): string {
  return css.replace(imports, "").replace(/@font-face\s*\{/gi, "$&font-display:swap;");
}

/** Returns the imports of an author's rules for a font. */
export function fontImports(css: string): string {
  return css.match(imports)?.join("") ?? "";
}
