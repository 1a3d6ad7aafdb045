import type { CardAct } from "../canvas/contract.ts";
import type { OpenView } from "../canvas/view.ts";
import type { CommentAct } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";
import type { Selectable } from "../editor/selection.ts";
import type { BlockType } from "../forms/index.ts";
import type { ActState } from "./state.ts";

/** The context of acts: the open bot, the canvas that shows it, and its current operation. */
export type ActContext = {
  readonly bot: OpenBot;
  readonly view: OpenView;
  readonly state: ActState;
  types(): ReadonlyMap<string, BlockType> | undefined;
  /** Tries the flow from this place, or shows the findings of this place; absent if the flow cannot be tried. */
  readonly act?: CardAct;
  /** Comments on the selection, or shows the next thread. */
  readonly comment?: CommentAct;
  /** Opens the form of the selection. */
  open(options: { readonly hasFocus: boolean }): void;
  /** A dialog is closed: the focus returns to where the selection is shown. */
  focus(): void;
  /** For the outline, which shows rows in place of cards. */
  readonly rows?: {
    /** An action was done, or refused. */
    onDone(): void;
    /** The thing that is selected after the selected ones are removed. */
    nextTo(): Selectable | undefined;
  };
};
