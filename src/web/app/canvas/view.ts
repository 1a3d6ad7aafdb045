import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FlowThing } from "../editor/commands/command.ts";
import { blockIdOf, isInCard } from "../editor/selection.ts";
import type { BlockType } from "../forms/index.ts";
import canvasWords from "../words/en/canvas.json";
import commandWords from "../words/en/command.json";
import outlineWords from "../words/en/outline.json";
import { currentWords } from "../words/language.ts";
import type {
  Box,
  CameraState,
  Card,
  CardAct,
  EdgeShape,
  Mark,
  Overlay,
  PaintedArea,
  Point,
  Source,
  View,
} from "./contract.ts";
import { boxOf, createCamera, type MovingCamera } from "./scene/camera.ts";
import { isSameBox, toCells } from "./scene/cells.ts";
import { coversOf } from "./scene/covers.ts";
import { hitAt, nearestPort, reachOf } from "./scene/hit.ts";
import { createRowTexts } from "./scene/row-texts.ts";
import { type BuiltScene, createSceneBuilder } from "./scene/scene.ts";
import type { Line } from "./scene/snapping.ts";

/** The zoom below which cards are painted. */
export const farBelow = 1 / 3;
/**
 * The maximum number of objects that are rendered as elements. If more are in view, only the selected card is an
 * element.
 */
const mostDrawn = 2_000;

/** The objects that are rendered as elements: the ids of cards and the keys of edges. */
export type Drawn = { readonly cards: readonly string[]; readonly edges: readonly string[] };

/** A view with additional members for the canvas's own code. */
export type OpenView = Omit<View, "scene" | "camera" | "element"> & {
  readonly scene: ReadonlySignal<BuiltScene>;
  readonly camera: MovingCamera;
  readonly element: Signal<HTMLElement | undefined>;
  readonly types: Signal<ReadonlyMap<string, BlockType> | undefined>;
  readonly overlays: Signal<readonly Overlay[]>;
  readonly marks: Signal<ReadonlySignal<ReadonlyMap<string, Mark>> | undefined>;
  readonly act: Signal<CardAct | undefined>;
  /**
   * The part of the world that is rendered as elements, rounded to whole cells. Changes only when the camera crosses
   * the border of a cell.
   */
  readonly window: ReadonlySignal<Box>;
  readonly drawn: ReadonlySignal<Drawn>;
  /** The guides of a dragged card, and the selection box. */
  readonly lines: Signal<readonly Line[]>;
  readonly marquee: Signal<(Box & { readonly isOfRows?: boolean }) | undefined>;
  readonly hoveredEdge: Signal<string | undefined>;
  /** The rendered elements by card id and edge key. */
  readonly elements: Map<string, Element>;
  /** Whether the first view has been set. */
  isPlaced: boolean;
  /** The first view: a card in the link, or the stored corner if it is valid, or the stored middle. */
  lookAt: {
    readonly cardId?: string | undefined;
    readonly kept?: CameraState | undefined;
    readonly corner?: CameraState | undefined;
  };
};

/** Creates the contents of a canvas and its camera. */
export function createView(source: Source): OpenView {
  const { store, selection } = source.editor;
  const types = signal<ReadonlyMap<string, BlockType> | undefined>(undefined);
  const collapsed = signal<ReadonlySet<string>>(new Set());
  const bots = signal<ReadonlyMap<string, string>>(new Map());
  const linked = new Set<string>();
  const rowTexts = computed(() => {
    const words = currentWords(canvasWords);
    const { events } = currentWords(commandWords);
    return createRowTexts({
      types: types.value,
      words: {
        ...words.card,
        events,
        item: (position, isBranch) => currentWords(outlineWords).outline[isBranch ? "branch" : "item"]({ position }),
      },
      variable: (id) => names.value.get(id),
      group(id) {
        const group = store.find.group(id);
        return group && (titleOf(group["title"]) ?? words.card.untitled);
      },
      missing: words.missing,
      bot(id) {
        // An empty id belongs to a link block whose bot has not been chosen yet.
        if (id !== "") linked.add(id);
        return bots.value.get(id) ?? "";
      },
    });
  });
  const names = computed(() => new Map(store.variables.value.map(({ id, name }) => [id, name])));
  const build = createSceneBuilder();
  const scene = computed(() =>
    build({ draft: store.draft.value, rowTexts: rowTexts.value, collapsed: collapsed.value, bots: bots.value }),
  );
  const camera = createCamera(
    // Uses `peek`, so that an effect that reveals a card does not run again when the card moves.
    (id) => scene.peek().cards.get(id),
    () => [...[...scene.value.cards.values()].map(({ box }) => box), ...areasIn(overlays.value)],
    {
      now: () => performance.now(),
      next(call) {
        const handle = requestAnimationFrame(call);
        return () => cancelAnimationFrame(handle);
      },
      isMotionReduced: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
      // Uses `peek`, so that an effect that moves the camera does not run again when the canvas's element changes.
      covers: () => coversOf(element.peek()),
    },
  );
  const element = signal<HTMLElement | undefined>(undefined);
  const overlays = signal<readonly Overlay[]>([]);
  let cells: Box = { x: 0, y: 0, width: 0, height: 0 };
  const window = computed(() => {
    const next = toCells(boxOf(camera.state.value, camera.size.value));
    if (!isSameBox(cells, next)) cells = next;
    return cells;
  });
  const isSmall = computed(() => camera.state.value.zoom < farBelow);
  const inView = computed(() => {
    if (isSmall.value) return { cards: [], edges: [], isTooMuch: true };
    const now = scene.value;
    const [cards, edges] = [now.cardsIn(window.value), now.edgesIn(window.value)];
    return { cards, edges, isTooMuch: elementsOf(cards, edges) > mostDrawn };
  });
  const isFar = computed(() => inView.value.isTooMuch);
  const shift: View["shift"] = signal(undefined);
  const dragged = computed(() => shift.value?.ids);
  let last: Drawn = { cards: [], edges: [] };
  const drawn = computed(() => {
    const { cards, edges, isTooMuch } = inView.value;
    const ids = new Set(isTooMuch ? [] : cards.map(({ id }) => id));
    const keys = new Set(isTooMuch ? [] : edges.map(({ port }) => port.key));
    // The selected card is always an element, so that screen readers can announce it.
    const selected = cardOf(selection.focus.value, store);
    if (selected !== undefined && scene.value.cards.has(selected)) ids.add(selected);
    // While few objects are in view, a dragged object remains an element when the camera leaves its original position.
    for (const id of (!isTooMuch && dragged.value) || []) {
      ids.add(id);
      for (const { port } of scene.value.edgesOf(id)) keys.add(port.key);
    }
    const next = { cards: [...ids], edges: [...keys] };
    if (!isSameList(next.cards, last.cards) || !isSameList(next.edges, last.edges)) last = next;
    return last;
  });
  const corner = (): Point => {
    const { left = 0, top = 0 } = element.value?.getBoundingClientRect() ?? {};
    return { x: left, y: top };
  };

  return {
    ...{ source, selection, scene, camera, element, types, overlays, window, isFar, drawn, collapsed, bots, linked },
    act: signal(undefined),
    shift,
    marks: signal(undefined),
    lines: signal([]),
    marquee: signal(undefined),
    hoveredEdge: signal(undefined),
    elements: new Map(),
    isPlaced: false,
    lookAt: {},
    toWorld(screen) {
      const { x, y, zoom } = camera.state.value;
      const at = corner();
      return { x: x + (screen.x - at.x) / zoom, y: y + (screen.y - at.y) / zoom };
    },
    toScreen(world) {
      const { x, y, zoom } = camera.state.value;
      const at = corner();
      return { x: at.x + (world.x - x) * zoom, y: at.y + (world.y - y) * zoom };
    },
    hitAt: (world) =>
      hitAt(scene.value, world, {
        zoom: camera.zoom,
        raised: selection.cards.value,
        overlays: overlays.value,
        isFar: isSmall.value,
      }),
    thingsOf: (ids) => [...ids].flatMap((id) => scene.value.cards.get(id) ?? []).map(({ kind, id }) => ({ kind, id })),
    cardAt(world) {
      const around = { ...world, width: 0, height: 0 };
      const cards = scene.value.cardsIn(around);
      return cards.findLast(({ id }) => selection.cards.value.has(id)) ?? cards.at(-1);
    },
    portAt(world, reach = reachOf("port", camera.zoom)) {
      const box = { x: world.x - reach, y: world.y - reach, width: 2 * reach, height: 2 * reach };
      const cards = [...scene.value.cardsIn(box)].reverse();
      for (const card of cards) {
        const port = nearestPort(card, world, reach);
        if (port) return port;
      }
      return undefined;
    },
    focus: () => element.value?.focus({ preventScroll: true }),
  };
}

/** Returns the id of the card to which an object belongs, or the object's own id if it is a card. */
export function cardOf(thing: FlowThing | undefined, { find }: Source["editor"]["store"]): string | undefined {
  return thing && isInCard(thing) ? find.block(blockIdOf(thing) ?? "")?.groupId : thing?.id;
}

/** Returns the painted notes and frames. An object that is being dragged or edited is omitted. */
export function areasIn(overlays: readonly Overlay[]): readonly PaintedArea[] {
  return overlays.flatMap(({ painted }) => painted?.value ?? []);
}

function elementsOf(cards: readonly Card[], edges: readonly EdgeShape[]): number {
  let count = edges.length + 4 * cards.length;
  for (const { rows } of cards)
    for (const { variable, picture, text } of rows)
      count += text.split("{{").length + (variable ? 1 : 0) + (picture ? 1 : 0);
  return count;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function titleOf(title: unknown): string | undefined {
  return typeof title === "string" && title !== "" ? title : undefined;
}
