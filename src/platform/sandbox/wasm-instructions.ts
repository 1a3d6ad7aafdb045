import type { Reader } from "./wasm-bytes.ts";

/** The instructions that metering searches for, inserts, or skips in a special way. */
export const op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  br: 0x0c,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  selectTyped: 0x1c,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  f32Const: 0x43,
  f64Const: 0x44,
  i32Eqz: 0x45,
  i32LeU: 0x4d,
  i32GtU: 0x4b,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32ShrU: 0x76,
  prefixed: 0xfc,
} as const;

/**
 * Skips the operands of an instruction. Returns true for instructions that copy or fill memory. Throws for unknown
 * instructions.
 */
export function skipImmediates(reader: Reader, instruction: number): boolean {
  if (instruction === op.prefixed) return skipPrefixed(reader);
  if (instruction === op.brTable) for (let targets = reader.unsigned(); targets >= 0; targets--) reader.skipNumber();
  else if (instruction === op.selectTyped) reader.at += reader.unsigned();
  else if (instruction === op.f32Const) reader.at += 4;
  else if (instruction === op.f64Const) reader.at += 8;
  else {
    const count = immediates(instruction);
    if (count === undefined) throw new Error(`The module uses the unknown instruction 0x${instruction.toString(16)}`);
    for (let index = 0; index < count; index++) reader.skipNumber();
  }
  return false;
}

/** Returns the number of LEB128 operands of an instruction, or undefined for an unknown instruction. */
function immediates(instruction: number): number | undefined {
  if (instruction >= 0x28 && instruction <= 0x3e) return 2; // loads and stores
  if (instruction >= 0x45 && instruction <= 0xc4) return 0; // comparisons, arithmetic, conversions
  if (instruction >= 0x20 && instruction <= 0x26) return 1; // locals, globals, tables
  switch (instruction) {
    case op.unreachable:
    case 0x01: // nop
    case 0x05: // else
    case op.end:
    case op.return:
    case 0x1a: // drop
    case 0x1b: // select
      return 0;
    case op.block:
    case op.loop:
    case op.if:
    case op.br:
    case 0x0d: // br_if
    case op.call:
    case 0x3f: // memory.size
    case 0x40: // memory.grow
    case op.i32Const:
    case 0x42: // i64.const
      return 1;
    case op.callIndirect:
      return 2;
    default:
      return undefined;
  }
}

function skipPrefixed(reader: Reader): boolean {
  const instruction = reader.unsigned();
  if (instruction <= 7) return false; // saturating conversions
  if (instruction === 10)
    reader.at += 2; // memory.copy
  else if (instruction === 11)
    reader.at += 1; // memory.fill
  else throw new Error(`The module uses the unknown instruction 0xfc ${instruction}`);
  return true;
}
