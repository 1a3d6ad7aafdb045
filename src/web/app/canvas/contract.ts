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
 * The interface between the canvas and the code that handles interactions with it.
 *
 *     const view = useMemo(() => createView(bot), [bot]);
 *     <Canvas view={view} gestures={gestures} overlays={overlays} onKey={onKey} onMenu={onMenu} onOpen={openForm} />
 *
 * The canvas itself pans, zooms, drags cards, and selects cards and rows by presses and boxes. After `onKey`, it
 * handles the keys of the scope `view` in `keymap.ts`. World coordinates are the coordinates in a stored flow; screen
 * coordinates are the coordinates of the window (`clientX`).
 */

export type Point = { readonly x: number; readonly y: number };
export type Box = Point & { readonly width: number; readonly height: number };

/** An outlet of a card, with its position on the card. */
export type Port = {
  /** Identifies an outlet of a card. The key does not change while the card and its outlet exist. */
  readonly key: string;
  readonly cardId: string;
  readonly outlet: Outlet;
  /**
   * Set for an unconnected outlet of a block that is not the last of its group, because such an outlet is rarely used.
   * The port is drawn only while the card is selected or under the pointer.
   */
  readonly isQuiet?: boolean;
  /** The position relative to the card's corner. */
  readonly x: number;
  readonly y: number;
};

/** A row of a card, such as a block, an item or an exit. */
export type CardRow = {
  readonly kind: "block" | "item" | "button" | "otherwise" | "way";
  readonly blockId: string;
  /** For the kind `way`: the exit of the block, such as failure or timeout. */
  readonly way?: WayOutName;
  readonly itemId?: string;
  readonly pathId?: string;
  /** The distance from the top of the card. */
  readonly y: number;
  readonly height: number;
  /** The number of text lines that fit in the row. */
  readonly lines: 1 | 2;
  readonly text: string;
  /**
   * Whether the text is only a name, such as the name of the block's type, because the block or the item has no text.
   */
  readonly isNameOnly?: boolean;
  readonly icon?: string;
  /** The family of the block's type, which determines the colour of the icon. */
  readonly family?: EditorFamily;
  /** The URL of the picture of the block or the item, which is drawn as a thumbnail beside the text. */
  readonly picture?: string;
  /**
   * The name of a variable that the block sets, and the number of further variables. A name with which the text already
   * begins is not repeated.
   */
  readonly variable?: string;
  readonly port?: Port;
};

/** A group or an event with its position. */
export type Card = {
  readonly id: string;
  readonly kind: "group" | "event";
  readonly title: string;
  readonly box: Box;
  readonly rows: readonly CardRow[];
  /** The ports of a group's rows, or the port of an event, if it has one. */
  readonly ports: readonly Port[];
};

/** The path of an edge: a curve with two control points, or straight lanes with rounded corners. */
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
  /** Absent if the target does not exist. The edge is then a short stub. */
  readonly toCardId?: string;
  readonly toBlockId?: string;
  readonly route: Route;
  readonly box: Box;
};

/** All cards by id, and all edges. If several outlets share an edge id, `edges` contains a shape for each outlet. */
export type Scene = {
  readonly cards: ReadonlyMap<string, Card>;
  readonly edges: readonly EdgeShape[];
  /** The edges that begin or end at a card. */
  edgesOf(cardId: string): readonly EdgeShape[];
  /** Returns the card that contains a block, and the block's row. */
  rowOf(blockId: string): { readonly card: Card; readonly row: CardRow } | undefined;
  /** The bounds of all cards; undefined for an empty scene. */
  readonly bounds: Box | undefined;
};

/** The uppermost object at a point. */
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
      /** The default outcome of the block, or one of its exits. */
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
  /** `end`: the end of the edge under the pointer. An edge can be dragged to another target by its ends. */
  | { readonly kind: "edge"; readonly id: string; readonly edge: EdgeShape; readonly end?: "from" | "to" }
  /** The hit of an overlay. `part` names a part of the overlay; the overlay defines the names. */
  | { readonly kind: "frame" | "note" | "overlay"; readonly id: string; readonly part?: string };

/**
 * A handler for a pressed pointer.
 *
 * When a pointer goes down, the canvas tries all gestures in order and then its own gestures. The first gesture whose
 * `begins` returns true receives the events of the pointer until the gesture ends. `move` is called for each movement
 * after the pointer has moved too far for a tap (4 px, or 8 px for a finger). `move` is also called repeatedly while a
 * pointer rests near the edge of the canvas and the camera follows it.
 */
export type Gesture = {
  begins(hit: Hit, event: PointerEvent, world: Point): boolean;
  move(world: Point, event: PointerEvent): void;
  end(world: Point, event: PointerEvent): void;
  /**
   * Called when the gesture ends without a result, for example on Escape, on a long press, or when the pointer never
   * moved.
   */
  cancel(): void;
  /**
   * Called on each gesture in order for a press without movement, until one returns true. The canvas then selects
   * nothing.
   */
  tap?(hit: Hit, event: PointerEvent, world: Point): boolean;
};

/** An element that is drawn in world coordinates, together with the cards. */
export type Overlay = {
  readonly key: string;
  readonly layer: "below" | "above";
  /** Renders the overlay as a component. The component reads signals and is rendered again only when they change. */
  readonly render: () => ComponentChildren;
  /**
   * Returns the part of the overlay at a point, if there is one. Overlays above the cards are tested before cards and
   * edges, overlays below the cards after them.
   */
  hit?(world: Point): Hit | undefined;
  /**
   * The painted form for the zoomed-out view, below or above the cards by its layer. If undefined, the overlay remains
   * an element.
   */
  readonly painted?: ReadonlySignal<PaintedArea | undefined>;
  /** Paints content that is not an area, in world coordinates, each time the picture is painted. */
  paint?(context: CanvasRenderingContext2D, brush: Brush): void;
};

/** A note with its text, or a frame with its title above it, in the painted form. */
export type PaintedArea = Box & {
  readonly kind: "note" | "frame";
  readonly text: string;
  readonly color: string | undefined;
  readonly isChosen: boolean;
};

/** The colours, zoom and font for painting. */
export type Brush = { readonly zoom: number; readonly colors: Colors; readonly font: string };

export type CameraState = Point & {
  /** Screen pixels per world unit. `x` and `y` are the world coordinates of the canvas's upper left corner. */
  readonly zoom: number;
};

export type Camera = {
  /**
   * May change with each animation frame. Read the signal with `peek` or in an effect that sets a style, never in a
   * component.
   */
  readonly state: ReadonlySignal<CameraState>;
  readonly zoom: number;
  /** The size of the canvas in screen pixels. */
  readonly size: ReadonlySignal<{ readonly width: number; readonly height: number }>;
  panBy(screen: Point): void;
  /** Zooms around a point of the screen, by default the middle of the canvas. */
  zoomTo(zoom: number, at?: Point): void;
  /** Fits the given cards, or the whole flow, into the canvas. */
  fit(ids?: Iterable<string>): void;
  fitBox(box: Box): void;
  /** Centres a point at the given zoom. */
  lookAt(middle: CameraState): void;
  /**
   * Moves a card or a box to the middle of the uncovered area, unless it is already visible there. The movement is
   * animated unless reduced motion is preferred. `part` is shown if the whole does not fit. `leastZoom` is the lowest
   * zoom at which the target is shown.
   */
  reveal(target: string | Box, part?: Box, leastZoom?: number): void;
};

/** The shown flow: an open bot, or the corresponding parts of a read-only version. */
export type Source = {
  readonly editor: Pick<Editor, "store" | "selection" | "walked" | "readOnly" | "run">;
  readonly bot: ReadonlySignal<{ readonly name: string }>;
  readonly findings: Pick<Findings, "byThing">;
  readonly live: { readonly present: ReadonlySignal<readonly Present[]> };
};

/**
 * A mark on a card, a row or an edge, such as added, removed or changed. The sign repeats the meaning of the colour.
 */
export type Mark = {
  readonly tone: "good" | "danger" | "warning" | "accent";
  readonly sign: string;
  readonly label: string;
  /**
   * Two short bars under the sign, from 0 to 1: the share of all chats that reached this step, and the share of those
   * chats that ended here.
   */
  readonly bars?: { readonly reached: number; readonly left: number };
  readonly isHatched?: boolean;
  /** The thickness of an edge, from 1 to 10. */
  readonly width?: number;
};

/**
 * The view of a flow on a canvas that may currently be hidden. The camera position is retained while the outline is
 * shown.
 */
export type View = {
  readonly source: Source;
  readonly scene: ReadonlySignal<Scene>;
  readonly camera: Camera;
  readonly selection: Selected;
  /**
   * The current offset of dragged cards, which applies to the drawing only. The draft does not change until the drag
   * ends.
   */
  readonly shift: Signal<{ readonly ids: ReadonlySet<string>; readonly by: Point } | undefined>;
  /** The ids of the cards that are folded to their title. */
  readonly collapsed: Signal<ReadonlySet<string>>;
  /** The loaded names of other bots, by id. `linked` contains the ids of the bots that the flow refers to. */
  readonly bots: Signal<ReadonlyMap<string, string>>;
  readonly linked: ReadonlySet<string>;
  /** Whether cards are painted, because the canvas is zoomed out far or shows too many objects. */
  readonly isFar: ReadonlySignal<boolean>;
  /** The element that receives pointer and key events; undefined while the outline is shown. */
  readonly element: ReadonlySignal<HTMLElement | undefined>;
  toWorld(screen: Point): Point;
  toScreen(world: Point): Point;
  hitAt(world: Point): Hit;
  /** Returns the cards as a selection. */
  thingsOf(ids: Iterable<string>): readonly FlowThing[];
  cardAt(world: Point): Card | undefined;
  /** Returns the port within `reach` of a point, if there is one. */
  portAt(world: Point, reach?: number): Port | undefined;
  focus(): void;
};

/** Called when a button on a card is pressed: to start the preview at the card, or to show its findings. */
export type CardAct = (act: "play" | "findings", at: FlowThing) => void;

export type CanvasProps = {
  readonly view: View;
  /** Without this handler, cards have no buttons. */
  readonly onAct?: CardAct;
  readonly gestures?: readonly Gesture[];
  readonly overlays?: readonly Overlay[];
  /** The marks by the id of a card, a block, an item or an edge. */
  readonly marks?: ReadonlySignal<ReadonlyMap<string, Mark>>;
  /** The id of the focused overlay's element. If undefined, the focus is on a card or a row. */
  readonly active?: ReadonlySignal<string | undefined>;
  /** Called before the canvas handles a key. Returns true if the key was handled. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
  /** Called for a secondary click, a long press, or the menu key. */
  readonly onMenu?: (hit: Hit, at: Point, world: Point) => void;
  /** Called for a double press. Returns true if the press was handled. */
  readonly onDouble?: (hit: Hit, event: MouseEvent, world: Point) => boolean;
  /**
   * Called to open the form of the selected object, for example after a press on it. The form receives the focus if
   * `hasFocus` is true.
   */
  readonly onOpen?: (options: { readonly hasFocus: boolean }) => void;
};
