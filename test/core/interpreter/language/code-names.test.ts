import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { codeNameOf, codeNamesOf, reservedWords } from "../../../../src/core/interpreter/language/code-names.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { createVariables } from "../../../../src/core/interpreter/program/variables.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";
import { idShapes } from "../../../support/code-ids.ts";

const sandbox = await createSandbox();
const nobodys = () => false;
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Texts similar to variable names, and to the names that other variables have in code. */
const ids = fc.oneof(
  fc.string({ unit: fc.constantFrom("$", "_", "1", "a", "5", "f", "-", " ", "é", "\u2028"), maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 5 }),
  fc.constantFrom(...reservedWords, "__proto__", "constructor", "prototype", "NaN", "Infinity", "globalThis", "", "7"),
  fc.constantFrom(...idShapes.flatMap(([, shape]) => shape)),
);
const flows = fc.uniqueArray(
  fc.oneof(
    ids,
    ids.map((id) => codeNameOf(id, nobodys)),
  ),
  { minLength: 1, maxLength: 12 },
);

describe("the name of a variable in code", () => {
  test("the name of a variable in code is its id if the id is a valid identifier", () => {
    const usable = ["vScore", "clx0abc", "$", "_", "größe", "日本", "of", "async", "constructor", "Math", "a\u200db"];
    expect(usable.map((id) => codeNameOf(id, nobodys))).toEqual(usable);
  });

  test("an id that is not an identifier gets a derived name in code", () => {
    const written = ["01ky3m", "7", "", "a-b", "a_b c", "class", "__proto__"].map((id) => codeNameOf(id, nobodys));
    expect(written).toEqual([
      "$_01ky3m",
      "$_7",
      "$_",
      "$_a_2d_b",
      "$_a_5f_b_20_c",
      "$_class",
      "$__5f__5f_proto_5f__5f_",
    ]);
  });

  test("a variable's name in code differs from the ids of the flow", () => {
    const known = new Map(["1a", "$_1a", "$$_1a", "2"].map((id) => [id, true]));
    expect([...codeNamesOf(known)]).toEqual([
      ["1a", "$$$_1a"],
      ["2", "$_2"],
    ]);
  });

  test("a variable's name in code differs from the ids of a linked flow", () => {
    const flow = { groups: [], edges: [], variables: [{ id: "1a", name: "Score" }] };
    const variables = createVariables(compile("program", "bot", flow, new Map()), []);
    const before = variables.codeName("1a");
    variables.add({ id: "$_1a", name: "Added", value: "1" });

    expect([before, variables.codeName("1a"), variables.codeName("$_1a")]).toEqual(["$_1a", "$$_1a", "$_1a"]);
  });

  test("a variable's name in code is unique in the flow", () => {
    fc.assert(
      fc.property(flows, (all) => {
        const names = codeNamesOf(new Map(all.map((id) => [id, true])));
        const used = all.map((id) => names.get(id) ?? id);
        expect(new Set(used).size).toBe(all.length);
        for (const name of used) expect(name).toMatch(identifier);
        const outcome = sandbox({
          ...{ source: `return [${used.join(",")}]`, form: "async", offersHostFunctions: true, fetched: [] },
          ...{ globals: used.map((name, index) => [name, index]), now: 0, seed: "0".repeat(32), maxTicks: 10_000_000 },
        });
        expect(outcome).toMatchObject({ kind: "returned", value: used.map((_, index) => index) });
        // Clients use the names as parameters, also in strict mode.
        const run = new Function(...used, `"use strict"; return [${used.join(",")}]`);
        expect(run(...used.keys())).toEqual([...used.keys()]);
      }),
      { numRuns: 300 },
    );
  });
});
