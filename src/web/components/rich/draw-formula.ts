import temml from "temml";

/** The longest formula that is drawn: as long as a screen of it. */
const mostCharacters = 2_000;

/**
 * Draws a formula as MathML, of which browsers have the fonts, into an element; false if it is not a formula. Commands
 * that load or link anything are refused, and macros, which can multiply, end soon.
 */
export function drawFormula(tex: string, element: HTMLElement, isBlock: boolean): boolean {
  element.replaceChildren();
  if (tex.length > mostCharacters) return false;
  try {
    temml.render(tex, element, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand: 100,
      maxSize: [20, 200],
    });
    return true;
  } catch {
    element.replaceChildren();
    return false;
  }
}
