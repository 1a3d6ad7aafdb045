import { expect, test } from "bun:test";
import { blocks } from "../../../src/core/blocks/index.ts";
import { pictureBounds, pictureOf } from "../../../src/core/editing/flow-picture.ts";
import { editorFamilies, familyOfLetter } from "../../../src/core/interpreter/schemas/editor-families.ts";
import { templates } from "../../../src/core/templates/index.ts";

const familyOf = (type: string) => (type.endsWith("input") ? "asks" : blocks.has(type) ? "says" : undefined);

/** Returns a flow with groups in a diagonal row, each connected to all groups. */
function wideFlow({ groups, blocks: perGroup }: { groups: number; blocks: number }) {
  const ids = Array.from({ length: groups }, (_, index) => `g${index}`);
  const pairs = ids.flatMap((from) => ids.map((to) => ({ from, to })));
  return {
    events: [],
    groups: ids.map((id, index) => ({
      id,
      graphCoordinates: { x: index * 1_000_000, y: -index * 1_000_000 },
      blocks: [
        ...Array.from({ length: perGroup }, (_, at) => ({ id: `${id}-${at}`, type: "text" })),
        {
          id: `${id}-choice`,
          type: "choice input",
          items: ids.map((to) => ({ id: `${id}-${to}`, outgoingEdgeId: `${id}-${to}` })),
        },
      ],
    })),
    edges: pairs.map(({ from, to }) => ({
      id: `${from}-${to}`,
      from: { blockId: `${from}-choice`, itemId: `${from}-${to}` },
      to: { groupId: to },
    })),
  };
}

test("the picture of a flow has its groups, edges and a letter per block", () => {
  const flow = {
    events: [{ id: "start", type: "start", outgoingEdgeId: "e0" }],
    groups: [
      { id: "last", graphCoordinates: { x: 500, y: 300 }, blocks: [{ id: "c", type: "not served" }] },
      {
        id: "first",
        graphCoordinates: { x: 100, y: 100 },
        blocks: [
          { id: "a", type: "text" },
          { id: "b", type: "text input", outgoingEdgeId: "e1" },
        ],
      },
    ],
    edges: [
      { id: "e0", from: { eventId: "start" }, to: { groupId: "first" } },
      { id: "e1", from: { blockId: "b" }, to: { groupId: "last" } },
    ],
  };

  expect(pictureOf(flow, familyOf)).toEqual({
    groups: [
      { x: 0, y: 0, blocks: "sa" },
      { x: 200, y: 100, blocks: "-" },
    ],
    edges: [[0, 1]],
  });
});

test("the picture of a huge flow is limited in size", () => {
  const picture = pictureOf(wideFlow({ groups: 60, blocks: 30 }), familyOf);

  expect(picture.groups).toHaveLength(pictureBounds.groups);
  expect(picture.edges).toHaveLength(pictureBounds.edges);
  expect(Math.max(...picture.groups.map(({ x }) => x))).toBe(pictureBounds.coordinate);
  expect(JSON.stringify(picture).length).toBeLessThanOrEqual(pictureBounds.bytes);
});

test("an empty flow and a flow with broken parts have pictures", () => {
  expect(pictureOf({ events: null, groups: [], edges: [] }, familyOf)).toEqual({ groups: [], edges: [] });
  const broken = JSON.parse('[{"id":"g"},{"id":"h","graphCoordinates":{"x":"far"},"blocks":[{"type":7}]}]');
  expect(pictureOf({ events: null, groups: broken, edges: [] }, familyOf).groups).toEqual([
    { x: 0, y: 0, blocks: "" },
    { x: 0, y: 0, blocks: "-" },
  ]);
});

test("each letter of a picture represents one block family", () => {
  expect(editorFamilies.map((family) => familyOfLetter(family.charAt(0)))).toEqual([...editorFamilies]);
  expect(familyOfLetter("-")).toBeUndefined();
});

test.each(templates.map((template) => [template.id, template] as const))(
  "the template %s has a picture",
  (_id, flow) => {
    const { groups, edges } = pictureOf(flow, familyOf);

    expect(groups.length).toBe(Math.min(flow.groups.length, pictureBounds.groups));
    expect(edges.length).toBeGreaterThan(0);
  },
);
