import { expect, test } from "bun:test";
import fc from "fast-check";
import { isId } from "../../src/platform/ids.ts";
import { newId } from "../../src/web/app/editor/ids.ts";
import { idOf, withBuilderIds } from "./builder-ids.ts";
import { storedFlows } from "./flows-arbitrary.ts";

test("ids in tests have the builder's format, and begin with a digit", () => {
  for (const id of [newId(), idOf("a"), idOf("Name")]) {
    expect(isId(id)).toBe(true);
    expect(id).toMatch(/^\d/);
  }
  expect(idOf("a")).not.toBe(idOf("b"));
});

test("variables of generated flows have ids in the builder's format", () => {
  fc.assert(
    fc.property(storedFlows(), ({ variables }) => {
      expect(variables.filter(({ id }) => !isId(id))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test("a document with builder ids can be mapped back to its original ids", () => {
  const document = { variables: [{ id: 'v "1"', name: "A" }], options: { variableId: 'v "1"', text: 'v "1"' } };
  const { document: renamed, original } = withBuilderIds(document);

  expect(renamed.variables[0]?.id).toBe(idOf('v "1"'));
  expect(renamed.options).toEqual({ variableId: idOf('v "1"'), text: 'v "1"' });
  expect(original(renamed)).toEqual(document);
  expect(original([`$_${idOf('v "1"')} + 1`])).toEqual(['v "1" + 1']);
});
