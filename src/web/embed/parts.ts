import { drawing, make } from "../browser/elements.ts";

/** Creates a button, which pages can style by its part name. */
export function makeButton(className: string, part: string, press: () => void): HTMLButtonElement {
  const button = make("button", className);
  button.type = "button";
  button.part.add(part);
  button.addEventListener("click", press);
  return button;
}

/** The path of a cross icon. */
export const crossPath = "M6 6l12 12M18 6L6 18";

/** Creates a line drawing for the frame. */
export function lineDrawing(path: string): SVGSVGElement {
  return drawing(path, "line");
}

/** Creates a decorative picture. */
export function pictureOf(address: string): HTMLImageElement {
  const picture = document.createElement("img");
  picture.src = address;
  picture.alt = "";
  return picture;
}

/** Sets a style property, or removes it so that the style sheet applies. A bare number is a length in pixels. */
export function setProperty(element: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined || value === "") element.style.removeProperty(name);
  else element.style.setProperty(name, /^\d+$/.test(value) ? `${value}px` : value);
}

/** Returns the focused element of the document or shadow tree that contains an element. */
export function activeWithin(element: Node): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : document.activeElement;
}
