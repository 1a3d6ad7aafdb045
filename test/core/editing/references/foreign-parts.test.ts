import { expect, test } from "bun:test";
import fc from "fast-check";
import { readForeignParts, textAsBlock } from "../../../../src/core/editing/references/foreign-parts.ts";
import { templates } from "../../../../src/core/templates/index.ts";

const block = { id: "b", type: "text", content: {} };
const group = { id: "g", title: "G", blocks: [block] };

test("flows, groups, blocks and responses with a flow are read as parts of a flow", () => {
  const sizes = (value: unknown) => {
    const clip = readForeignParts(JSON.stringify(value));
    return clip && [clip.groups.length, clip.blocks.length, clip.edges.length, clip.variables.length];
  };
  const [lead] = templates;
  expect(sizes(lead)).toEqual([lead?.groups.length ?? 0, 0, lead?.edges.length ?? 0, lead?.variables.length ?? 0]);
  expect(sizes({ typebot: lead })).toEqual(sizes(lead));
  expect(sizes(group)).toEqual([1, 0, 0, 0]);
  expect(sizes([group, 1, null])).toEqual([1, 0, 0, 0]);
  expect(sizes(block)).toEqual([0, 1, 0, 0]);
  expect(sizes([block, { ...block, id: "c" }])).toEqual([0, 2, 0, 0]);
});

test("a text that contains no part of a flow is refused without an exception", () => {
  for (const text of ["", "null", "7", '"x"', "[]", "{}", '{"groups":7}', '{"groups":[{"id":1}]}', "<p>Hello</p>", "{"])
    expect(readForeignParts(text)).toBeUndefined();
  expect(readForeignParts('{"id":"x","type":"invoice"}')).toBeUndefined();
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const clip = readForeignParts(text);
      return clip === undefined || clip.groups.length + clip.blocks.length > 0;
    }),
  );
});

test("a text becomes a bubble with a paragraph per line", () => {
  expect(textAsBlock("One\r\n\r\nTwo ")?.blocks).toEqual([
    {
      id: "pasted",
      type: "text",
      content: { richText: ["One", "", "Two"].map((text) => ({ type: "p", children: [{ text }] })) },
    },
  ]);
});
