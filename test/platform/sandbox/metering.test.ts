import { describe, expect, test } from "bun:test";
import { addMeter, meterOf } from "../../../src/platform/sandbox/metering.ts";

describe("a metered module", () => {
  test("a metered function gives the correct result at each of its exits", () => {
    const instance = load(pathsModule, 1_000);
    const paths = callable(instance, "paths");
    expect([0, 1, 2, 3].map((way) => paths(way))).toEqual([10, 11, 12, 13]);
    expect(meterOf(instance).depth.value).toBe(0);
  });

  test("a metered module uses one unit of fuel per loop iteration", () => {
    const instance = load(loopModule, 1_000);
    const meter = meterOf(instance);
    const spin = callable(instance, "spin");
    meter.fuel.value = 1_000;
    spin(100);
    const spent = 1_000 - meter.fuel.value;
    meter.fuel.value = 1_000;
    spin(200);
    expect(1_000 - meter.fuel.value - spent).toBe(100);
  });

  test("a metered module stops when it runs out of fuel", () => {
    const instance = load(loopModule, 1_000);
    const meter = meterOf(instance);
    meter.fuel.value = 50;
    expect(() => callable(instance, "spin")(1_000)).toThrow(WebAssembly.RuntimeError);
    expect(meter.fuel.value).toBe(0);
  });

  test("a metered module stops if its calls are nested too deeply", () => {
    const instance = load(recursionModule, 1_000);
    const meter = meterOf(instance);
    const nest = callable(instance, "nest");
    expect(nest(20)).toBe(0);
    expect(meter.depth.value).toBe(0);
    expect(() => nest(200)).toThrow(WebAssembly.RuntimeError);
    expect(meter.depth.value).toBeGreaterThan(1_000);
  });

  test("filling memory consumes fuel in proportion to its size", () => {
    const instance = load(fillModule, 1_000);
    const meter = meterOf(instance);
    const fill = callable(instance, "fill");
    meter.fuel.value = 1_000;
    fill(6_400);
    expect(meter.fuel.value).toBe(900);
    expect(() => fill(64 * 900)).toThrow(WebAssembly.RuntimeError);
    expect(meter.fuel.value).toBe(0);
  });
});

describe("a module that cannot be metered", () => {
  test("a module with an unsupported instruction is refused", () => {
    expect(() => addMeter(moduleOf("vector", [0xfd, 0x00, end]), { maxDepth: 1 })).toThrow("unknown instruction 0xfd");
  });

  test("a truncated module is refused", () => {
    expect(() => addMeter(loopModule.subarray(0, -5), { maxDepth: 1 })).toThrow("ends too early");
  });
});

// Modules of one function from i32 to i32, as WebAssembly bytes.
const end = 0x0b;
const input = [0x20, 0x00];
const constant = (value: number) => [0x41, value];
const callItself = [0x10, 0x00];
const [block, valueBlock, loop, ifBlock] = [
  [0x02, 0x40],
  [0x02, 0x7f],
  [0x03, 0x40],
  [0x04, 0x40],
] as const;
const [drop, leave, equal, unequal, greater, minus] = [0x1a, 0x0f, 0x46, 0x47, 0x4a, 0x6b] as const;

const loopModule = moduleOf("spin", [
  // again: input -= 1; if (input) goto again; return 0
  ...[...loop, ...input, ...constant(1), minus, 0x22, 0x00, 0x0d, 0x00, end],
  ...[...constant(0), end],
]);

const recursionModule = moduleOf("nest", [
  // if (input == 0) return 0; return nest(input - 1)
  ...[...input, ...constant(0), equal, ...ifBlock, ...constant(0), leave, end],
  ...[...input, ...constant(1), minus, ...callItself, end],
]);

// memory.fill(0, 1, input); return 0
const fillModule = moduleOf("fill", [...constant(0), ...constant(1), ...input, 0xfc, 0x0b, 0x00, ...constant(0), end]);

const pathsModule = moduleOf("paths", [
  // 0: returns from within two blocks
  ...[...block, ...block, ...input, 0x0d, 0x00, ...constant(10), leave, end, end],
  // 1: branches to the function's own label
  ...[...constant(11), ...input, ...constant(1), equal, 0x0d, 0x00, drop],
  // 2: reaches the label through a table of branches
  ...[...valueBlock, ...constant(12), ...input, ...constant(2), unequal, 0x0e, 0x01, 0x01, 0x00, end, drop],
  // 3: reaches the end; values above 60 call the function again
  ...[...input, ...constant(60), greater, ...ifBlock, ...input, ...callItself, drop, end, ...constant(13), end],
]);

function moduleOf(name: string, body: readonly number[]): Uint8Array {
  const text = [...new TextEncoder().encode(name)];
  const code = [0x00, ...body];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...[1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f], // one type: from i32 to i32
    ...[3, 2, 1, 0], // one function of this type
    ...[5, 3, 1, 0, 8], // eight pages of memory
    ...[6, 6, 1, 0x7f, 1, 0x41, 0, end], // one global
    ...[7, text.length + 4, 1, text.length, ...text, 0, 0], // the function's name
    ...[10, code.length + 2, 1, code.length, ...code],
  ]);
}

function load(module: Uint8Array, maxDepth: number): WebAssembly.Instance {
  return new WebAssembly.Instance(new WebAssembly.Module(addMeter(module, { maxDepth })), {});
}

function callable(instance: WebAssembly.Instance, name: string): (value: number) => unknown {
  const found = instance.exports[name];
  if (typeof found !== "function") throw new Error(`No function ${name}`);
  return (value) => found(value);
}
