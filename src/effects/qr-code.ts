import { deflateSync } from "node:zlib";
import type { QrCodeEffect, QrCodeReport } from "../core/interpreter/program/call.ts";
import type { EffectContext } from "./effect-context.ts";
import { keepFile } from "./stored-file.ts";

/** Draws a QR code and stores it as a file of the session. */
export async function performQrCode(
  { blockId, data }: QrCodeEffect,
  { files }: Pick<EffectContext, "files">,
): Promise<QrCodeReport> {
  const bytes = await qrCodePng(data);
  const file = { blockId, name: "qr-code.png", extension: "png", type: "image/png", bytes };
  return { kind: "qrCode", ...(await keepFile(files, file)) };
}

const pixels = 512;

/** The quiet zone around the code in modules, which scanners require. */
const border = 4;

/** Returns a QR code for a text of at most 2,900 bytes in UTF-8, as a PNG with one bit per pixel. */
export async function qrCodePng(text: string): Promise<Uint8Array> {
  const { encode } = await import("uqr");
  // Higher error correction levels have less capacity.
  const isLong = Buffer.byteLength(text) > 1_500;
  const { data, size } = encode(text, { ecc: isLong ? "L" : "M", border });
  const scale = Math.floor(pixels / size);
  const margin = Math.floor((pixels - scale * size) / 2);
  const isDark = (x: number, y: number): boolean => {
    const [column, row] = [Math.floor((x - margin) / scale), Math.floor((y - margin) / scale)];
    return data[row]?.[column] === true;
  };
  const rows = Array.from({ length: pixels }, (_, y) => {
    const row = Buffer.alloc(1 + pixels / 8);
    for (let x = 0; x < pixels; x++) {
      if (!isDark(x, y)) row[1 + (x >> 3)] = (row[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  // The bit depth: one bit per pixel, greyscale.
  header[8] = 1;
  const parts = [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.byteLength);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(Bun.hash.crc32(named));
  return Buffer.concat([length, named, sum]);
}
