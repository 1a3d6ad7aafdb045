import type { ReadonlySignal, Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Outlet } from "../../../core/editing/references/outlets.ts";
import type { EditorFamily } from "../../../core/interpreter/schemas/editor-families.ts";
import type { WayOutName } from "../../../core/interpreter/schemas/own-keys.ts";
import type { FlowThing } from "../editor/commands/command.ts";
import type { Editor, Findings, Present } from "../editor/index.ts";
import type { Selected } from "../editor/selection.ts";
import type { Colors } from "./colors.ts";

/*
 * The interface between the canvas and the interactions on it.
 *
 * const view = useMemo(() => createView(bot), [bot]); <Canvas view={view} gestures={gestures} overlays={overlays}
 * onKey={onKey} onMenu={onMenu} onOpen={openForm} marks={marks} />
 *
 * The canvas itself pans, zooms, selects by press, shift and box, and drags cards. Its own keys, handled after `onKey`:
 * arrows, Enter, Escape, Ctrl/⌘ A, + - 0 1 2, Space to pan. World coordinates are those that a flow stores; screen
 * coordinates are those of the window (`clientX`).
 */

export type Point = { readonly x: number; readonly y: number };
export type Box = Point & { readonly width: number; readonly height: number };

/** A place that a flow may continue from, at its position on the card. */
export type Port = {
  /** Identifies a card and its outlet while they exist. */
  readonly key: string;
  readonly cardId: string;
  readonly outlet: Outlet;
  /**
   * For a block that is not the last of its group: it seldom leads elsewhere. Drawn while the pointer is on its card.
   */
  readonly isQuiet?: boolean;
  /** From the card's corner. */
  readonly x: number;
  readonly y: number;
};

/** A line of a card, from its top. */
export type CardRow = {
  readonly kind: "block" | "item" | "button" | "otherwise" | "way";
  readonly blockId: string;
  /** For `way`: which way out of its block. */
  readonly way?: WayOutName;
  readonly itemId?: string;
  readonly pathId?: string;
  /** From the card's top. */
  readonly y: number;
  readonly height: number;
  /** The number of lines of text that fit. */
  readonly lines: 1 | 2;
  readonly text: string;
  /** The text is the name of the block's type, since the block has no text. */
  readonly isNameOnly?: boolean;
  readonly icon?: string;
  /** The family of the block's type, which gives the icon its colour. */
  readonly family?: EditorFamily;
  /** The address of the block's picture: drawn small beside its text. */
  readonly picture?: string;
  /** The variable that the block saves to, if its text does not name the variable. */
  readonly variable?: string;
  readonly port?: Port;
};

/** A group or an event, with its place. */
export type Card = {
  readonly id: string;
  readonly kind: "group" | "event";
  readonly title: string;
  readonly box: Box;
  readonly rows: readonly CardRow[];
  /** The ports of the card's rows; an event has a port of its own. */
  readonly ports: readonly Port[];
};

/** A curve with two handles, or straight lanes with rounded corners. */
export type Route =
  | { readonly kind: "curve"; readonly points: readonly [Point, Point, Point, Point] }
  | { readonly kind: "lanes"; readonly points: readonly Point[] };

/** An edge as it is drawn. */
export type EdgeShape = {
  readonly id: string;
  /** The port at which the edge begins. */
  readonly port: Port;
  readonly from: Point;
  readonly to: Point;
  /** Absent if the target was removed: the edge is a stub. */
  readonly toCardId?: string;
  readonly toBlockId?: string;
  readonly route: Route;
  readonly box: Box;
};

/**
 * Every card and edge by id. If several places share the id of an edge, `edgesOf` contains a shape for each of them.
 */
export type Scene = {
  readonly cards: ReadonlyMap<string, Card>;
  readonly edges: readonly EdgeShape[];
  /** The edges that begin or end at a card. */
  edgesOf(cardId: string): readonly EdgeShape[];
  /** The card that holds a block, and the block's row. */
  rowOf(blockId: string): { readonly card: Card; readonly row: CardRow } | undefined;
  /** The bounds of everything; undefined if there is nothing. */
  readonly bounds: Box | undefined;
};

/** The uppermost thing at a point. */
export type Hit =
  | { readonly kind: "ground" }
  | { readonly kind: "card" | "title"; readonly id: string; readonly of: "group" | "event" }
  | { readonly kind: "row"; readonly id: string; readonly blockId: string }
  | {
      readonly kind: "item";
      readonly id: string;
      readonly blockId: string;
      readonly itemId?: string;
      readonly pathId?: string;
      /** The block's other outcome, or a way out of it. */
      readonly row?: "otherwise" | WayOutName;
    }
  | {
      readonly kind: "port";
      readonly id: string;
      readonly port: Port;
      readonly blockId?: string;
      readonly itemId?: string;
      readonly pathId?: string;
    }
  /** `end`: near its arrow, where the edge is dragged to another target. */
  | { readonly kind: "edge"; readonly id: string; readonly edge: EdgeShape; readonly end?: "from" | "to" }
  /** For an overlay. `part`: which part of the overlay, by the overlay's own name. */
  | { readonly kind: "frame" | "note" | "overlay"; readonly id: string; readonly part?: string };

/**
 * The behaviour of a pressed pointer. When a pointer goes down, gestures are asked in order, before the canvas's own;
 * the first that begins has the pointer until it ends. `move` is first called when the pointer has gone too far for a
 * tap (4 px, a finger 8). It is called again while the camera follows a pointer that rests near the rim.
 */
export type Gesture = {
  begins(hit: Hit, event: PointerEvent, world: Point): boolean;
  move(world: Point, event: PointerEvent): void;
  end(world: Point, event: PointerEvent): void;
  /** Escape, a second finger, or a pointer that never moved. */
  cancel(): void;
  /** A press without a move; true: it is handled, and nothing else is selected. */
  tap?(hit: Hit, event: PointerEvent, world: Point): boolean;
};

/** A thing that is drawn in world coordinates with the cards. */
export type Overlay = {
  readonly key: string;
  readonly layer: "below" | "above";
  /** A component: it reads signals, and is drawn again only when they change. */
  readonly render: () => ComponentChildren;
  /**
   * The overlay's part at a point; overlays above the cards are asked before cards and edges, those below after them.
   */
  hit?(world: Point): Hit | undefined;
  /**
   * The overlay's painted form from afar, below or above the cards by its layer; undefined if it remains an element.
   */
  readonly painted?: ReadonlySignal<PaintedArea | undefined>;
  /** Paints anything that is not an area, in world coordinates, whenever the picture is painted. */
  paint?(context: CanvasRenderingContext2D, brush: Brush): void;
};

/** An area beside the flow as it is painted: a note with its text, or a frame with its title above it. */
export type PaintedArea = Box & {
  readonly kind: "note" | "frame";
  readonly text: string;
  readonly color: string | undefined;
  readonly isChosen: boolean;
};

/** The colours and measures for painting. */
export type Brush = { readonly zoom: number; readonly colors: Colors; readonly font: string };

export type CameraState = Point & {
  /** Pixels of the screen for one of the world. `x`, `y`: the world's point at the canvas's upper left corner. */
  readonly zoom: number;
};

export type Camera = {
  /** Updated at each frame: read it with `peek` or in an effect that sets a style, never in a component. */
  readonly state: ReadonlySignal<CameraState>;
  readonly zoom: number;
  /** The canvas's size on the screen. */
  readonly size: ReadonlySignal<{ readonly width: number; readonly height: number }>;
  panBy(screen: Point): void;
  /** Zooms around a point of the screen; by default the middle. */
  zoomTo(zoom: number, at?: Point): void;
  /** Shows these cards, or all. */
  fit(ids?: Iterable<string>): void;
  fitBox(box: Box): void;
  /** Brings a point to the middle, at this zoom. */
  lookAt(middle: CameraState): void;
  /**
   * Moves a card or a box to the middle of the uncovered area, unless it is already visible there; flies unless motion
   * is to be reduced. `part`: the part that is shown if the whole does not fit. `leastZoom`: the lowest zoom at which
   * it is shown.
   */
  reveal(target: string | Box, part?: Box, leastZoom?: number): void;
};

/** The shown flow: an open bot, or the parts of one that a read-only version has. */
export type Source = {
  readonly editor: Pick<Editor, "store" | "selection" | "walked" | "readOnly" | "run">;
  readonly bot: ReadonlySignal<{ readonly name: string }>;
  readonly findings: Pick<Findings, "byThing">;
  readonly live: { readonly present: ReadonlySignal<readonly Present[]> };
};

/** A mark on a card, a row or an edge: added, removed, changed. Never a colour alone: the sign means the same. */
export type Mark = {
  readonly tone: "good" | "danger" | "warning" | "accent";
  readonly sign: string;
  readonly label: string;
  /**
   * Two short bars under the sign, from 0 to 1: the share of all chats that came here, and the share of these that left
   * here.
   */
  readonly bars?: { readonly reached: number; readonly left: number };
  readonly isHatched?: boolean;
  /** The thickness of an edge, from 1 to 10. */
  readonly width?: number;
};

/** A canvas that is, or may be, on the screen: its place is kept while the outline is shown. */
export type View = {
  readonly source: Source;
  readonly scene: ReadonlySignal<Scene>;
  readonly camera: Camera;
  /** The selection of the open bot. */
  readonly selection: Selected;
  /** The current places of dragged cards; the drawing follows them, the draft does not. */
  readonly shift: Signal<{ readonly ids: ReadonlySet<string>; readonly by: Point } | undefined>;
  /** Cards that are folded to their title, by id. */
  readonly collapsed: Signal<ReadonlySet<string>>;
  /** The names of other bots, by id, as far as they were requested; `linked` contains the bots that the flow names. */
  readonly bots: Signal<ReadonlyMap<string, string>>;
  readonly linked: ReadonlySet<string>;
  /** Whether the view is far enough away for cards to be painted. */
  readonly isFar: ReadonlySignal<boolean>;
  /** The element that has the pointer and the keys; undefined while the outline is shown. */
  readonly element: ReadonlySignal<HTMLElement | undefined>;
  toWorld(screen: Point): Point;
  toScreen(world: Point): Point;
  hitAt(world: Point): Hit;
  /** These cards, as a selection. */
  thingsOf(ids: Iterable<string>): readonly FlowThing[];
  cardAt(world: Point): Card | undefined;
  /** The port within reach of a point, for a finger or a pointer. */
  portAt(world: Point, reach?: number): Port | undefined;
  /** Puts the focus on the canvas. */
  focus(): void;
};

/** The request of a button on a card: to try the flow from there, or to show the findings there. */
export type CardAct = (act: "play" | "findings", at: FlowThing) => void;

export type CanvasProps = {
  readonly view: View;
  /** If absent, cards have no buttons. */
  readonly onAct?: CardAct;
  readonly gestures?: readonly Gesture[];
  readonly overlays?: readonly Overlay[];
  /** By the id of a card, a block, an item or an edge. */
  readonly marks?: ReadonlySignal<ReadonlyMap<string, Mark>>;
  /** The id of the focused overlay's element; without one, the focus is on a card or its row. */
  readonly active?: ReadonlySignal<string | undefined>;
  /** Called before the canvas's own keys; true: the key is handled. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
  /** A second button, a long press, or the menu key; the subject is selected first. */
  readonly onMenu?: (hit: Hit, at: Point, world: Point) => void;
  /** A double press; true: it is handled. */
  readonly onDouble?: (hit: Hit, event: MouseEvent, world: Point) => boolean;
  /** Enter on a row, or a press on it: opens its form, with the focus in the form if `hasFocus`. */
  readonly onOpen?: (options: { readonly hasFocus: boolean }) => void;
};
