import { describe, expect, test } from "bun:test";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { errorOf, resultOf, runnerOf } from "./scripts.ts";

const run = runnerOf(await createSandbox());

describe("the copy of a script's result", () => {
  const copies: [source: string, value: unknown][] = [
    ["'text'", "text"],
    ["''", ""],
    ["5.5", 5.5],
    ["-0", -0],
    ["NaN", Number.NaN],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["1e21", 1e21],
    ["5e-324", 5e-324],
    ["2n ** 64n", 18446744073709551616n],
    ["true", true],
    ["null", null],
    ["undefined", undefined],
    ["new Date(5)", new Date(5)],
    ["['a', 1, null, undefined, 2n, NaN]", ["a", 1, null, undefined, 2n, Number.NaN]],
    ["[new Date(0)]", [new Date(0)]],
    ["({ a: { b: ['c', { d: 1 }] } })", { a: { b: ["c", { d: 1 }] } }],
    ["[[1], [[2]]]", [[1], [[2]]]],
    ["Object.assign(Object.create({ inherited: 1 }), { own: 2 })", { own: 2 }],
    ["new (class { constructor() { this.own = 1 } method() {} })", { own: 1 }],
    ["({ get computed() { return 6 * 7 } })", { computed: 42 }],
    ["Object.defineProperty({}, 'hidden', { value: 1 })", {}],
    ["[new Map([[1, 2]]), new Set([1]), /x/, new Error('x'), new Uint8Array(2)]", [{}, {}, {}, {}, { 0: 0, 1: 0 }]],
    ["Object('boxed')", "boxed"],
    ["[Promise.resolve].length", 1],
    ["'\\0 \\ud800 é 😀 \\u2028'", "\0 \ud800 é 😀 \u2028"],
    ["'\\ufeffmark'", "\ufeffmark"],
  ];

  test.each(copies)("the copy of a result has the expected value: %s", (source, value) => {
    const outcome = run(`return ${source}`);
    expect(resultOf(outcome)).toEqual(value);
  });

  test("an object's values that JSON cannot represent are replaced or omitted", () => {
    const value = resultOf(
      run("return { date: new Date(0), nan: NaN, big: 1n, nothing: undefined, list: [undefined] }"),
    );
    expect(JSON.stringify(value)).toBe('{"date":"1970-01-01T00:00:00.000Z","nan":null,"big":null,"list":[null]}');
  });

  test("a property called __proto__ is an ordinary property", () => {
    const value = resultOf(run('return JSON.parse(\'{"__proto__":{"polluted":true},"constructor":1}\')'));
    expect(Object.entries(Object(value))).toEqual([
      ["__proto__", { polluted: true }],
      ["constructor", 1],
    ]);
  });

  const refusals: [source: string, description: string][] = [
    ["() => 1", "[undefined] () => 1 could not be cloned."],
    ["({ deep: [() => 1] })", "[undefined] () => 1 could not be cloned."],
    ["Symbol('s')", "[undefined] Symbol(s) could not be cloned."],
    ["globalThis", "[undefined] #<Object> could not be cloned."],
    ["({ promise: Promise.resolve(1) })", "[undefined] #<Object> could not be cloned."],
    ["({ toJSON() { return 'tricked' } })", "could not be cloned."],
    ["(() => { const a = {}; a.a = a; return a })()", "[undefined] The value is nested too deeply or contains itself."],
    ["new Proxy({}, { ownKeys() { throw new Error('trapped') } })", "[undefined] trapped"],
    ["({ get trap() { throw new Error('trapped') } })", "[undefined] trapped"],
  ];

  test.each(refusals)("%s cannot be copied", (source, description) => {
    const outcome = run(`return ${source}`);
    expect(outcome.kind).toBe("failed");
    expect(errorOf(outcome)).toContain(description);
  });
});

describe("the globals of a script", () => {
  const values: unknown[] = [
    "text\0\ud800é",
    0,
    -0,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    10n,
    true,
    null,
    undefined,
    ["a", null],
    { a: [1] },
  ];

  test.each(values)("a script gets the value unchanged: %p", (value) => {
    const outcome = run("return given", { globals: [["given", value]] });
    expect(resultOf(outcome)).toEqual(value);
  });

  test("the later of two globals with equal names is used", () => {
    const globals = [
      ["given", 1],
      ["given", 2],
    ] as const;
    expect(resultOf(run("return given", { globals }))).toBe(2);
  });

  test("globals can have the names of built-in objects and properties", () => {
    const globals = [
      ["Date", "today"],
      ["__proto__", "own"],
      ["toString", "text"],
    ] as const;
    expect(resultOf(run("return [Date, globalThis.__proto__, toString]", { globals }))).toEqual([
      "today",
      "own",
      "text",
    ]);
  });

  test("a global with the name undefined is omitted", () => {
    expect(resultOf(run("return undefined", { globals: [["undefined", "text"]] }))).toBeUndefined();
  });

  test("a global with a long value can be accessed through a computed name", () => {
    const long = "long ".repeat(1000);
    const outcome = run("return globalThis['gi' + 'ven'] + Object.keys(globalThis).includes('gi' + 'ven')", {
      globals: [["given", long]],
    });
    expect(resultOf(outcome)).toBe(`${long}true`);
  });

  test("globals can be overwritten by the script", () => {
    const outcome = run("globalThis['gi' + 'ven'] = 2; return globalThis['gi' + 'ven']", {
      globals: [["given", "long ".repeat(1000)]],
    });
    expect(resultOf(outcome)).toBe(2);
  });
});

describe("setVariable", () => {
  test("setVariable records numbers, lists and dates in the order of the calls", () => {
    const outcome = run("setVariable('A', 1); await setVariable('B', ['x', null]); setVariable('A', new Date(0))");
    expect(outcome).toMatchObject({
      kind: "returned",
      assignments: [
        ["A", 1],
        ["B", ["x", null]],
        ["A", new Date(0)],
      ],
    });
  });

  test("setVariable copies the value at the time of the call", () => {
    const outcome = run("const list = ['a']; setVariable('A', list); list.push('b')");
    expect(outcome).toMatchObject({ assignments: [["A", ["a"]]] });
  });

  test("setVariable works in a promise that the script does not await", () => {
    const outcome = run("Promise.resolve().then(() => 1).then(() => setVariable('Late', 1)); return 'early'");
    expect(outcome).toMatchObject({ value: "early", assignments: [["Late", 1]] });
  });

  test("setVariable has no effect if the script fails", () => {
    expect(run("setVariable('A', 1); throw new Error('no')")).not.toHaveProperty("assignments");
  });

  test("setVariable rejects values that cannot be copied", () => {
    expect(errorOf(run("setVariable('A', () => 1)"))).toBe("[undefined] () => 1 could not be cloned.");
  });

  test("setVariable and fetch do not exist in synchronous code", () => {
    const outcome = run("return typeof setVariable + typeof fetch", { form: "sync", offersHostFunctions: false });
    expect(resultOf(outcome)).toBe("undefinedundefined");
  });
});

describe("promises", () => {
  test("a script can await promises and other values", () => {
    expect(resultOf(run("const a = await Promise.all([1, Promise.resolve(2)]); return a.concat(await 3)"))).toEqual([
      1, 2, 3,
    ]);
  });

  test("an object with a then method can be returned like a promise", () => {
    expect(resultOf(run("return { then(resolve) { resolve('later') } }"))).toBe("later");
  });

  test("an awaited promise that rejects fails the script", () => {
    expect(errorOf(run("await Promise.reject(new Error('refused'))"))).toBe("[undefined] refused");
  });

  test("a promise that rejects without being awaited does not fail the script", () => {
    expect(resultOf(run("Promise.reject(new Error('unseen')); return 1"))).toBe(1);
  });

  test("an awaited promise that never settles fails the script", () => {
    const outcome = run("setVariable('A', 1); await new Promise(() => {})");
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { context: "While executing function", description: "[undefined] Script execution timed out." },
    });
  });

  test("promises cannot be awaited in synchronous code", () => {
    expect(run("await 1", { form: "sync" }).kind).toBe("failed");
  });
});
