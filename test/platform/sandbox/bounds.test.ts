import { describe, expect, test } from "bun:test";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { errorOf, resultOf, runnerOf } from "./scripts.ts";

const run = runnerOf(await createSandbox());
const timedOut = "[undefined] Script execution timed out.";

describe("scripts that do not end", () => {
  const endless: string[] = [
    "for (;;);",
    "while (true) try { for (;;); } catch {} finally { continue }",
    "(async function again() { for (;;) await 1 })()",
    "(function again() { Promise.resolve().then(again) })()",
    "const o = { get x() { for (;;); } }; return o",
    "return { toString() { for (;;); } } + ''",
    "return new Proxy([], { get: (target, key) => (key === 'length' ? 1e9 : 1) })",
    "throw { get message() { for (;;); }, __proto__: Error.prototype }",
    "for (;;) 'a'.localeCompare('b')",
    "for (let i = 0; ; i++) (i).toLocaleString('de', { minimumFractionDigits: i % 20 })",
  ];

  test.each(endless)("an endless script is stopped: %s", (source) => {
    expect(run(source, { maxTicks: 10_000_000 })).toMatchObject({
      kind: "timeout",
      ticks: 10_000_000,
      error: { context: "While executing function", description: timedOut },
    });
  });

  test("a script without remaining ticks does not run", () => {
    expect(run("return 1", { maxTicks: 0 })).toMatchObject({ kind: "timeout", ticks: 0 });
  });

  test("an endless synchronous script is stopped", () => {
    expect(run("for (;;);", { form: "sync", maxTicks: 10_000_000 }).kind).toBe("timeout");
  });
});

describe("the engine's own work", () => {
  const heavy: string[] = [
    "return new Array(1e9).join('x').length",
    "return (2n ** 1000000n).toString().length",
    "return /(a+)+$/.test('a'.repeat(40) + 'b')",
    "return /^(?:(?:a|a)*)*$/.test('a'.repeat(30) + 'b')",
    "for (const bytes = new Uint8Array(8e6); ; ) bytes.fill(1)",
    "for (const bytes = new Uint8Array(8e6); ; ) bytes.slice()",
    "const text = 'x'.repeat(1e6); for (;;) text.split('')",
    "const text = '[' + '1,'.repeat(1e5) + '1]'; for (;;) JSON.parse(text)",
    "const text = 'x'.repeat(1e6); for (;;) text.indexOf('xy')",
    "const code = 'x;'.repeat(1e5); for (;;) new Function(code)",
    "const list = Array.from({ length: 1e5 }, (_, i) => -i); for (;;) list.slice().sort()",
    "let list = []; for (let i = 0; i < 1e5; i++) list = [list]; return JSON.stringify(list)",
  ];

  test.each(heavy)("the engine's work is counted as ticks: %s", (source) => {
    const outcome = run(source, { maxTicks: 10_000_000 });
    expect(["timeout", "failed"]).toContain(outcome.kind);
    expect(outcome.ticks).toBeGreaterThan(1_000_000);
  });
});

describe("the memory limit", () => {
  const greedy: string[] = [
    "const all = []; for (;;) all.push(new Array(1000).fill(1))",
    "let text = 'x'; for (;;) text += text",
    "return 'x'.repeat(1e8)",
    "return new Uint8Array(1e8)",
    "return 'a'.repeat(3e6).split('')",
    "const all = []; for (;;) all.push(new ArrayBuffer(1e5))",
    "return new Array(2 ** 32 - 1).fill(0)",
  ];

  test.each(greedy)("a script that uses too much memory fails: %s", (source) => {
    const outcome = run(source);
    expect(outcome.kind).toBe("failed");
    expect(errorOf(outcome)).toMatch(/out of memory|string too long|invalid array/);
  });

  test("a script can catch the out-of-memory error and continue", () => {
    expect(resultOf(run("try { new Uint8Array(1e8) } catch (error) { return error.message }"))).toBe("out of memory");
  });

  test("a script can use 20 MB of memory", () => {
    expect(resultOf(run("return new Uint8Array(20e6).fill(1).length"))).toBe(20_000_000);
  });
});

describe("the limit of the call depth", () => {
  const deep: string[] = [
    "(function deeper() { return deeper() + 1 })()",
    "(function deeper() { return [1].map(deeper) })()",
    "return new (class Deeper { constructor() { new Deeper() } })",
    "const o = { get x() { return this.x } }; return o.x",
    "return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))",
    "return eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))",
    "return eval(('`$' + '{').repeat(1e4) + '1' + '}`'.repeat(1e4))",
    "return new RegExp('(?:'.repeat(1e5) + ')'.repeat(1e5))",
    "let p = {}; for (let i = 0; i < 1e4; i++) p = new Proxy(p, {}); return p.x",
    "let list = []; for (let i = 0; i < 1e5; i++) list = [list]; return list.flat(Infinity)",
    "let list = []; for (let i = 0; i < 1e4; i++) list = [list]; return JSON.stringify(list)",
  ];

  test.each(deep)("a script that nests too deeply fails: %s", (source) => {
    expect(errorOf(run(source))).toMatch(/Maximum call stack size exceeded|stack overflow/);
  });

  test("a script can catch the RangeError of too deeply nested calls", () => {
    const source = "try { (function deeper() { deeper() })() } catch (error) { return error instanceof RangeError }";
    expect(resultOf(run(source))).toBe(true);
  });

  test("a script can nest 1,000 calls", () => {
    expect(resultOf(run("return (function sum(n) { return n && n + sum(n - 1) })(1000)"))).toBe(500500);
  });
});

describe("the size limit of results", () => {
  const large: string[] = [
    "return 'x'.repeat(2e6)",
    "return 'é'.repeat(6e5)",
    "return Array.from({ length: 2e5 }, () => 'item')",
    "return { deep: { text: 'x'.repeat(2e6) } }",
    "setVariable('A', 'x'.repeat(2e6)); return 1",
    "for (let i = 0; i < 20; i++) setVariable('A', 'x'.repeat(1e5)); return 1",
  ];

  test.each(large)("a result above 1 MB is rejected: %s", (source) => {
    expect(errorOf(run(source))).toBe("[undefined] The result is larger than 1 MB.");
  });

  test("a result of one million characters is allowed", () => {
    expect(resultOf(run("return 'x'.repeat(1e6)"))).toHaveLength(1_000_000);
  });

  test("a script may build a large tree if its result is small", () => {
    expect(resultOf(run("const a = { text: 'x'.repeat(1e5) }; return [a, a, a].length"))).toBe(3);
  });

  test("a script whose result expands to 2^60 items fails or is stopped", () => {
    const source = "let tree = ['x']; for (let i = 0; i < 60; i++) tree = [tree, tree]; return tree";
    expect(["timeout", "failed"]).toContain(run(source, { maxTicks: 50_000_000 }).kind);
  });
});
