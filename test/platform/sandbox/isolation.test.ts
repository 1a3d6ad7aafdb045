import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { resultOf, runnerOf } from "./scripts.ts";

const run = runnerOf(await createSandbox());
const runElsewhere = runnerOf(await createSandbox());

describe("the state that a script leaves", () => {
  const leaks: [title: string, leave: string, look: string, found: unknown][] = [
    [
      "globals",
      "globalThis.left = 1; var left = 2; left3 = 3",
      "return [typeof left, typeof left3]",
      ["undefined", "undefined"],
    ],
    [
      "prototypes",
      "Object.prototype.left = 1; Array.prototype.map = () => 'changed'",
      "return [({}).left, [1].map((x) => x)]",
      [undefined, [1]],
    ],
    [
      "built-in functions",
      "JSON.stringify = JSON.parse = Math.max = () => 'changed'",
      "return [JSON.stringify(1), Math.max(1, 2)]",
      ["1", 2],
    ],
    [
      "symbols",
      "Symbol.for('left'); globalThis[Symbol.for('left')] = 1",
      "return globalThis[Symbol.for('left')]",
      undefined,
    ],
    [
      "pending promises",
      "Promise.resolve().then(function again() { globalThis.left = 1; return new Promise(() => {}) })",
      "await 1; return typeof left",
      "undefined",
    ],
    [
      "unfinished promises",
      "globalThis.p = new Promise((r) => { globalThis.r = r }); p.then(() => setVariable('A', 1)); await p",
      "return typeof p",
      "undefined",
    ],
    [
      "frozen objects",
      "Object.freeze(globalThis); Object.freeze(Array.prototype)",
      "globalThis.own = 1; return own",
      1,
    ],
    [
      "weak references",
      "globalThis.w = new WeakRef({}); new FinalizationRegistry(() => {}).register({}, 1)",
      "return typeof w",
      "undefined",
    ],
    ["regular expressions", "/(secret)/.test('secret')", "return [RegExp.$1, RegExp.lastMatch].join('')", ""],
    [
      "deleted objects",
      "delete globalThis.JSON; delete globalThis.Intl; delete Promise.prototype.then",
      "await 1; return [typeof JSON, typeof Intl]",
      ["object", "object"],
    ],
    [
      "errors",
      "Error.prepareStackTrace = () => 'changed'; Error.stackTraceLimit = 0",
      "return typeof Error.prepareStackTrace",
      "undefined",
    ],
  ];

  test.each(leaks)("the next script sees no change that a script made to %s", (_title, leave, look, found) => {
    run(leave);
    expect(resultOf(run(look))).toEqual(found);
  });

  const endings = [
    "for (;;);",
    "const all = []; for (;;) all.push(new Array(1e4).fill('x'.repeat(1000)))",
    "(function deeper() { deeper() })()",
    "return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))",
    "throw 1",
    "await fetch('x')",
    "await new Promise(() => {})",
  ];

  test.each(endings)("the next script sees no change after a script that ends with: %s", (ending) => {
    run(`globalThis.left = 'x'.repeat(1e5); ${ending}`, { maxTicks: 20_000_000 });
    expect(resultOf(run("return [typeof left, 1 + 1]"))).toEqual(["undefined", 2]);
  });

  test("no bytes of a script remain in the memory of the next script", () => {
    run("const all = []; for (let i = 0; i < 20; i++) all.push(new Uint8Array(1e6).fill(0xab))");
    const source = "return Math.max(...Array.from({ length: 20 }, () => new Uint8Array(1e6).lastIndexOf(0xab)))";
    expect(resultOf(run(source))).toBe(-1);
  });

  test("code that closes the enclosing function affects no other run", () => {
    const source = "return typeof left }); globalThis.left = typeof given; (async function () { return globalThis.left";
    const outcomes = [1, 2, 3].map((given) => run(source, { globals: [["given", given]] }));
    expect(outcomes[1]).toEqual(outcomes[0] ?? expect.anything());
    expect(outcomes[2]).toEqual(outcomes[0] ?? expect.anything());
    expect(resultOf(run("return typeof left"))).toBe("undefined");
  });
});

describe("changes of built-in objects", () => {
  const changes: [source: string, value: unknown][] = [
    [
      "Array.prototype.toJSON = Object.prototype.toJSON = String.prototype.toJSON = () => 'tricked'; return [{ a: ['b'] }]",
      [{ a: ["b"] }],
    ],
    ["JSON.stringify = () => '\"tricked\"'; return { a: 1 }", { a: 1 }],
    ["Object.defineProperty(Array.prototype, 0, { set() { throw 1 } }); return { a: 1 }", { a: 1 }],
    ["Object.prototype.then = function (resolve) { resolve('tricked') }; return 1", 1],
    ["Promise.prototype.then = () => {}; Promise.resolve = () => {}; return await 1", 1],
    ["Object.keys = () => ['tricked']; Reflect.apply = () => 'tricked'; return { a: 1 }", { a: 1 }],
    ["Array.prototype[Symbol.iterator] = function* () {}; setVariable('A', [1]); return [1]", [1]],
    ["Function.prototype.call = Function.prototype.apply = () => 'tricked'; return [1].map((x) => x + 1)", [2]],
    ["String.prototype.slice = () => ''; return { a: 1, b: 2 }", { a: 1, b: 2 }],
    ["Date.prototype.getTime = () => 0; return new Date(5)", new Date(5)],
    ["globalThis.Date = globalThis.Error = undefined; return [1]", [1]],
  ];

  test.each(changes)("changed built-in objects do not alter the copy of the result: %s", (source, value) => {
    expect(resultOf(run(source))).toEqual(value);
  });

  const escapes = [
    "return [].constructor.constructor('return typeof process + typeof Bun + typeof require')()",
    "return (async () => {}).constructor('return typeof process + typeof Bun + typeof require')()",
    "return (0, eval)('typeof process + typeof Bun + typeof require')",
    "return fetch.constructor('return typeof process + typeof Bun + typeof require')()",
    "return Object.getPrototypeOf(function* () {}).constructor('yield typeof process + typeof Bun + typeof require')().next().value",
  ];

  test.each(escapes)("%s gives no access to the host's globals", (source) => {
    expect(resultOf(run(source))).toBe("undefinedundefinedundefined");
  });

  test.each([
    "Error.prepareStackTrace = take",
    "Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')?.set?.call(Error, take)",
    "Reflect.set(Error, 'prepareStackTrace', take)",
    "Object.defineProperty(Error, 'prepareStackTrace', { value: take })",
    "TypeError.prepareStackTrace = take; Object.setPrototypeOf(TypeError, { prepareStackTrace: take })",
  ])("the functions that run a script cannot be reached with %s", (set) => {
    const source = `const found = [];
      const take = (error, frames) => { for (const frame of frames) found.push(typeof frame.getFunction()) };
      ${set};
      new Error().stack;
      try { null.x } catch (error) { error.stack }
      try { new TypeError().stack } catch {}
      return found`;
    expect(resultOf(run(source))).toEqual([]);
  });
});

describe("the outcome of equal requests", () => {
  const sources = [
    "return Math.random() + Date.now()",
    "const all = []; for (;;) all.push('x'.repeat(1000))",
    "let depth = 0; (function deeper() { depth++; deeper() })()",
    "let depth = 0; try { (function deeper() { depth++; [1].map(deeper) })() } catch {} return depth",
    "for (let i = 0; ; i++) setVariable('A', i)",
    "const a = []; while (a.length < 5e3) a.push(Math.random()); return a.sort((x, y) => x - y).length",
    "return /(a+)+$/.test('a'.repeat(30) + 'b')",
    "const m = new Map(); for (let i = 0; i < 1e4; i++) m.set({}, i); return [...m.values()].length",
    "return new Date().toLocaleString('de') + (5).toLocaleString('fr')",
    "const sum = () => new Intl.NumberFormat('sk').format(5); return sum() + sum()",
    "await fetch('x')",
  ];

  test.each(sources)("the outcome and the ticks are equal in repeated runs and in another sandbox: %s", (source) => {
    const request = { maxTicks: 10_000_000 };
    const first = run(source, request);
    run("return 'x'.repeat(1e6).split('').length");
    const [second, third] = [run(source, request), run(source, request)];
    const elsewhere = runElsewhere(source, request);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(elsewhere).toEqual(first);
  });

  test("a run with one tick less than the script needs is stopped", () => {
    const source = "let sum = 0; for (let i = 0; i < 100; i++) sum += i; return sum";
    const { ticks } = run(source);
    expect(run(source, { maxTicks: ticks + 1 })).toMatchObject({ kind: "returned", ticks });
    expect(run(source, { maxTicks: ticks - 1 })).toMatchObject({ kind: "timeout", ticks: ticks - 1 });
  });

  test("the outcome of a script does not depend on earlier scripts", () => {
    const pool = [
      "return 1 + a",
      "globalThis.a = 5; return a",
      "throw 'no'",
      "return {",
      "await 1; return [a]",
      "setVariable('A', a)",
    ];
    const steps = fc.array(fc.record({ source: fc.constantFrom(...pool), a: fc.integer() }), { maxLength: 20 });
    const fresh = new Map(pool.map((source) => [source, run(source, { globals: [["a", 7]] })]));
    fc.assert(
      fc.property(steps, fc.constantFrom(...pool), (before, source) => {
        for (const { source, a } of before) run(source, { globals: [["a", a]] });
        expect(run(source, { globals: [["a", 7]] })).toEqual(fresh.get(source) ?? expect.anything());
      }),
      { numRuns: 50 },
    );
  });
});
