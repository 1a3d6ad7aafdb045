import { drawing, make } from "../browser/elements.ts";

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

/** A drawing of the frame. */
export function lineDrawing(path: string): SVGSVGElement {
  return drawing(path, "line");
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
