import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Keeps an element in sight whenever there is more above or in it, as with each file that is chosen. */
export function useInSight(element: RefObject<HTMLElement | null>, amount: number): void {
  useLayoutEffect(() => {
    if (amount > 0) element.current?.scrollIntoView({ block: "nearest" });
  }, [element, amount]);
}
