import { useLayoutEffect, useRef } from "preact/hooks";
import type { Entry } from "../../conversation/transcript.ts";

type Options = { readonly entries: readonly Entry[]; readonly isMotionReduced: boolean };

/** Lets each answer grow out of the option that was pressed, or of the field that it was written in. */
export function useGrowingAnswers(container: HTMLElement, { entries, isMotionReduced }: Options): void {
  const origin = useRef<DOMRect | undefined>(undefined);
  useLayoutEffect(() => {
    if (isMotionReduced) return undefined;
    const remember = ({ target, submitter }: Event & { submitter?: HTMLElement | null }): void => {
      const field = target instanceof Element ? target.querySelector(".text-input") : null;
      origin.current = (submitter?.getAttribute("name") ? submitter : (field ?? submitter))?.getBoundingClientRect();
    };
    container.addEventListener("submit", remember, true);
    return () => container.removeEventListener("submit", remember, true);
  }, [container, isMotionReduced]);
  useLayoutEffect(() => {
    const from = origin.current;
    const bubble = container.querySelector("#last-answer > .typebot-guest-bubble");
    if (!from || !bubble || entries.at(-1)?.kind !== "answer") return;
    origin.current = undefined;
    const to = bubble.getBoundingClientRect();
    const start = getComputedStyle(bubble).direction === "rtl" ? "right" : "left";
    const y = (from.top + from.bottom - to.top - to.bottom) / 2;
    const scale = Math.min(1, from.height / to.height);
    const transformOrigin = start;
    bubble.animate(
      [
        { transformOrigin, transform: `translate(${from[start] - to[start]}px, ${y}px) scale(${scale})` },
        { transformOrigin, transform: "none" },
      ],
      { duration: 300, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" },
    );
  }, [container, entries.length]);
}
