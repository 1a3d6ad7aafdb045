/** Statements that load other style sheets; their addresses may contain semicolons. */
const imports = /@import\s+(?:url\(\s*(?:"[^"]*"|'[^']*'|[^)]*)\s*\)|"[^"]*"|'[^']*')[^;]*;/gi;

/**
 * An author's rules for a font, without the style sheets that they import. Text is shown in another font until it has
 * loaded.
 */
export function fontFaces(css: string): string {
  return css.replace(imports, "").replace(/@font-face\s*\{/gi, "$&font-display:swap;");
}

/** The imports of an author's rules for a font. */
export function fontImports(css: string): string {
  return css.match(imports)?.join("") ?? "";
}
