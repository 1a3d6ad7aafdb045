/** A section of a module: its id, length and content. */
export function section(id: number, content: Uint8Array): Uint8Array {
  return joined([Uint8Array.of(id), unsigned(content.length), content]);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

/** A number as LEB128: seven bits a byte, the lowest first. */
export function unsigned(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** A non-negative number as signed LEB128, whose last byte must not look negative. */
export function signed(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 63) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** Reads a module from the front. */
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
