import { joined, Reader, section, signed, unsigned } from "./wasm-bytes.ts";
import { op, skipImmediates } from "./wasm-instructions.ts";

/**
 * Rewrites a WebAssembly module so that it counts its own work and depth. Every loop iteration and every call of a
 * function that calls others uses one unit of fuel; bulk memory operations use one unit per 64 bytes. The module traps
 * if it has no fuel or is nested deeper than the limit. The count depends only on code and input, not on the clock, the
 * machine or the compiler's tiers.
 *
 * QuickJS's interrupt handler cannot measure the work: between two of its calls, there may be 20 µs of an empty loop,
 * or minutes of `new Array(1e9).join("x")`. Rewriting takes 12 ms and makes the engine about a quarter slower (Bun
 * 1.4.4).
 */
export function addMeter(module: Uint8Array, limits: { readonly maxDepth: number }): Uint8Array<ArrayBuffer> {
  const reader = new Reader(module);
  reader.at = headerLength;
  const parts: Uint8Array[] = [module.subarray(0, headerLength)];
  const found: Found = { types: [], functions: [], globals: 0 };
  while (reader.at < module.length) {
    const start = reader.at;
    const id = reader.byte();
    const end = reader.unsigned() + reader.at;
    const content = rewriteSection(id, reader, end, found, limits.maxDepth);
    parts.push(content === undefined ? module.subarray(start, end) : section(id, content));
    reader.at = end;
  }
  return joined(parts);
}

/** The counters of an instance. They can be read and set while the instance is not running. */
export type Meter = { readonly fuel: Counter; readonly depth: Counter; readonly stackPointer: Counter };

type Counter = { value: number };

export function meterOf(instance: WebAssembly.Instance): Meter {
  const counter = (name: string): Counter => {
    const found = instance.exports[name];
    if (!(found instanceof WebAssembly.Global)) throw new Error(`The module has no counter ${name}`);
    return found;
  };
  const { fuel, depth, stackPointer } = exportNames;
  return { fuel: counter(fuel), depth: counter(depth), stackPointer: counter(stackPointer) };
}

const exportNames = { fuel: "meter.fuel", depth: "meter.depth", stackPointer: "meter.stackPointer" } as const;

type FunctionType = { readonly parameters: number; readonly results: Uint8Array };
type Found = { types: FunctionType[]; functions: number[]; globals: number };
type Counters = { readonly fuel: number; readonly depth: number; readonly scratch: number };

const headerLength = 8;
// In a large block, copying 64 bytes takes as long as a loop iteration.
const bytesPerFuel = 64;
// Clang stores the pointer of the C stack in the module's first global.
const stackPointerGlobal = 0;
const sectionId = { type: 1, function: 3, global: 6, export: 7, code: 10 } as const;
const noResult = 0x40;
const i32 = 0x7f;
const globalKind = 3;

function rewriteSection(id: number, reader: Reader, end: number, found: Found, maxDepth: number) {
  switch (id) {
    case sectionId.type:
      found.types = readTypes(reader);
      return undefined;
    case sectionId.function:
      found.functions = Array.from({ length: reader.unsigned() }, () => reader.unsigned());
      return undefined;
    case sectionId.global:
      return withGlobals(reader, end, found);
    case sectionId.export:
      return withExports(reader, end, countersOf(found));
    case sectionId.code:
      return withCounting(reader, found, maxDepth);
    default:
      return undefined;
  }
}

function countersOf(found: Found): Counters {
  return { fuel: found.globals, depth: found.globals + 1, scratch: found.globals + 2 };
}

function readTypes(reader: Reader): FunctionType[] {
  return Array.from({ length: reader.unsigned() }, () => {
    reader.byte();
    const parameters = reader.unsigned();
    reader.at += parameters;
    return { parameters, results: reader.bytes(reader.unsigned()) };
  });
}

function withGlobals(reader: Reader, end: number, found: Found): Uint8Array {
  found.globals = reader.unsigned();
  const zero = [i32, 1, op.i32Const, 0, op.end];
  const unlimited = [i32, 1, op.i32Const, 0x7f, op.end]; // -1, for the module's start function
  return joined([unsigned(found.globals + 3), reader.upTo(end), Uint8Array.from([...unlimited, ...zero, ...zero])]);
}

function withExports(reader: Reader, end: number, counters: Counters): Uint8Array {
  const added = [
    exported(exportNames.fuel, counters.fuel),
    exported(exportNames.depth, counters.depth),
    exported(exportNames.stackPointer, stackPointerGlobal),
  ];
  return joined([unsigned(reader.unsigned() + added.length), reader.upTo(end), ...added]);
}

function exported(name: string, index: number): Uint8Array {
  const text = new TextEncoder().encode(name);
  return joined([unsigned(text.length), text, Uint8Array.of(globalKind), unsigned(index)]);
}

function withCounting(reader: Reader, found: Found, maxDepth: number): Uint8Array {
  const code = snippets(countersOf(found), maxDepth);
  const count = reader.unsigned();
  const parts: Uint8Array[] = [unsigned(count)];
  for (let index = 0; index < count; index++) {
    const end = reader.unsigned() + reader.at;
    const type = found.types[found.functions[index] ?? -1];
    if (!type) throw new Error(`The module's function ${index} has no type`);
    const body = rewriteBody(reader, end, type, code);
    parts.push(unsigned(body.length), body);
  }
  return joined(parts);
}

type Snippets = ReturnType<typeof snippets>;

function snippets({ fuel, depth, scratch }: Counters, maxDepth: number) {
  const get = (global: number) => [op.globalGet, ...unsigned(global)];
  const set = (global: number) => [op.globalSet, ...unsigned(global)];
  const constant = (value: number) => [op.i32Const, ...signed(value)];
  const trapIf = [op.if, noResult, op.unreachable, op.end];
  const emptyAndTrapIf = [op.if, noResult, ...constant(0), ...set(fuel), op.unreachable, op.end];
  const units = [...get(scratch), ...constant(Math.log2(bytesPerFuel)), op.i32ShrU];
  const takeOne = [...[...get(fuel), op.i32Eqz, ...trapIf], ...[...get(fuel), ...constant(1), op.i32Sub, ...set(fuel)]];
  const enter = (cost: number) => [
    ...takeOne,
    ...[...get(depth), ...constant(cost), op.i32Add, ...set(depth)],
    ...[...get(depth), ...constant(maxDepth), op.i32GtU, ...trapIf],
  ];
  const leave = (cost: number) => [...get(depth), ...constant(cost), op.i32Sub, ...set(depth), op.end];
  // Deducts fuel for the number of bytes on top of the stack, and keeps this number on the stack.
  const takeForBytes = [
    ...set(scratch),
    ...[...get(fuel), ...units, op.i32LeU, ...emptyAndTrapIf],
    ...[...get(fuel), ...units, op.i32Sub, ...set(fuel)],
    ...get(scratch),
  ];
  return {
    takeOne: Uint8Array.from(takeOne),
    takeForBytes: Uint8Array.from(takeForBytes),
    enter: (cost: number) => Uint8Array.from(enter(cost)),
    leave: (cost: number) => Uint8Array.from(leave(cost)),
  };
}

/**
 * Rewrites a function. If the function calls others, its body is wrapped in a block, after which the depth is
 * decremented. Every exit ends this block: branches to the function's own label end it, and `return` is converted to
 * such a branch.
 */
function rewriteBody(reader: Reader, end: number, type: FunctionType, code: Snippets): Uint8Array {
  const start = reader.at;
  const locals = readLocals(reader);
  const declarations = reader.source.subarray(start, reader.at);
  const { calls, parts } = rewriteInstructions(reader, end, code);
  if (!calls) return joined([declarations, ...parts]);
  if (type.results.length > 1) throw new Error("The module has a function with several results");
  const cost = frameCost + type.parameters + locals;
  const blockType = type.results[0] ?? noResult;
  return joined([declarations, code.enter(cost), Uint8Array.of(op.block, blockType), ...parts, code.leave(cost)]);
}

// The cost of a native stack frame, in addition to the locals of its function.
const frameCost = 16;

function readLocals(reader: Reader): number {
  let locals = 0;
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    locals += reader.unsigned();
    reader.byte();
  }
  return locals;
}

/** Copies a body and adds the counting code. `calls` is whether the body calls other functions. */
function rewriteInstructions(reader: Reader, end: number, code: Snippets): { calls: boolean; parts: Uint8Array[] } {
  const parts: Uint8Array[] = [];
  let from = reader.at;
  const insert = (at: number, addition: Uint8Array, skip = 0) => {
    parts.push(reader.source.subarray(from, at), addition);
    from = at + skip;
  };
  let calls = false;
  let nesting = 0;
  while (reader.at < end) {
    const at = reader.at;
    const instruction = reader.byte();
    if (instruction === op.block || instruction === op.loop || instruction === op.if) nesting++;
    if (instruction === op.end) nesting--;
    if (instruction === op.call || instruction === op.callIndirect) calls = true;
    // A branch to the outermost label is equivalent to a return.
    if (instruction === op.return) insert(at, Uint8Array.from([op.br, ...unsigned(nesting)]), 1);
    const isBulk = skipImmediates(reader, instruction);
    if (instruction === op.loop) insert(reader.at, code.takeOne);
    if (isBulk) insert(at, code.takeForBytes);
  }
  parts.push(reader.source.subarray(from, end));
  return { calls, parts };
}
