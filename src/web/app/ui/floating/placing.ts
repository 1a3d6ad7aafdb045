import { autoUpdate, computePosition, flip, offset, type Placement, shift, size } from "@floating-ui/dom";

/** The anchor of a floating element: an element, or a point of the window. */
export type Anchor = Element | { readonly x: number; readonly y: number };

export type Placing = {
  readonly placement: Placement;
  /** Whether the element is at least as wide as its anchor. */
  readonly isWide: boolean;
  /** Called when the element is first positioned, and after each change of its position. */
  readonly onPlaced: () => void;
};

/**
 * Positions an element next to its anchor and within the window, and positions it again whenever an anchor element
 * moves. Returns a function that stops this.
 */
export function keepPlaced(
  floating: HTMLElement,
  anchor: Anchor,
  { placement, isWide, onPlaced }: Placing,
): () => void {
  const reference = anchor instanceof Element ? anchor : pointAnchor(anchor);
  const place = async (): Promise<void> => {
    const { x, y } = await computePosition(reference, floating, {
      strategy: "fixed",
      placement,
      middleware: [
        offset(4),
        flip({ padding: 8 }),
        shift({ padding: 8 }),
        size({
          padding: 8,
          apply({ availableHeight, rects }) {
            floating.style.maxHeight = `${Math.max(160, availableHeight)}px`;
            if (isWide) floating.style.minWidth = `${rects.reference.width}px`;
          },
        }),
      ],
    });
    floating.style.left = `${x}px`;
    floating.style.top = `${y}px`;
    onPlaced();
  };
  const stop = anchor instanceof Element ? autoUpdate(anchor, floating, () => void place()) : undefined;
  void place();
  return () => stop?.();
}

function pointAnchor({ x, y }: { readonly x: number; readonly y: number }): { getBoundingClientRect(): DOMRect } {
  return { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
}
