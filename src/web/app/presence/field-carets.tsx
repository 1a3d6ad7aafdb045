import { useEffect, useMemo } from "preact/hooks";
import { Carets } from "./carets.tsx";
import { type Box, boxesBetween, type SharedText, type UnitPlaces } from "./shared-text.ts";

export type FieldCaretsProps = {
  readonly shared: SharedText;
  readonly box: { readonly current: HTMLInputElement | HTMLTextAreaElement | null };
};

/**
 * Shows other people's carets in a native field. Such a field does not report the positions of its letters, so an
 * invisible copy of the field is measured.
 */
export function FieldCarets({ shared, box }: FieldCaretsProps) {
  const { face, close } = useMemo(() => fieldFace(() => box.current), [box]);
  useEffect(() => close, [close]);
  return <Carets shared={shared} face={face} />;
}

function fieldFace(field: () => HTMLInputElement | HTMLTextAreaElement | null): {
  readonly face: UnitPlaces;
  readonly close: () => void;
} {
  const copy = document.createElement("div");
  const letters = document.createTextNode("");
  copy.append(letters);
  copy.ariaHidden = "true";
  copy.inert = true;
  /** Returns the boxes of a text range in the copy, translated to the field. Empty if there is no field. */
  const boxes = (from: number, to: number): readonly Box[] => {
    const element = field();
    if (!element) return [];
    if (!copy.isConnected) element.after(copy);
    dress(copy, element);
    // The appended character gives an empty last line a position.
    if (letters.data !== `${element.value}\u200b`) letters.data = `${element.value}\u200b`;
    const range = document.createRange();
    range.setStart(letters, Math.min(from, element.value.length));
    range.setEnd(letters, Math.min(to, element.value.length));
    const [own, there] = [copy.getBoundingClientRect(), element.getBoundingClientRect()];
    const [x, y] = [there.left - own.left - element.scrollLeft, there.top - own.top - element.scrollTop];
    const found = from === to ? [...range.getClientRects()] : boxesBetween(range);
    return found.map(({ left, top, right, bottom }) => ({
      left: left + x,
      top: top + y,
      right: right + x,
      bottom: bottom + y,
    }));
  };
  return {
    close: () => copy.remove(),
    face: {
      box: field,
      text: () => field()?.value ?? "",
      // At a line break, the caret is at the start of the next line.
      caretAt: (unit) => boxes(unit, unit).at(-1),
      boxesOf: boxes,
    },
  };
}

const looks = [
  "box-sizing",
  "padding",
  "border-width",
  "border-style",
  "font",
  "letter-spacing",
  "word-spacing",
  "line-height",
  "text-indent",
  "text-transform",
  "text-align",
  "tab-size",
  "direction",
] as const;

/** Copies all styles that determine the positions of letters. */
function dress(copy: HTMLElement, field: HTMLInputElement | HTMLTextAreaElement): void {
  const style = getComputedStyle(field);
  for (const name of looks) copy.style.setProperty(name, style.getPropertyValue(name));
  const isLine = field instanceof HTMLInputElement;
  Object.assign(copy.style, {
    position: "absolute",
    left: "0",
    top: "0",
    visibility: "hidden",
    overflow: "hidden",
    pointerEvents: "none",
    borderColor: "transparent",
    whiteSpace: isLine ? "pre" : "pre-wrap",
    overflowWrap: isLine ? "normal" : "break-word",
    // The width without the scroll bar.
    width: `${field.clientWidth + pixelsOf(style.borderLeftWidth) + pixelsOf(style.borderRightWidth)}px`,
    height: `${field.offsetHeight}px`,
    lineHeight: isLine
      ? `${field.clientHeight - pixelsOf(style.paddingTop) - pixelsOf(style.paddingBottom)}px`
      : style.lineHeight,
  });
}

function pixelsOf(length: string): number {
  return Number.parseFloat(length) || 0;
}
