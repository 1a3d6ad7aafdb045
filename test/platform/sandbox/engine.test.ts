import { expect, test } from "bun:test";
import { Engine } from "../../../src/platform/sandbox/engine.ts";

const engine = await Engine.load();
const run = engine.evaluate("(function (code) { return String((0, eval)(code)) })");
const base = engine.snapshot();

const marks = [
  "globalThis.mark = 'left'.repeat(1e5)",
  "const all = []; for (;;) all.push(new Uint8Array(1e5).fill(0xab))",
  "(function deeper() { [1].map(deeper) })()",
  "for (;;);",
  "new Array(1e6).fill(0).map(String).sort().length",
];

test.each(marks)("a restored image equals the original in every byte after the code: %s", (code) => {
  engine.restore(base);
  engine.fuel = 20_000_000;
  engine.call(run, code);
  engine.restore(base);
  const restored = engine.snapshot();
  expect(Buffer.compare(restored.statics, base.statics)).toBe(0);
  expect(Buffer.compare(restored.heap, base.heap)).toBe(0);
});

test("newly allocated memory contains no bytes of the previous run", () => {
  const grow = "globalThis.list = []; for (let i = 0; i < 3e5; i++) list.push(i); list.length";
  const imageAfter = (before: string) => {
    engine.restore(base);
    engine.fuel = 200_000_000;
    engine.call(run, before);
    engine.restore(base);
    engine.fuel = 200_000_000;
    expect(engine.call(run, grow)).toEqual({ kind: "text", text: "300000" });
    return engine.snapshot();
  };
  const clean = imageAfter("1");
  const filled = imageAfter("const all = []; for (;;) all.push(new Uint8Array(1e5).fill(0xab))");
  expect(Buffer.compare(filled.heap, clean.heap)).toBe(0);
});

test("a run from a restored snapshot gives the same result as an uninterrupted run", () => {
  engine.restore(base);
  engine.fuel = 1_000_000_000;
  engine.call(run, "globalThis.count = 1");
  const between = engine.snapshot();
  const before = engine.fuel;
  const straight = engine.call(run, "count += 1");
  const spent = before - engine.fuel;
  engine.restore(base);
  engine.restore(between);
  engine.fuel = before;
  expect(engine.call(run, "count += 1")).toEqual(straight);
  expect(straight).toEqual({ kind: "text", text: "2" });
  expect(before - engine.fuel).toBe(spent);
});

test("an error in the sandbox's own code is reported", () => {
  expect(() => engine.evaluate("throw new Error('broken')")).toThrow("The sandbox's own code failed: Error: broken");
});

test("the host can end a run during a host call", () => {
  engine.restore(base);
  engine.fuel = 1_000_000_000;
  const asking = engine.invoke(
    engine.evaluate("(host) => (text) => { try { return host('name', text) } finally { return 'late' } }"),
    [engine.hostFunction()],
  );
  engine.onHostCall = (name, text) => (text === "stop" ? undefined : `${name}:${text}\0`);
  expect(engine.call(asking, "stop")).toEqual({ kind: "stopped" });
});
