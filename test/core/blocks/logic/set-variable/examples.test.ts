import { describe, expect, test } from "bun:test";
import { blocks } from "../../../../../src/core/blocks/index.ts";
import { expectExample } from "../../one-block.ts";

for (const [type, { examples }] of blocks) {
  describe(`the examples of "${type}"`, () => {
    test("the list of examples is not empty", () => {
      expect(examples.length).toBeGreaterThan(0);
    });

    for (const example of examples) {
      test(example.title, () => expectExample(type, example));
    }
  });
}
