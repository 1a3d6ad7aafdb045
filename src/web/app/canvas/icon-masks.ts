import { iconNamed } from "../ui/icons.ts";

let sheet: CSSStyleSheet | undefined;
const known = new Set<string>();

/**
 * A class whose elements show an icon before their text, in the colour of the text: a row of a card is one element with
 * it, and would be five with an SVG of its own.
 */
export function iconClass(name: string): string {
  const className = `icon-${name.replaceAll(/[^a-z0-9-]/gi, "")}`;
  if (known.has(className)) return className;
  known.add(className);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
  }
  sheet.insertRule(
    `.${className}::before { mask-image: url("data:image/svg+xml,${encodeURIComponent(pictureOf(name))}") }`,
  );
  return className;
}

function pictureOf(name: string): string {
  const parts = iconNamed(name).map(([tag, attributes]) => {
    const list = Object.entries(attributes).map(([key, value]) => `${key}="${value}"`);
    return `<${tag} ${list.join(" ")}/>`;
  });
  const how = 'fill="none" stroke="#000" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${how}>${parts.join("")}</svg>`;
}
