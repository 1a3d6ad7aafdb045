import { expect, test } from "bun:test";
import fc from "fast-check";
import type { DraftDocument } from "../../../../../src/core/editing/changes/change.ts";
import { eachOutlet } from "../../../../../src/core/editing/references/outlets.ts";
import type { Card, EdgeShape } from "../../../../../src/web/app/canvas/contract.ts";
import { isWithin, pointOf } from "../../../../../src/web/app/canvas/scene/geometry.ts";
import { cardsAfter, type Hittable, hitAt, nextCard, reachOf } from "../../../../../src/web/app/canvas/scene/hit.ts";
import { distanceTo } from "../../../../../src/web/app/canvas/scene/routing.ts";
import { createRowTexts, type FreshRowTexts } from "../../../../../src/web/app/canvas/scene/row-texts.ts";
import { type BuiltScene, createSceneBuilder, entryOf } from "../../../../../src/web/app/canvas/scene/scene.ts";
import { storedFlows } from "../../../../support/flows-arbitrary.ts";

const words = {
  otherwise: "Otherwise",
  ways: {
    failure: "On failure",
    after: ({ time }: { time: string | number }) => `After ${time}`,
    noTime: "After no time",
  },
  untitled: "Untitled",
  unknownType: "?",
  events: {},
  item: String,
};
const sayingsOf = (draft: () => DraftDocument): FreshRowTexts =>
  createRowTexts({
    types: undefined,
    words,
    variable: (id) => draft().variables.find((one) => one.id === id)?.name,
    group: () => undefined,
    bot: () => undefined,
  });
const nothing: ReadonlySet<string> = new Set();

/** Generates a flow with scattered groups, and flows with the same positions and some changed groups. */
const edited = fc.tuple(storedFlows(), fc.infiniteStream(fc.integer({ min: 0, max: 999 }))).map(([flow, numbers]) => {
  const next = (most: number): number => (numbers.next().value ?? 0) % most;
  const placed = <Thing extends object>(things: readonly Thing[]) =>
    things.map((thing) => ({ ...thing, graphCoordinates: { x: next(999) * 2 - 500, y: next(999) - 300 } }));
  const first: DraftDocument = { ...flow, groups: placed(flow.groups), events: placed(flow.events ?? []) };
  const drafts = [first];
  for (let step = 0; step < 5; step++) {
    const now = drafts.at(-1) ?? first;
    const at = next(Math.max(1, now.groups.length));
    const groups = now.groups.flatMap((group, index) => {
      if (index !== at) return [group];
      if (step % 5 === 3) return [];
      if (step % 5 === 1) return [{ ...group, blocks: group.blocks?.slice(1) }];
      return [{ ...group, graphCoordinates: { x: next(900), y: next(900) } }];
    });
    const edges = step % 3 === 2 ? now.edges.slice(1) : now.edges;
    drafts.push({ ...now, groups, edges });
  }
  // Finally all groups return, as after an undo.
  drafts.push(first);
  return drafts;
});

test("a scene that follows edits equals a scene built from the last draft", () => {
  fc.assert(
    fc.property(edited, (drafts) => {
      let now: DraftDocument | undefined;
      const rowTexts = sayingsOf(() => now ?? { groups: [], edges: [], variables: [] });
      const build = createSceneBuilder();
      for (const draft of drafts) {
        now = draft;
        const followed = build({ draft, rowTexts, collapsed: nothing });
        const anew = createSceneBuilder()({ draft, rowTexts, collapsed: nothing });
        expect(told(followed)).toEqual(told(anew));
      }
    }),
    { numRuns: 60 },
  );
});

test("every edge of a scene ends at the entry of its target", () => {
  fc.assert(
    fc.property(edited, ([draft]) => {
      if (!draft) return;
      const scene = createSceneBuilder()({ draft, rowTexts: sayingsOf(() => draft), collapsed: nothing });
      const drawn = scene.edges.map(({ id }) => id).toSorted();
      const led = [...eachOutlet(draft)].flatMap(({ edgeId }) => edgeId ?? []).toSorted();
      // Items of a block with duplicate ids have no separate port on the card.
      expect(led).toEqual(expect.arrayContaining(drawn));
      for (const edge of scene.edges) {
        const card = scene.cards.get(edge.toCardId ?? "");
        if (!card) continue;
        const row = edge.toBlockId === undefined ? undefined : scene.rowOf(edge.toBlockId)?.row;
        expect(edge.to).toEqual(entryOf(card, row));
      }
    }),
    { numRuns: 60 },
  );
});

test("the element under a pointer equals the result of a full search", () => {
  const at = fc.record({ x: fc.integer({ min: -600, max: 1_800 }), y: fc.integer({ min: -400, max: 900 }) });
  const zoom = fc.constantFrom(0.4, 1, 2);
  fc.assert(
    fc.property(edited, fc.array(at, { minLength: 10, maxLength: 30 }), zoom, ([draft], points, zoom) => {
      if (!draft) return;
      const scene = createSceneBuilder()({ draft, rowTexts: sayingsOf(() => draft), collapsed: nothing });
      const everything: Hittable = { cardsIn: () => [...scene.cards.values()], edgesIn: () => scene.edges };
      for (const point of points) {
        const hit = hitAt(scene, point, { zoom, raised: nothing });
        expect(hit).toEqual(hitAt(everything, point, { zoom, raised: nothing }));
        expect(hit.kind === "ground" ? "ground" : "id" in hit && hit.id).toEqual(plainHit(scene, point, zoom));
      }
    }),
    { numRuns: 40 },
  );
});

test("the next card in a direction is the card with the nearest edge", () => {
  const card = (id: string, x: number, y: number, height = 100): Card => ({
    ...{ id, kind: "group", title: id, rows: [], ports: [] },
    box: { x, y, width: 272, height },
  });
  const from = card("from", 0, 0);
  // The middle of the tall card is far below, but its top is next to `from`.
  const tall = card("tall", 320, 0, 2_000);
  const cards = [from, tall, card("below", 0, 300), card("askew", 300, -400), card("left", -400, 20)];

  expect(nextCard(cards, from, "right")?.id).toBe("tall");
  expect(nextCard(cards, from, "down")?.id).toBe("below");
  expect(nextCard(cards, from, "left")?.id).toBe("left");
  expect(nextCard(cards, from, "up")?.id).toBe("askew");
});

test("the cards after a card are all reachable cards, even in a loop", () => {
  const port = { key: "p", outlet: { target: { of: "block" }, path: [], from: {}, kind: "own" }, x: 0, y: 0 } as const;
  const leads: Readonly<Record<string, readonly string[]>> = { a: ["b", "c"], b: ["d"], d: ["a"], x: ["a"] };
  const edge = (from: string, to: string): EdgeShape => ({
    ...{ id: `${from}${to}`, port: { ...port, cardId: from }, from: { x: 0, y: 0 }, to: { x: 0, y: 0 }, toCardId: to },
    route: { kind: "lanes", points: [] },
    box: { x: 0, y: 0, width: 0, height: 0 },
  });
  const edgesOf = (id: string) => (leads[id] ?? []).map((to) => edge(id, to));

  expect([...cardsAfter({ edgesOf }, "b")].toSorted()).toEqual(["a", "b", "c", "d"]);
});

function told(scene: BuiltScene) {
  const edges = scene.edges.map(({ port, ...edge }) => ({ ...edge, port: port.key }));
  return {
    cards: Object.fromEntries([...scene.cards].map(([id, { box, rows }]) => [id, { box, rows: rows.length }])),
    edges: edges.toSorted((a, b) => (a.port < b.port ? -1 : 1)),
    around: [...scene.cards.keys()]
      .map((id) => [
        id,
        scene
          .edgesOf(id)
          .map(({ port }) => port.key)
          .toSorted(),
      ])
      .toSorted(),
    bounds: scene.bounds,
  };
}

/**
 * Returns the id of the element at a point. This reference implementation searches all cards from the top, and then all
 * edges.
 */
function plainHit(scene: BuiltScene, point: { x: number; y: number }, zoom: number): string {
  for (const card of [...scene.cards.values()].reverse()) {
    const isAtPort = card.ports.some((port) => {
      const { x, y } = pointOf(card, port);
      return Math.hypot(point.x - x, point.y - y) < reachOf("port", zoom);
    });
    if (isAtPort || isWithin(point, card.box)) return card.id;
  }
  const distances = scene.edges.map((edge) => ({ id: edge.id, away: distanceTo(edge.route, point) }));
  const near = distances.filter(({ away }) => away <= reachOf("edge", zoom));
  const least = Math.min(...near.map(({ away }) => away));
  return near.findLast(({ away }) => away === least)?.id ?? "ground";
}
