/** Creates an element with a class. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  return element;
}

/** Creates a button; pages style it by its part. */
export function makeButton(className: string, part: string, press: () => void): HTMLButtonElement {
  const button = make("button", className);
  button.type = "button";
  button.part.add(part);
  button.addEventListener("click", press);
  return button;
}

/** The strokes of an ×. */
export const crossPath = "M6 6l12 12M18 6L6 18";

/** A decorative line drawing, 24 by 24. */
export function drawing(path: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("class", "line");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** A decorative picture. */
export function pictureOf(address: string): HTMLImageElement {
  const picture = document.createElement("img");
  picture.src = address;
  picture.alt = "";
  return picture;
}

/** Sets a style property; without a value the style sheet decides. Bare numbers are pixels. */
export function setProperty(element: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined || value === "") element.style.removeProperty(name);
  else element.style.setProperty(name, /^\d+$/.test(value) ? `${value}px` : value);
}

/** The focused element of the tree that an element is in. */
export function activeWithin(element: Node): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : document.activeElement;
}
