import type { CardAct } from "../canvas/contract.ts";
import type { OpenView } from "../canvas/view.ts";
import type { OpenBot } from "../editor/index.ts";
import type { BlockType } from "../forms/index.ts";
import type { ActState } from "./state.ts";

/** What acts are made of: the open bot, the canvas that shows it, and what is going on there. */
export type ActContext = {
  readonly bot: OpenBot;
  readonly view: OpenView;
  readonly state: ActState;
  types(): ReadonlyMap<string, BlockType> | undefined;
  /** Tries the flow from there, or shows what was found there. */
  readonly act: CardAct;
  /** Opens the form of what is selected. */
  open(options: { readonly hasFocus: boolean }): void;
};
