import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { builtInNames, readPath, shortcutOf } from "../../../../src/core/interpreter/language/expression-shortcuts.ts";
import type { ScriptRequest } from "../../../../src/core/interpreter/language/script.ts";
import { normalise } from "../../../../src/core/interpreter/language/values.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";

const sandbox = await createSandbox();

type Globals = ScriptRequest["globals"];

function run(source: string, globals: Globals, form: "async" | "sync") {
  const request = {
    offersHostFunctions: form === "async",
    fetched: [],
    now: 0,
    seed: "0".repeat(32),
    maxTicks: 50_000_000,
  };
  const outcome = sandbox({ ...request, source, globals, form });
  if (outcome.kind === "returned") return { kind: outcome.kind, value: outcome.value };
  if (outcome.kind !== "failed") return outcome;
  const { kind, error, line } = outcome;
  return { kind, error, line };
}

/** Returns whether a shortcut exists. If so, expects the sandbox to return the same value. */
function agrees(source: string, globals: Globals): boolean {
  const shortcut = shortcutOf(source, globals);
  if (!shortcut) return false;
  expect(run(source, globals, "async")).toEqual(shortcut);
  expect(run(source, globals, "sync")).toEqual(shortcut);
  return true;
}

describe("a shortcut for an expression", () => {
  const taken: [code: string, globals: Globals][] = [
    ["0", []],
    ["-12.50", []],
    ["100", []],
    ['"text with \u2028 é"', []],
    ["'it is \"quoted\"'", []],
    ["true", []],
    ["undefined", []],
    ["vName", [["vName", "John"]]],
    ["vList", [["vList", ["a", null]]]],
    ["vNothing", [["vNothing", null]]],
    [
      "v1",
      [
        ["v1", 1],
        ["v1", 2],
      ],
    ],
    ["Date", [["Date", "a variable called so"]]],
    ["Promoter", []],
    ["Été", []],
    ["  Hello   ", []],
    ["Hello world", []],
    ["Hello world, welcome (really)", []],
    ["vName is here", [["vName", "John"]]],
    ["of course", []],
  ];

  test.each(taken)("the shortcut's result equals the sandbox's result: %s", (code, globals) => {
    expect(agrees(`return ${code}`, globals)).toBe(true);
  });

  const left: [code: string, globals: Globals][] = [
    ["0123", []],
    ["1e5", []],
    ["a.b", []],
    ["new thing", []],
    ["typeof thing", []],
    ["x in y", []],
    ["x instanceof y", []],
    ["async x", []],
    ["await x", []],
    ["arguments", []],
    ["arguments", [["arguments", 1]]],
    ["Math", []],
    ["Donaudampfschifffahrtsgesellschaft", []],
    ["constructor", []],
    ["toString", []],
    ["fetch", []],
    ["Infinity", []],
    ["this", []],
    ["\nHello", []],
    ["Hello\nworld", []],
    ["Hello wörld\\u0061", []],
    ['"a\\n"', []],
    ['"a" + "b"', []],
    ["vData", [["vData", { a: 1 }]]],
    ["vLong", [["vLong", "x".repeat(200_000)]]],
    ["vMinus", [["vMinus", -0]]],
  ];

  test.each(left)("the expression %p has no shortcut", (code, globals) => {
    expect(shortcutOf(`return ${code}`, globals)).toBeUndefined();
  });

  test("the shortcut's result equals the sandbox's result for random expressions", () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...builtInNames,
        "in",
        "of",
        "new",
        "async",
        "await",
        "let",
        "static",
        "enum",
        "yield",
        "instanceof",
        "null",
        "this",
      ),
      fc.stringMatching(/^[A-Za-zÀ-ɏ_$0-9]{1,8}$/),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    const part = fc.oneof(
      { arbitrary: word, weight: 4 },
      {
        arbitrary: fc.constantFrom(
          "vA",
          "vB",
          "vList",
          " ",
          "  ",
          "\n",
          ",",
          ".",
          "!",
          "'",
          '"',
          "+",
          "-",
          "0",
          "5",
          "(",
          "{",
          "//",
          "=>",
          "return ",
        ),
        weight: 5,
      },
    );
    const globals: Globals = [
      ["vA", "text"],
      ["vB", 5.5],
      ["vList", ["a", null]],
    ];
    let shortcuts = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        if (agrees(`return ${parts.join("")}`, globals)) shortcuts++;
      }),
      { numRuns: 5_000 },
    );
    // About one in twenty expressions has a shortcut.
    expect(shortcuts).toBeGreaterThan(100);
  }, 30_000);

  test("the shortcut's result equals the sandbox's result for random values", () => {
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
      fc.array(fc.option(fc.string({ unit: "binary" }), { nil: null })),
    );
    fc.assert(
      fc.property(value, (held) => {
        agrees("return held", [["held", held]]);
      }),
      { numRuns: 500 },
    );
  });
});

test("the list of names that scripts can access equals the names in the sandbox", () => {
  const source =
    "return [...Object.getOwnPropertyNames(globalThis), ...Object.getOwnPropertyNames(Object.prototype)].sort()";
  const outcome = run(source, [], "async");
  expect(outcome).toEqual({ kind: "returned", value: [...builtInNames].sort() });
});

describe("a path into a response", () => {
  const data = JSON.parse(
    '{"a":{"b":[{"c":"deep"},5,null,true,-0,"x"]},"a b":"spaced","__proto__":{"own":1},"toString":"own","length":3,"n":-0}',
  );
  const globals: Globals = [
    ["statusCode", 200],
    ["data", data],
  ];
  const found: string[] = [
    "data.a.b[0].c",
    "data.a.b[1]",
    "data.a.b[2]",
    "data.a.b[9]",
    'data["a b"]',
    "data.nope",
    "data.__proto__.own",
    "data.toString",
    "data.length",
    "data.a.b.length",
    "statusCode",
    "  data.a.b[3]  ",
  ];

  test.each(found)("the result of the path equals the result of the sandbox: %s", (path) => {
    const shortcut = readPath(`return ${path}`, globals);
    expect(shortcut?.kind).toBe("returned");
    expect(run(`return ${path}`, globals, "sync")).toEqual(shortcut ?? expect.anything());
  });

  const left = [
    "data",
    "data.a",
    "data.a.b",
    "data.nope.more",
    "data.constructor",
    "data.a.hasOwnProperty",
    "data.a.b.map",
    "data.a.b[0].c.length",
    "data.n",
    "data.a.b[4]",
    "other.a",
    "data.a.b[0].c + 1",
    "data[statusCode]",
    "data..a",
    "data.a b",
    "data?.a",
    "data.a.b[01]",
  ];

  test.each(left)("the path %s has no shortcut", (path) => {
    expect(readPath(`return ${path}`, globals)).toBeUndefined();
  });

  test("the result of a shortcut for a random path equals the result of the sandbox", () => {
    const key = fc.constantFrom("a", "b", "length", "constructor", "__proto__", "0", "1", "then", "x y");
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    const step = fc.oneof(
      fc.constantFrom(
        ".a",
        ".b",
        ".length",
        ".constructor",
        ".__proto__",
        ".then",
        "[0]",
        "[1]",
        '["x y"]',
        '["a"]',
        '["0"]',
      ),
    );
    let paths = 0;
    fc.assert(
      fc.property(tree, fc.array(step, { minLength: 1, maxLength: 4 }), (response, steps) => {
        const source = `return data${steps.join("")}`;
        const shortcut = readPath(source, [["data", response]]);
        if (!shortcut) return;
        paths++;
        const outcome = run(source, [["data", response]], "sync");
        expect(outcome.kind).toBe(shortcut.kind);
        const keptOf = (held: object) => normalise(Reflect.get(held, "value"));
        expect(keptOf(outcome)).toEqual(keptOf(shortcut));
      }),
      { numRuns: 2_000 },
    );
    expect(paths).toBeGreaterThan(100);
  }, 30_000);
});
