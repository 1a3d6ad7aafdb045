import temml from "temml";

/** The longest formula that is drawn, which is about a screen of text. */
const mostCharacters = 2_000;

/**
 * Draws a formula into an element as MathML, for which browsers have the fonts. Returns false if the text is not a
 * formula or is too long. Commands that load or link resources are rejected, and the expansion of macros is limited,
 * because it can grow exponentially.
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
