import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import { entriesOf, idOf, objectsIn } from "../../../../core/editing/changes/things.ts";
import { type FlowEdge, isJsonObject, type JsonObject } from "../../../../core/interpreter/flow.ts";
import type { Box, Card, CardRow, EdgeShape, Point, Port, Scene } from "../contract.ts";
import { createGrid } from "./cells.ts";
import { cardOfEvent, cardOfGroup, type Layout, layoutOfGroup, pointOf, sizes, unionOf } from "./geometry.ts";
import { boxOfRoute, routeOf, stubOf } from "./routing.ts";
import type { FreshRowTexts } from "./row-texts.ts";

/**
 * A scene with a spatial index. Only the newest scene of a builder is valid, because older scenes share its indexes.
 */
export type BuiltScene = Scene & {
  edge(key: string): EdgeShape | undefined;
  cardsIn(box: Box): readonly Card[];
  edgesIn(box: Box): readonly EdgeShape[];
};

export type SceneInput = {
  readonly draft: DraftDocument;
  readonly rowTexts: FreshRowTexts;
  readonly collapsed: ReadonlySet<string>;
  /** A value that changes when the name of another bot changes. */
  readonly bots?: unknown;
};

type Made = { readonly thing: JsonObject; readonly isCollapsed: boolean; readonly card: Card };

/**
 * Returns a function that builds a scene from a draft and reuses parts of the previous scene. An unchanged group object
 * keeps its card, and an edge between unchanged cards keeps its shape. An edit therefore rebuilds only the cards that
 * it changes.
 */
export function createSceneBuilder(): (input: SceneInput) => BuiltScene {
  const layouts = new WeakMap<object, { readonly layout: Layout; readonly rowTexts: FreshRowTexts }>();
  const made = new Map<string, Made>();
  const cards = new Map<string, Card>();
  const rows = new Map<string, { readonly card: Card; readonly row: CardRow }>();
  const edges = createEdges(cards, rows);
  const cardGrid = createGrid<Card>();
  let last: SceneInput | undefined;
  let scene: BuiltScene | undefined;

  const isStale = (blocks: unknown, rowTexts: FreshRowTexts): boolean =>
    entriesOf(blocks).some((block) => isJsonObject(block) && !rowTexts.isFresh(block));
  const layoutFor = (group: JsonObject, { rowTexts }: SceneInput): Layout => {
    const { blocks } = group;
    const known = Array.isArray(blocks) ? layouts.get(blocks) : undefined;
    if (known && known.rowTexts === rowTexts && !isStale(blocks, rowTexts)) return known.layout;
    const layout = layoutOfGroup(idOf(group) ?? "", blocks, rowTexts);
    if (Array.isArray(blocks)) layouts.set(blocks, { layout, rowTexts });
    return layout;
  };
  const put = (card: Card): void => {
    forgetRows(card.id);
    cards.set(card.id, card);
    cardGrid.put(card.id, card.box, card);
    for (const row of card.rows) if (row.kind === "block") rows.set(row.blockId, { card, row });
  };
  const forgetRows = (id: string): void => {
    for (const { blockId } of cards.get(id)?.rows ?? []) if (rows.get(blockId)?.card.id === id) rows.delete(blockId);
  };
  const drop = (id: string): void => {
    forgetRows(id);
    made.delete(id);
    cards.delete(id);
    cardGrid.drop(id);
  };

  return (input) => {
    const { draft, rowTexts, collapsed } = input;
    const areNamesSame =
      last?.rowTexts === rowTexts &&
      last.bots === input.bots &&
      last.draft.variables === draft.variables &&
      last.draft.groups === draft.groups;
    const changed = new Set<string>();
    const present = new Set<string>();
    const take = (thing: JsonObject, make: (isCollapsed: boolean) => Card, isFresh: () => boolean): void => {
      const id = idOf(thing);
      if (id === undefined || present.has(id)) return;
      present.add(id);
      const isCollapsed = collapsed.has(id);
      const known = made.get(id);
      if (known?.thing === thing && known.isCollapsed === isCollapsed && (areNamesSame || isFresh())) return;
      const card = make(isCollapsed);
      made.set(id, { thing, isCollapsed, card });
      put(card);
      changed.add(id);
    };
    for (const event of objectsIn(draft.events))
      take(
        event,
        () => cardOfEvent(event, rowTexts),
        () => last?.rowTexts === rowTexts,
      );
    for (const group of objectsIn(draft.groups))
      take(
        group,
        (isCollapsed) => cardOfGroup(group, layoutFor(group, input), { rowTexts: rowTexts, isCollapsed }),
        () => last?.rowTexts === rowTexts && !isStale(group["blocks"], rowTexts),
      );
    for (const id of [...cards.keys()]) {
      if (present.has(id)) continue;
      drop(id);
      changed.add(id);
    }
    const areEdgesOther = edges.update(draft.edges, changed, last?.draft.edges !== draft.edges);
    if (!scene || changed.size > 0 || areEdgesOther) scene = sceneOf({ cards, rows, edges, cardGrid });
    last = input;
    return scene;
  };
}

type Parts = {
  readonly cards: ReadonlyMap<string, Card>;
  readonly rows: ReadonlyMap<string, { readonly card: Card; readonly row: CardRow }>;
  readonly edges: ReturnType<typeof createEdges>;
  readonly cardGrid: ReturnType<typeof createGrid<Card>>;
};

function sceneOf({ cards, rows, edges, cardGrid }: Parts): BuiltScene {
  let bounds: { readonly box: Box | undefined } | undefined;
  return {
    cards,
    get edges() {
      return edges.all();
    },
    get bounds() {
      bounds ??= { box: unionOf([...cards.values()].map(({ box }) => box)) };
      return bounds.box;
    },
    edgesOf: edges.of,
    edge: edges.get,
    rowOf: (blockId) => rows.get(blockId),
    cardsIn: cardGrid.query,
    edgesIn: edges.within,
  };
}

type Rows = ReadonlyMap<string, { readonly card: Card; readonly row: CardRow }>;

/** Stores the shapes of edges by the keys of their ports, and updates them with the cards at their ends. */
function createEdges(cards: ReadonlyMap<string, Card>, rows: Rows) {
  const shapes = new Map<string, EdgeShape>();
  // The ids of the cards at the ends of each edge, including a target that was removed.
  const ends = new Map<string, readonly string[]>();
  const byCard = new Map<string, Set<string>>();
  const byId = new Map<string, FlowEdge>();
  const grid = createGrid<EdgeShape>();

  const drop = (key: string): void => {
    for (const cardId of ends.get(key) ?? []) byCard.get(cardId)?.delete(key);
    ends.delete(key);
    shapes.delete(key);
    grid.drop(key);
  };
  const note = (key: string, cardIds: readonly string[]): void => {
    ends.set(key, cardIds);
    for (const cardId of cardIds) {
      const keys = byCard.get(cardId);
      if (keys) keys.add(key);
      else byCard.set(cardId, new Set([key]));
    }
  };
  const shape = (card: Card, port: Port): void => {
    const id = port.outlet.edgeId;
    if (id === undefined) {
      drop(port.key);
      return;
    }
    const edge = byId.get(id);
    const made = shapeOf({ id, card, port, edge, cards, rows });
    const known = shapes.get(port.key);
    if (known && isSameShape(known, made)) return;
    drop(port.key);
    shapes.set(port.key, made);
    const target = made.toCardId ?? edge?.to?.groupId;
    note(port.key, typeof target === "string" && target !== card.id ? [card.id, target] : [card.id]);
    grid.put(port.key, made.box, made);
  };

  return {
    /** Updates the shapes. Returns whether an edge may have changed. */
    update(list: readonly FlowEdge[], changed: ReadonlySet<string>, areOther: boolean): boolean {
      if (areOther) {
        byId.clear();
        for (const edge of list) byId.set(edge.id, edge);
      }
      const before = new Set<string>();
      for (const id of areOther ? cards.keys() : changed) for (const key of byCard.get(id) ?? []) before.add(key);
      for (const key of before) {
        const card = cards.get(shapes.get(key)?.port.cardId ?? "");
        const port = card?.ports.find((one) => one.key === key);
        if (card && port) shape(card, port);
        else drop(key);
      }
      for (const id of areOther ? cards.keys() : changed) {
        const card = cards.get(id);
        for (const port of card?.ports ?? []) if (card && !before.has(port.key)) shape(card, port);
      }
      return areOther || before.size > 0;
    },
    all: () => [...shapes.values()],
    get: (key: string) => shapes.get(key),
    of: (cardId: string) =>
      (cards.has(cardId) ? [...(byCard.get(cardId) ?? [])] : []).flatMap((key) => shapes.get(key) ?? []),
    within: grid.query,
  };
}

type Ends = {
  readonly id: string;
  readonly card: Card;
  readonly port: Port;
  readonly edge: FlowEdge | undefined;
  readonly cards: ReadonlyMap<string, Card>;
  readonly rows: Rows;
};

function shapeOf({ id, card, port, edge, cards, rows }: Ends): EdgeShape {
  const from = pointOf(card, port);
  const block = typeof edge?.to?.blockId === "string" ? rows.get(edge.to.blockId) : undefined;
  const target = (typeof edge?.to?.groupId === "string" ? cards.get(edge.to.groupId) : undefined) ?? block?.card;
  if (!target) return { id, port, from, ...ended(stubOf(from)) };
  const isFirst = block?.card.rows[0]?.blockId === block?.row.blockId;
  // An edge to the first block of a group enters at the group's title.
  const row = block?.card === target && !isFirst ? block.row : undefined;
  const to = entryOf(target, row);
  const route = routeOf({ from, to, fromBox: card.box, toBox: target.box });
  return {
    ...{ id, port, from, toCardId: target.id, route, to },
    ...(row && { toBlockId: row.blockId }),
    box: boxOfRoute(route),
  };
}

function ended(route: EdgeShape["route"]): Pick<EdgeShape, "route" | "to" | "box"> {
  return { route, to: route.points.at(-1) ?? { x: 0, y: 0 }, box: boxOfRoute(route) };
}

/** Returns the point at which an edge enters a card: at the title, or at the target row. */
export function entryOf({ box }: Card, row?: CardRow): Point {
  return { x: box.x, y: box.y + (row ? row.y + row.height / 2 : sizes.title / 2) };
}

function isSameShape(one: EdgeShape, other: EdgeShape): boolean {
  return (
    one.id === other.id &&
    one.port.outlet.edgeId === other.port.outlet.edgeId &&
    one.toCardId === other.toCardId &&
    one.toBlockId === other.toBlockId &&
    one.port === other.port &&
    isSamePoints(one.route.points, other.route.points)
  );
}

function isSamePoints(one: readonly Point[], other: readonly Point[]): boolean {
  return one.length === other.length && one.every(({ x, y }, index) => x === other[index]?.x && y === other[index]?.y);
}
