import type { Shown } from "../components/Chat.tsx";
import type { Entry } from "../conversation/transcript.ts";

/** What is shown, and who is to draw it. */
export type View = {
  shown(): Shown;
  show(change: Partial<Shown>): void;
  add(...entries: readonly Entry[]): void;
  /** Hears of every change. */
  subscribe(hear: () => void): void;
};

export function createView(first: Shown): View {
  let shown = first;
  let hear = (): void => {};
  const show = (change: Partial<Shown>): void => {
    shown = { ...shown, ...change };
    hear();
  };
  return {
    shown: () => shown,
    show,
    add: (...entries) => show({ entries: [...shown.entries, ...entries] }),
    subscribe(listener) {
      hear = listener;
    },
  };
}
