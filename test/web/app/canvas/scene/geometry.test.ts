import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Box, Point } from "../../../../../src/web/app/canvas/contract.ts";
import { createWheelReader, type WheelFacts } from "../../../../../src/web/app/canvas/input/wheel.ts";
import { foldTitle } from "../../../../../src/web/app/canvas/painting/painter.ts";
import { fitted, zoomed } from "../../../../../src/web/app/canvas/scene/camera.ts";
import { createGrid, toCells } from "../../../../../src/web/app/canvas/scene/cells.ts";
import {
  layoutOfGroup,
  overlaps,
  type RowTexts,
  sizeStyle,
  sizes,
} from "../../../../../src/web/app/canvas/scene/geometry.ts";
import { boxOfRoute, distanceTo, pathOf, piecesOf, routeOf } from "../../../../../src/web/app/canvas/scene/routing.ts";
import { snap } from "../../../../../src/web/app/canvas/scene/snapping.ts";
import { textWidth } from "../../../../../src/web/app/canvas/scene/text-width.ts";

const place = fc.integer({ min: -3_000, max: 3_000 });
const point: fc.Arbitrary<Point> = fc.record({ x: place, y: place });
const box: fc.Arbitrary<Box> = fc.record({
  x: place,
  y: place,
  width: fc.integer({ min: 1, max: 2_000 }),
  height: fc.integer({ min: 1, max: 2_000 }),
});
const saying: RowTexts = {
  block: ({ says }) => ({ text: String(says ?? "Hi"), icon: "hash" }),
  item: () => ({ text: "An item" }),
  event: () => "Start",
  otherwise: "Otherwise",
  way: (_, name) => ({ text: name, icon: "clock" }),
  untitled: "Untitled",
};

describe("a card", () => {
  test("a card's style sheet uses exactly the size variables that the code defines", async () => {
    const css = await Bun.file("src/web/app/canvas/canvas.css").text();
    const named = new Set(css.match(/--card-[\w-]+/g));

    expect([...named].toSorted()).toEqual(Object.keys(sizeStyle).toSorted());
    expect(sizeStyle).toMatchObject({ "--card-title": `${sizes.title}px`, "--card-row2": `${sizes.row[1]}px` });
  });

  test("a card is as high as its title, rows and foot together", () => {
    const long = "words that are many, ".repeat(6);
    const { rows, height } = layoutOfGroup(
      "g",
      [
        { id: "a", says: "Hi" },
        { id: "b", says: long },
      ],
      saying,
    );

    expect(rows.map(({ blockId, y, height, lines }) => [blockId, y, height, lines])).toEqual([
      ["a", 40, 32, 1],
      ["b", 72, 48, 2],
    ]);
    expect(height).toBe(72 + 48 + sizes.foot);
  });

  test("a card has a port at each item and each failure", () => {
    const asked = { id: "b", items: [{ id: "i1", outgoingEdgeId: "e" }, { id: "i2" }], options: { failure: {} } };
    const { rows } = layoutOfGroup("g", [{ id: "a" }, asked], saying);

    expect(rows.map(({ kind, port }) => [kind, port?.outlet.kind, port?.isQuiet ?? false])).toEqual([
      ["block", "own", true],
      ["block", undefined, false],
      ["item", "item", false],
      ["item", "item", false],
      ["way", "failure", false],
      ["otherwise", "own", false],
    ]);
    for (const { y, height, port } of rows) if (port) expect([port.x, port.y]).toEqual([sizes.card, y + height / 2]);
  });

  test("a card has a row with a port for each button of a cards block", () => {
    const cards = {
      id: "b",
      items: [
        {
          id: "i1",
          paths: [
            { id: "p1", text: "Buy" },
            { id: "p2", text: "Ask" },
          ],
        },
      ],
    };
    const buttons = layoutOfGroup("g", [cards], saying).rows.filter(({ kind }) => kind === "button");
    const jump = layoutOfGroup("g", [{ id: "j", type: "Jump", options: { groupId: "x" } }], saying);

    expect(buttons.map(({ text, port }) => [text, port?.outlet.pathId])).toEqual([
      ["Buy", "p1"],
      ["Ask", "p2"],
    ]);
    expect(jump.ports).toEqual([]);
  });
});

describe("grid cells", () => {
  test("grid cells find the same elements in a box as a full search", () => {
    fc.assert(
      fc.property(fc.array(box, { maxLength: 60 }), fc.array(box, { minLength: 1, maxLength: 8 }), (boxes, wanted) => {
        const grid = createGrid<number>();
        for (const [index, each] of boxes.entries()) grid.put(String(index), each, index);
        const now = boxes.map((each, index) => (index % 3 === 0 ? { ...each, x: each.x + 700 } : each));
        for (const [index, each] of now.entries()) grid.put(String(index), each, index);
        for (let index = 0; index < now.length; index += 5) grid.drop(String(index));

        for (const query of wanted) {
          const plain = now.flatMap((each, index) => (index % 5 !== 0 && overlaps(each, query) ? [index] : []));
          expect(grid.query(query)).toEqual(plain);
        }
      }),
      { numRuns: 120 },
    );
  });

  test("the grid cells of a view cover the view", () => {
    fc.assert(
      fc.property(box, (view) => {
        const cells = toCells(view);
        expect(cells.x).toBeLessThanOrEqual(view.x);
        expect(cells.x + cells.width).toBeGreaterThanOrEqual(view.x + view.width);
        expect(toCells({ ...view, x: cells.x, width: cells.width, y: cells.y, height: cells.height })).toEqual(cells);
      }),
    );
  });
});

describe("the path of an edge", () => {
  const card = (at: Point): Box => ({ ...at, width: sizes.card, height: 160 });
  const ends = fc.record({ a: point, b: point, port: fc.integer({ min: 40, max: 150 }) }).map(({ a, b, port }) => ({
    from: { x: a.x + sizes.card, y: a.y + port },
    to: { x: b.x, y: b.y + 20 },
    fromBox: card(a),
    toBox: card(b),
  }));

  test("the path of an edge lies within its box", () => {
    fc.assert(
      fc.property(ends, (each) => {
        const route = routeOf(each);
        const pieces = piecesOf(route);
        const around = boxOfRoute(route);
        expect(pieces[0]).toEqual(each.from);
        expect(pieces.at(-1)).toEqual(each.to);
        expect(route.points[1]?.x).toBeGreaterThan(each.from.x);
        expect(route.points.at(-2)?.x).toBeLessThan(each.to.x);
        for (const piece of pieces) expect(overlaps({ ...piece, width: 0, height: 0 }, around)).toBe(true);
        expect(pathOf(route, { hasArrow: true })).not.toContain("NaN");
      }),
    );
  });

  test("the distance to the path of an edge agrees with sampled points", () => {
    fc.assert(
      fc.property(ends, point, (each, from) => {
        const route = routeOf(each);
        const pieces = piecesOf(route);
        let nearest = Number.POSITIVE_INFINITY;
        for (const [index, end] of pieces.entries()) {
          const start = pieces[index - 1];
          for (let step = 0; start && step <= 400; step++) {
            const x = start.x + ((end.x - start.x) * step) / 400;
            nearest = Math.min(nearest, Math.hypot(from.x - x, from.y - start.y - ((end.y - start.y) * step) / 400));
          }
        }
        expect(Math.abs(distanceTo(route, from) - nearest)).toBeLessThan(12);
        expect(distanceTo(route, from)).toBeLessThanOrEqual(nearest + 1e-6);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a camera", () => {
  const camera = fc.record({ x: place, y: place, zoom: fc.double({ min: 0.05, max: 2.5, noNaN: true }) });

  test("a camera zooms around the pointer", () => {
    fc.assert(
      fc.property(camera, fc.double({ min: 0.05, max: 2.5, noNaN: true }), point, (state, zoom, at) => {
        const next = zoomed(state, zoom, at);
        expect(next.x + at.x / next.zoom).toBeCloseTo(state.x + at.x / state.zoom, 3);
        expect(next.y + at.y / next.zoom).toBeCloseTo(state.y + at.y / state.zoom, 3);
      }),
    );
  });

  test("a camera shows a box completely and centred, without magnifying small boxes", () => {
    const view = { width: 1_440, height: 850 };
    const { x, y, zoom } = fitted({ x: 100, y: 100, width: 2_000, height: 300 }, view);

    expect([x + view.width / zoom / 2, y + view.height / zoom / 2]).toEqual([1_100, 250]);
    expect(2_000 * zoom).toBeLessThan(view.width);
    expect(fitted({ x: 0, y: 0, width: 100, height: 100 }, view).zoom).toBe(1);
  });
});

describe("a dragged card", () => {
  const other = { x: 400, y: 0, width: 100, height: 100 };

  test("a dragged card snaps to the edge of a nearby card and gets a guide line", () => {
    const { by, lines } = snap(
      { x: 0, y: 300, width: 100, height: 60 },
      { x: 397, y: 3 },
      { others: [other], reach: 6, grid: 8 },
    );

    expect(by.x).toBe(400);
    expect(lines).toEqual([{ axis: "x", at: 400, from: 0, to: 364 }]);
  });

  test("a dragged card without a guide line snaps to the grid", () => {
    fc.assert(
      fc.property(point, (by) => {
        const snapped = snap({ x: 3, y: 5, width: 10, height: 10 }, by, { others: [], reach: 6, grid: 8 });
        expect((snapped.by.x + 3) % 8).toBeCloseTo(0);
        expect(Math.abs(snapped.by.x - by.x)).toBeLessThanOrEqual(4);
        expect(snapped.lines).toEqual([]);
      }),
    );
  });
});

describe("a wheel", () => {
  const turn = (facts: Partial<WheelFacts>): WheelFacts => ({
    ...{ deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, metaKey: false, shiftKey: false },
    ...facts,
  });

  test("a wheel with notches zooms, while a trackpad pans and pinch gestures zoom", () => {
    const read = createWheelReader();

    expect(read(turn({ deltaY: 100 }), 0, "auto").kind).toBe("zoom");
    expect(read(turn({ deltaY: 3.5, deltaX: 1 }), 1_000, "auto")).toEqual({ kind: "pan", x: 1, y: 3.5 });
    // A late flick still counts as part of the same gesture.
    expect(read(turn({ deltaY: 120 }), 1_100, "auto").kind).toBe("pan");
    expect(read(turn({ deltaY: 2, ctrlKey: true }), 3_000, "auto").kind).toBe("zoom");
  });

  test("a wheel performs the configured action, and pans sideways with Shift", () => {
    const read = createWheelReader();

    expect(read(turn({ deltaY: 100 }), 0, "pan")).toEqual({ kind: "pan", x: 0, y: 100 });
    expect(read(turn({ deltaY: 2 }), 1_000, "zoom").kind).toBe("zoom");
    expect(read(turn({ deltaY: 100, shiftKey: true }), 2_000, "auto")).toEqual({ kind: "pan", x: 100, y: 0 });
  });
});

test("a long title is divided into two lines and truncated with an ellipsis", () => {
  const lines = foldTitle("Additional information about everything", { size: 11, width: 70, most: 2 });

  expect(lines).toHaveLength(2);
  expect(lines[1]).toEndWith("…");
  for (const line of lines) expect(textWidth(line, 11)).toBeLessThanOrEqual(80);
});
