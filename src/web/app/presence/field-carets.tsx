import { useEffect, useMemo } from "preact/hooks";
import { Carets } from "./carets.tsx";
import { type Box, boxesBetween, type SharedText, type UnitPlaces } from "./shared-text.ts";

export type FieldCaretsProps = {
  readonly shared: SharedText;
  readonly box: { readonly current: HTMLInputElement | HTMLTextAreaElement | null };
};

/**
 * Others' carets in a field of the browser's own, which does not say where its letters lie: a copy of it that nobody
 * sees does.
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
  /** Boxes of units of the copy as they are in the field; none while there is no field. */
  const boxes = (from: number, to: number): readonly Box[] => {
    const element = field();
    if (!element) return [];
    if (!copy.isConnected) element.after(copy);
    dress(copy, element);
    // An empty line has a position, too.
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
      // If a line is broken, the later one.
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

/** Gives the copy what decides where letters lie. */
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
    // Without the bar that scrolls it.
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
