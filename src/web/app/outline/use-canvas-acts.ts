import { useEffect, useMemo } from "preact/hooks";
import type { CardAct } from "../canvas/contract.ts";
import type { OpenView } from "../canvas/view.ts";
import type { ActContext } from "../canvas-acts/act-context.ts";
import { createActs } from "../canvas-acts/acts.ts";
import type { ActState } from "../canvas-acts/state.ts";
import type { OpenBot } from "../editor/index.ts";
import type { BlockType } from "../forms/index.ts";

export type OnCanvas = {
  readonly bot: OpenBot;
  /** Of the canvas that shows the same bot, where there is one. */
  readonly view?: OpenView;
  readonly state?: ActState;
  /** Tries the flow from a card; absent where it cannot be tried. */
  readonly onAct?: CardAct;
};

type Rows = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly onOpen: () => void;
};

/** The actions of the canvas, on what is selected here. */
export function useCanvasActs(
  { bot, view, state, onAct }: Required<Omit<OnCanvas, "onAct">> & OnCanvas,
  { types, onOpen }: Rows,
) {
  const held = useMemo(() => ({ types, onOpen, onAct }), []);
  Object.assign(held, { types, onOpen, onAct });
  const made = useMemo(() => {
    const context: ActContext = {
      ...{ bot, view, state, types: () => held.types },
      open: () => held.onOpen(),
      act: (act, at) => held.onAct?.(act, at),
    };
    return { context, acts: createActs(context), isTried: held.onAct !== undefined };
  }, [bot, view, state]);
  // Sizes of cards follow from what their rows say.
  useEffect(() => {
    if (types) view.types.value = types;
  }, [view, types]);
  return made;
}
