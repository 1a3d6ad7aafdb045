import { type Signal, signal } from "@preact/signals";
import type { Path } from "../../../core/editing/changes/change.ts";
import type { Outlet } from "../../../core/editing/references/outlets.ts";
import type { EdgeShape, Point, Port } from "../canvas/contract.ts";
import type { Box } from "../editor/commands/arrange.ts";
import type { Beside } from "../editor/selection.ts";
import type { MenuItem } from "../ui/index.ts";
import type { Caret } from "./caret.ts";

/** The place of a block that the author is about to choose. */
export type BlockPlace =
  | { readonly kind: "group"; readonly groupId: string; readonly before?: string | undefined }
  | { readonly kind: "ground"; readonly at: Point; readonly from?: Outlet }
  | { readonly kind: "edge"; readonly into: Outlet; readonly at: Point };

/** A line that was dropped on the ground, and the point of the window where it was dropped. */
export type DroppedLine = { readonly connecting: Connecting; readonly point: Point };

/** The question of a dialog. */
export type Asking =
  /** `line`: the line that was dropped there; it is visible until the question is answered. */
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
 * A line that is being drawn from a port.
 *
 *     nothing ─ a port is pressed and moved ─→ dragged ─ let go ─→ led there, or, on the ground, asked about: which block
 *     nothing ─ a port is tapped ─→ waiting ─ a card or the ground is tapped ─→ the same; Escape ─→ nothing
 */
export type Connecting = {
  readonly port: Port;
  /** The end of an edge that is moved to another target; without it a line begins at the port. */
  readonly end?: { readonly edge: EdgeShape; readonly which: "from" | "to" };
  readonly at: Point;
  readonly isWaiting: boolean;
};

/** The effect of dropping the dragged thing here. */
export type Drop =
  | { readonly kind: "group"; readonly groupId: string; readonly before?: string | undefined; readonly line: Point }
  | { readonly kind: "edge"; readonly edge: EdgeShape; readonly at: Point }
  | { readonly kind: "ground"; readonly at: Point };

/** A block that is being dragged: from the palette, or from a card. */
export type Dragging = { readonly label: string; readonly icon: string; readonly at: Point; readonly drop: Drop };

/**
 * What is edited on its card: the title of a group, the text of a block, or another field of a block, of an item, or of
 * an item's button.
 *
 *     nothing ─ a text or label is pressed, F2, or an option is added ─→ edited
 *     edited ─ Escape, a press or the focus elsewhere, or it is gone or locked ─→ nothing
 */
export type Editing = (
  | { readonly kind: "title" | "text"; readonly id: string }
  | {
      readonly kind: "field";
      readonly id: string;
      readonly itemId?: string;
      readonly pathId?: string;
      /** The path within the innermost of these. */
      readonly path: Path;
    }
) & {
  /** Where the caret begins; absent: at the end. */
  readonly caret?: Caret;
  /** The option was added to be edited here: if it has no text at the end, it is removed. */
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
  /** The places of notes and frames while they are dragged, or their sizes while they are resized. */
  readonly shift: Signal<{ readonly ids: ReadonlySet<string>; readonly by: Point } | undefined>;
  readonly sizing: Signal<
    { readonly id: string; readonly box: Point & { readonly width: number; readonly height: number } } | undefined
  >;
  readonly menu: Signal<{ readonly at: Point; readonly items: readonly MenuItem[] } | undefined>;
  /** A block of the palette that is not yet over the canvas, at a point of the window. */
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
