import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { blocks } from "../../../src/core/blocks/index.ts";
import { blockDocs, optionRows } from "../../support/block-docs.ts";

test("src/core/blocks/README.md matches the definitions of the blocks", async () => {
  const written = await Bun.file(join(import.meta.dir, "../../../src/core/blocks/README.md")).text();
  expect(written).toBe(blockDocs());
});

describe.each([...blocks.values()].map((block) => [block.type, block] as const))("%s", (_type, block) => {
  test("a block type has documentation for its purpose and for each option", () => {
    expect(block.summary).toMatch(/^[A-Z].*\.$/s);
    expect(optionRows(block).filter(({ description }) => !/^\S.*\.$/.test(description))).toEqual([]);
  });
});
