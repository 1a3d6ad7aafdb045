/** Encodes a section of a module: its id, length and content. */
export function section(id: number, content: Uint8Array): Uint8Array {
  return joined([Uint8Array.of(id), unsigned(content.length), content]);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

/** Encodes a number as LEB128: seven bits per byte, starting with the lowest bits. */
export function unsigned(value: number): Uint8Array {
  return leb128(value, 127);
}

/** Encodes a non-negative number as signed LEB128. The sign bit of the last byte must not be set. */
export function signed(value: number): Uint8Array {
  return leb128(value, 63);
}

function leb128(value: number, mostInLastByte: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > mostInLastByte; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Uint8Array.of(...bytes, rest);
}

/** Reads a module sequentially. */
export class Reader {
  at = 0;
  constructor(readonly source: Uint8Array) {}

  byte(): number {
    const value = this.source[this.at];
    if (value === undefined) throw new Error("The module ends too early");
    this.at++;
    return value;
  }

  bytes(count: number): Uint8Array {
    return this.upTo(this.at + count);
  }

  upTo(end: number): Uint8Array {
    const bytes = this.source.subarray(this.at, end);
    this.at = end;
    return bytes;
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }

  skipNumber(): void {
    while (this.byte() >= 128);
  }
}
