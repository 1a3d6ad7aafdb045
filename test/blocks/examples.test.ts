import { describe, expect, test } from "bun:test";
import { blocks } from "../../src/blocks/index.ts";
import { play } from "./one-block.ts";

for (const [type, { examples }] of blocks) {
  describe(`the examples of "${type}"`, () => {
    test("there is one at least", () => {
      expect(examples.length).toBeGreaterThan(0);
    });

    for (const { title, block, variables, reply, expect: wanted } of examples) {
      test(title, () => {
        const scene = play({ block: { ...block, type }, ...(variables && { variables }) });
        const { asked } = scene;
        const last = reply === undefined ? asked : scene.say(reply);

        if (wanted.input) expect(asked.input).toMatchObject({ ...wanted.input });
        if (wanted.messages) expect([...last.messages]).toMatchObject([...wanted.messages]);
        if (wanted.actions) expect([...last.actions]).toMatchObject([...wanted.actions]);
        if (wanted.variables) expect(last.variables).toMatchObject({ ...wanted.variables });
        if (wanted.answer !== undefined) expect(last.answer).toBe(wanted.answer);
        if (wanted.answer === null) expect(last.input).toEqual(asked.input);
      });
    }
  });
}
