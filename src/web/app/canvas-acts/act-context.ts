import type { CardAct } from "../canvas/contract.ts";
import type { OpenView } from "../canvas/view.ts";
import type { CommentAct } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";
import type { Selectable } from "../editor/selection.ts";
import type { BlockType } from "../forms/index.ts";
import type { ActState } from "./state.ts";

/** The context of the canvas actions: the open bot, the canvas that shows the bot, and the current operation. */
export type ActContext = {
  readonly bot: OpenBot;
  readonly view: OpenView;
  readonly state: ActState;
  types(): ReadonlyMap<string, BlockType> | undefined;
  /** Starts the preview at an object, or shows its findings. */
  readonly act?: CardAct;
  /** Opens a comment on the selection, or shows the next thread. */
  readonly comment?: CommentAct;
  /** Opens the form of the selection. */
  open(options: { readonly hasFocus: boolean }): void;
  /** Returns the focus to the selection after a dialog was closed. */
  focus(): void;
  /** Set by the outline, which shows rows instead of cards. */
  readonly rows?: {
    /** Called after an action was done or refused. */
    onDone(): void;
    /** Returns the object to select after the selected objects are removed; undefined if there is none. */
    nextTo(): Selectable | undefined;
  };
};
