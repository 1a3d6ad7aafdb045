import { type Signal, signal } from "@preact/signals";
import type { Path } from "../../../core/editing/changes/change.ts";
import type { Outlet } from "../../../core/editing/references/outlets.ts";
import type { EdgeShape, Point, Port } from "../canvas/contract.ts";
import type { Box } from "../editor/commands/arrange.ts";
import type { Beside } from "../editor/selection.ts";
import type { MenuItem } from "../ui/index.ts";
import type { Caret } from "./caret.ts";

/** The position of the block that the author is about to choose. */
export type BlockPlace =
  | { readonly kind: "group"; readonly groupId: string; readonly before?: string | undefined }
  | { readonly kind: "ground"; readonly at: Point; readonly from?: Outlet }
  | { readonly kind: "edge"; readonly into: Outlet; readonly at: Point };

/** An edge that was dropped on the background, with the window coordinates of the drop. */
export type DroppedLine = { readonly connecting: Connecting; readonly point: Point };

/** The dialog that is open, and its input. */
export type Asking =
  /** `line`: the edge whose drop opened the dialog. The edge stays visible until the dialog is closed. */
  | { readonly kind: "block"; readonly place: BlockPlace; readonly line?: DroppedLine }
  | { readonly kind: "lead"; readonly from: Outlet }
  | { readonly kind: "port"; readonly ports: readonly Port[] }
  | { readonly kind: "type"; readonly blockId: string }
  | { readonly kind: "move"; readonly blockIds: readonly string[] }
  | { readonly kind: "edge"; readonly edges: readonly EdgeShape[]; readonly way: "on" | "back" }
  | { readonly kind: "position"; readonly boxes: readonly Box[] }
  | { readonly kind: "text"; readonly text: string; readonly at?: Point }
  | { readonly kind: "color" }
  | { readonly kind: "event" };

/**
 * An edge that is being drawn from a port. If the edge ends on the background, a dialog asks for the type of a new
 * block.
 *
 *     none ─ a port is pressed and dragged ─→ dragged ─ the pointer is released ─→ none, connected
 *     none ─ a port is tapped ─→ waiting ─ a card or the background is tapped ─→ none, connected
 *     waiting ─ Escape, or the port is tapped again ─→ none, unchanged
 */
export type Connecting = {
  readonly port: Port;
  /** The end of an existing edge that is moved. Absent for a new edge, which begins at the port. */
  readonly end?: { readonly edge: EdgeShape; readonly which: "from" | "to" };
  readonly at: Point;
  readonly isWaiting: boolean;
};

/** The effect of dropping the dragged object at the current position. */
export type Drop =
  | { readonly kind: "group"; readonly groupId: string; readonly before?: string | undefined; readonly line: Point }
  | { readonly kind: "edge"; readonly edge: EdgeShape; readonly at: Point }
  | { readonly kind: "ground"; readonly at: Point };

/** A block that is dragged from the palette or from a card. */
export type Dragging = { readonly label: string; readonly icon: string; readonly at: Point; readonly drop: Drop };

/**
 * The text that is being edited on its card: the title of a group, the text of a block, or another field of a block, of
 * an item, or of an item's button.
 *
 *     none ─ a text or label is pressed, F2 is pressed, or an option is added ─→ editing
 *     editing ─ Escape, a press or the focus elsewhere, or the object is removed or locked ─→ none
 */
export type Editing = (
  | { readonly kind: "title" | "text"; readonly id: string }
  | {
      readonly kind: "field";
      readonly id: string;
      readonly itemId?: string;
      readonly pathId?: string;
      /** The path of the field within its block, item or button. */
      readonly path: Path;
    }
) & {
  /** The initial caret; absent for the end of the text. */
  readonly caret?: Caret;
  /**
   * Whether the option was added in order to be edited. Such an option is removed if it is still empty when a key ends
   * the editing.
   */
  readonly isNew?: boolean;
};

/** The current operation of one canvas. */
export type ActState = {
  readonly editing: Signal<Editing | undefined>;
  readonly connecting: Signal<Connecting | undefined>;
  readonly dragging: Signal<Dragging | undefined>;
  readonly asking: Signal<Asking | undefined>;
  /** The note or frame that is being edited. */
  readonly writing: Signal<Beside | undefined>;
  /** The offset of notes and frames while they are dragged. */
  readonly shift: Signal<{ readonly ids: ReadonlySet<string>; readonly by: Point } | undefined>;
  readonly sizing: Signal<
    { readonly id: string; readonly box: Point & { readonly width: number; readonly height: number } } | undefined
  >;
  readonly menu: Signal<{ readonly at: Point; readonly items: readonly MenuItem[] } | undefined>;
  /** A block that is dragged from the palette and not yet over the canvas, in window coordinates. */
  readonly away: Signal<{ readonly label: string; readonly icon: string; readonly at: Point } | undefined>;
  readonly isPaletteOpen: Signal<boolean>;
};

export function createActState(): ActState {
  return {
    editing: signal(undefined),
    connecting: signal(undefined),
    dragging: signal(undefined),
    asking: signal(undefined),
    writing: signal(undefined),
    shift: signal(undefined),
    sizing: signal(undefined),
    menu: signal(undefined),
    away: signal(undefined),
    isPaletteOpen: signal(false),
  };
}
