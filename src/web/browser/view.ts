import type { ViewState } from "../components/Chat.tsx";
import type { Entry } from "../conversation/transcript.ts";

/** The displayed state, and the only listener, which draws the state after every change. */
export type View = ReturnType<typeof createView>;

export function createView(first: ViewState) {
  let state = first;
  let listener = (): void => {};
  const update = (change: Partial<ViewState>): void => {
    state = { ...state, ...change };
    listener();
  };
  return {
    state: (): ViewState => state,
    update,
    add: (entry: Entry) => update({ entries: [...state.entries, entry] }),
    subscribe(draw: () => void): void {
      listener = draw;
    },
  };
}

/** The state of a chat in which the visitor cannot write ahead and no message is stored for later. */
export const notEarly = { early: undefined, isEarlySent: false } as const;
