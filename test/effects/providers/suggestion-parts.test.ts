import { expect, test } from "bun:test";
import { performSuggestion } from "../../../src/effects/providers/suggestion-parts.ts";

const effect = { kind: "suggestion", blockId: "b", text: "Here", token: "t" } as const;

test("the parts of a chosen suggestion are looked up", async () => {
  const asked: unknown[] = [];
  const known = await performSuggestion(effect, {
    async partsOfSuggestion(chosen) {
      asked.push(chosen);
      return { City: "Paris" };
    },
  });
  const unknown = await performSuggestion(effect, { partsOfSuggestion: async () => undefined });
  const none = await performSuggestion(effect, {});

  expect(asked).toEqual([{ blockId: "b", text: "Here", token: "t" }]);
  expect(known).toEqual({ kind: "suggestion", parts: { City: "Paris" } });
  expect([unknown, none]).toEqual(Array(2).fill({ kind: "suggestion", parts: null }));
});
