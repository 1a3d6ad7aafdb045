import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { objectsIn } from "../../../../src/core/editing/changes/things.ts";
import { linksOf } from "../../../../src/core/editing/references/reach.ts";
import { walkOf } from "../../../../src/core/editing/references/walk.ts";
import { type Arrangement, layOut } from "../../../../src/web/app/canvas-acts/tidy/layout.ts";
import { type Box, holds, overlaps } from "../../../../src/web/app/editor/commands/arrange.ts";
import type { Placed } from "../../../../src/web/app/editor/commands/places.ts";
import { asDraft } from "../../../../src/web/app/editor/working-copy/replica.ts";

const folder = join(import.meta.dir, "..", "..", "..", "flows");

function laid(arrangement: Arrangement): readonly Box[] {
  const places = new Map(layOut(arrangement).map((place: Placed) => [place.id, place]));
  expect(places.size).toBe(arrangement.boxes.length);
  return arrangement.boxes.map((box) => ({ ...box, ...places.get(box.id) }));
}

/** Returns pairs of overlapping boxes, except pairs in which one box is inside the other. */
function onOneAnother(boxes: readonly Box[]): string[] {
  return boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => overlaps(one, other) && !isInside(one, other) && !isInside(other, one))
      .map((other) => `${one.id} on ${other.id}`),
  );
}

/** Returns pairs of connected boxes that neither share a left side nor are beside each other. */
function betweenColumns(boxes: readonly Box[], links: Arrangement["links"]): string[] {
  const parts = new Map(boxes.map(({ id }) => [id, new Set([id])]));
  for (const { from, to } of links) {
    const [part, other] = [parts.get(from), parts.get(to)];
    if (!part || !other) continue;
    for (const id of other) parts.set(id, part.add(id));
  }
  return boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(({ id }) => parts.get(id) === parts.get(one.id))
      .filter(({ x, width }) => x !== one.x && x < one.x + one.width && one.x < x + width)
      .map((other) => `${one.id} and ${other.id}`),
  );
}

function isInside(frame: Box, { x, y, width, height }: Box): boolean {
  if (frame.kind !== "frame") return false;
  const { x: left, y: top } = frame;
  return x >= left && y >= top && x + width <= left + frame.width && y + height <= top + frame.height;
}

function boxesOf(text: string): Arrangement {
  const draft = asDraft(JSON.parse(text));
  const { beginnings, unreachable } = walkOf(draft);
  const groups = new Map(objectsIn(draft.groups).map((group) => [group["id"], group]));
  const boxes = [...beginnings.flatMap(({ eventId, groupIds }) => [eventId, ...groupIds]), ...unreachable].map(
    (id, index): Box => {
      const group = groups.get(id);
      const rows = objectsIn(group?.["blocks"]).reduce((sum, block) => sum + 1 + objectsIn(block["items"]).length, 0);
      const size = group ? { width: 272, height: 48 + rows * 36 } : { width: 136, height: 40 };
      return { kind: group ? "group" : "event", id, x: index * 7, y: -index * 3, ...size };
    },
  );
  return { boxes, links: linksOf(draft), fixed: [] };
}

test.each(readdirSync(folder))(
  "the flow %s is laid out in columns, with mostly forward edges and no overlaps",
  (name) => {
    const arrangement = boxesOf(readFileSync(join(folder, name), "utf8"));
    const boxes = laid(arrangement);
    expect(onOneAnother(boxes)).toEqual([]);
    expect(boxes[0]).toMatchObject({ x: 0, y: 0 });
    const byId = new Map(boxes.map((box) => [box.id, box]));
    expect(betweenColumns(boxes, arrangement.links)).toEqual([]);
    const ways = arrangement.links.map(({ from, to }) => (byId.get(to)?.x ?? 0) - (byId.get(from)?.x ?? 0));
    expect(ways.filter((way) => way > 0).length).toBeGreaterThan(ways.length * 0.6);
    // At least half of the connected cards have a successor in their row.
    const rows = [...Map.groupBy(arrangement.links, ({ from }) => from)].map(([from, links]) =>
      links.some(({ to }) => byId.get(from)?.y === byId.get(to)?.y),
    );
    expect(rows.filter(Boolean).length * 2).toBeGreaterThanOrEqual(rows.length);
    // Laying out a finished layout moves nothing.
    expect(laid({ ...arrangement, boxes })).toEqual(boxes);
  },
);

test("a layout has no overlapping elements", () => {
  const side = fc.integer({ min: 40, max: 600 });
  const place = fc.integer({ min: -2_000, max: 2_000 });
  const box = fc.record({ x: place, y: place, width: side, height: side });
  const thing = fc.record({ kind: fc.constantFrom("group", "group", "group", "event", "note", "frame"), box });
  const made = fc.record({
    things: fc.array(thing, { minLength: 1, maxLength: 25 }),
    links: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 40 }),
    fixed: fc.array(box, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(made, ({ things, links, fixed }) => {
      const boxes = things.map(({ kind, box: at }, index): Box => ({ kind, id: `t${index}`, ...at }));
      const cards = boxes.filter(({ kind }) => kind === "group" || kind === "event");
      const id = (index: number) => cards[index % Math.max(1, cards.length)]?.id ?? "none";
      const after = laid({ boxes, links: links.map(([a, b]) => ({ from: id(a), to: id(b) })), fixed });
      expect(onOneAnother(after)).toEqual([]);
      for (const one of after) for (const other of fixed) expect(overlaps(one, other)).toBe(false);
      const frames = boxes.filter(({ kind }) => kind === "frame");
      const byId = new Map(after.map((one) => [one.id, one]));
      for (const card of cards) {
        const smallest = frames
          .filter((frame) => holds(frame, card) && frame.width * frame.height > card.width * card.height)
          .sort((a, b) => a.width * a.height - b.width * b.height)[0];
        const [frame, moved] = [byId.get(smallest?.id ?? ""), byId.get(card.id)];
        if (frame && moved) expect(isInside(frame, moved)).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
});

test("two hundred cards are laid out without overlaps within 30 seconds", () => {
  const boxes = Array.from(
    { length: 200 },
    (_, index): Box => ({
      kind: "group",
      id: `g${index}`,
      x: 0,
      y: 0,
      width: 272,
      height: 100 + (index % 7) * 40,
    }),
  );
  const links = boxes.flatMap((_, index) =>
    [index * 2 + 1, index * 2 + 2, (index * 7) % 200]
      .filter((to) => to < 200 && to > index)
      .map((to) => ({ from: `g${index}`, to: `g${to}` })),
  );
  expect(onOneAnother(laid({ boxes, links, fixed: [] }))).toEqual([]);
}, 30_000);
