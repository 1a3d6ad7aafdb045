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
 *   const view = useMemo(() => createView(bot), [bot]);
 *   <Canvas view={view} gestures={gestures} overlays={overlays} onKey={onKey} onMenu={onMenu} onOpen={openForm} marks={marks} />
 *
 * The canvas itself pans, zooms, chooses by press, shift and box, and drags cards. Its own keys, asked after `onKey`:
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
  /** For a block that others follow: it seldom leads elsewhere. Drawn while the pointer is on its card. */
  readonly isQuiet?: boolean;
  /** From the card's corner. */
  readonly x: number;
  readonly y: number;
};

/** A line of a card, from its top. */
export type CardRow = {
  readonly kind: "block" | "item" | "button" | "otherwise" | "way";
  readonly blockId: string;
  /** For `way`: which one of its block. */
  readonly way?: WayOutName;
  readonly itemId?: string;
  readonly pathId?: string;
  /** From the card's top. */
  readonly y: number;
  readonly height: number;
  /** How many lines of text it has room for. */
  readonly lines: 1 | 2;
  readonly text: string;
  /** It is what its type is called, for want of something to say. */
  readonly isNameOnly?: boolean;
  readonly icon?: string;
  /** The family of its type, which its icon has the colour of. */
  readonly family?: EditorFamily;
  /** The address of its picture: drawn small beside its text. */
  readonly picture?: string;
  /** The variable that it saves to, where its text does not name it. */
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
  /** Ports of its rows; an event has its own. */
  readonly ports: readonly Port[];
};

/** A curve with two handles, or straight lanes with rounded corners. */
export type Route =
  | { readonly kind: "curve"; readonly points: readonly [Point, Point, Point, Point] }
  | { readonly kind: "lanes"; readonly points: readonly Point[] };

/** An edge as it is drawn. */
export type EdgeShape = {
  readonly id: string;
  /** The port that it begins at. */
  readonly port: Port;
  readonly from: Point;
  readonly to: Point;
  /** Absent if its target is gone: a stub. */
  readonly toCardId?: string;
  readonly toBlockId?: string;
  readonly route: Route;
  readonly box: Box;
};

/** Every card and edge by id. An id of an edge that several places share has the shape of each of them in `edgesOf`. */
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
  /** `end`: near its arrow, where it is taken to be led elsewhere. */
  | { readonly kind: "edge"; readonly id: string; readonly edge: EdgeShape; readonly end?: "from" | "to" }
  /** For an overlay. `part`: which part of it, in its own words. */
  | { readonly kind: "frame" | "note" | "overlay"; readonly id: string; readonly part?: string };

/**
 * The behaviour of a pressed pointer. Gestures are asked in order, before the canvas's own, when a pointer goes down;
 * the first that begins has the pointer until it ends. `move` comes first when the pointer has gone far enough to be no
 * tap (4 px, a finger 8), and again, where the pointer rests near the rim, while the camera follows it there.
 */
export type Gesture = {
  begins(hit: Hit, event: PointerEvent, world: Point): boolean;
  move(world: Point, event: PointerEvent): void;
  end(world: Point, event: PointerEvent): void;
  /** Escape, a second finger, or a pointer that never moved. */
  cancel(): void;
  /** A press without a move; true: it is dealt with, and nothing else is chosen. */
  tap?(hit: Hit, event: PointerEvent, world: Point): boolean;
};

/** A thing that is drawn in world coordinates with the cards. */
export type Overlay = {
  readonly key: string;
  readonly layer: "below" | "above";
  /** A component: it reads signals, and is drawn again by these alone. */
  readonly render: () => ComponentChildren;
  /** Its part at a point; those above are asked before cards and edges, those below after them. */
  hit?(world: Point): Hit | undefined;
  /**
   * Its painted form from far away, below or above the cards as its layer says; undefined while it is an element even
   * then.
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
   * Brings a card or a box to the middle of what nothing lies over, unless it is seen there already; flies unless
   * motion is to be reduced. `part`: what is brought there instead where the whole has no room. `leastZoom`: it is
   * seen as large as that at least.
   */
  reveal(target: string | Box, part?: Box, leastZoom?: number): void;
};

/** The shown flow: an open bot, or as much of one as a read-only version has. */
export type Source = {
  readonly editor: Pick<Editor, "store" | "selection" | "walked" | "readOnly" | "run">;
  readonly bot: ReadonlySignal<{ readonly name: string }>;
  readonly findings: Pick<Findings, "byThing">;
  readonly live: { readonly present: ReadonlySignal<readonly Present[]> };
};

/**
 * A mark on a card, a row or an edge: what has been added, removed, changed. Never a colour alone: the sign says the
 * same.
 */
export type Mark = {
  readonly tone: "good" | "danger" | "warning" | "accent";
  readonly sign: string;
  readonly label: string;
  /** Two short bars under the sign, from 0 to 1: of all chats those that came, and of these those that left. */
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
  /** The current places of dragged cards; the drawing follows, the draft does not. */
  readonly shift: Signal<{ readonly ids: ReadonlySet<string>; readonly by: Point } | undefined>;
  /** Cards that are folded to their title, by id. */
  readonly collapsed: Signal<ReadonlySet<string>>;
  /** The names of other bots, by id, as far as they were requested; `linked` are those that the flow names. */
  readonly bots: Signal<ReadonlyMap<string, string>>;
  readonly linked: ReadonlySet<string>;
  /** Whether cards are painted, so far away are they. */
  readonly isFar: ReadonlySignal<boolean>;
  /** The element that has the pointer and the keys; undefined while the outline is shown. */
  readonly element: ReadonlySignal<HTMLElement | undefined>;
  toWorld(screen: Point): Point;
  toScreen(world: Point): Point;
  hitAt(world: Point): Hit;
  /** These cards, as they are selected. */
  thingsOf(ids: Iterable<string>): readonly FlowThing[];
  cardAt(world: Point): Card | undefined;
  /** The port within reach of a point: as near as a finger or a pointer has it. */
  portAt(world: Point, reach?: number): Port | undefined;
  /** Puts the focus on the canvas. */
  focus(): void;
};

/** The request of a button on a card: to try the flow from there, or to show the findings there. */
export type CardAct = (act: "play" | "findings", at: FlowThing) => void;

export type CanvasProps = {
  readonly view: View;
  /** Without it cards have no buttons. */
  readonly onAct?: CardAct;
  readonly gestures?: readonly Gesture[];
  readonly overlays?: readonly Overlay[];
  /** By the id of a card, a block, an item or an edge. */
  readonly marks?: ReadonlySignal<ReadonlyMap<string, Mark>>;
  /** The id of the element of an overlay that has the focus; without one it is a card, or a row of one. */
  readonly active?: ReadonlySignal<string | undefined>;
  /** Asked before the canvas's own keys; true: it is dealt with. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
  /** A second button, a long press, or the menu key; its subject is selected before. */
  readonly onMenu?: (hit: Hit, at: Point, world: Point) => void;
  /** A double press; true: it is dealt with. */
  readonly onDouble?: (hit: Hit, event: MouseEvent, world: Point) => boolean;
  /** Enter on a row, or a press on it: its form, with the focus in it where `hasFocus`. */
  readonly onOpen?: (options: { readonly hasFocus: boolean }) => void;
};
