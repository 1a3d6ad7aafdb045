import type { ViewState } from "../components/Chat.tsx";
import type { Entry } from "../conversation/transcript.ts";

/** The state that is shown, and the listener that draws it. */
export type View = {
  state(): ViewState;
  update(change: Partial<ViewState>): void;
  add(...entries: readonly Entry[]): void;
  /** Sets the one listener, which is called after every change. */
  subscribe(listener: () => void): void;
};

export function createView(first: ViewState): View {
  let state = first;
  let listener = (): void => {};
  const update = (change: Partial<ViewState>): void => {
    state = { ...state, ...change };
    listener();
  };
  return {
    state: () => state,
    update,
    add: (...entries) => update({ entries: [...state.entries, ...entries] }),
    subscribe(draw) {
      listener = draw;
    },
  };
}
