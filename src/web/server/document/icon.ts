import { crc32, deflateSync } from "node:zlib";
import type { Accent } from "../../../core/theme/accent.ts";
import { type Rgb, rgbOf } from "../../../core/theme/colors.ts";

/** Returns Parley's icon in these colors, as the data URL of an SVG: a speech bubble on a square. */
export function iconAddress({ color, ink }: Accent): string {
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="${color}"/><path fill="${ink}" d="M12 11h16a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4h-7l-6 5v-5h-3a4 4 0 0 1-4-4v-8a4 4 0 0 1 4-4Z"/></svg>`,
  )}`;
}

/** Draws the icon as a square PNG of `size` pixels, whose edges a system may crop. */
export function iconPng(size: number, { color, ink }: Accent): Uint8Array<ArrayBuffer> {
  const [back, front] = [rgbOf(color) ?? black, rgbOf(ink) ?? black];
  // Icons in an ICO file must have an alpha channel.
  const rows = new Uint8Array(size * (1 + 4 * size)).fill(255);
  for (let y = 0; y < size; y++) {
    const row = y * (1 + 4 * size);
    rows[row] = 0;
    for (let x = 0; x < size; x++) {
      const share = coverage(x, y, size);
      const at = row + 1 + 4 * x;
      for (const part of [0, 1, 2] as const) rows[at + part] = back[part] + (front[part] - back[part]) * share;
    }
  }
  return png(size, rows);
}

const black: Rgb = [0, 0, 0];

/** Returns an ICO file with a PNG of 32 by 32 pixels. */
export function iconIco(accent: Accent): Uint8Array<ArrayBuffer> {
  const picture = iconPng(32, accent);
  const file = new Uint8Array(22 + picture.byteLength);
  const view = new DataView(file.buffer);
  view.setUint16(2, 1, true);
  view.setUint16(4, 1, true);
  file.set([32, 32, 0, 0, 1, 0, 32, 0], 6);
  view.setUint32(14, picture.byteLength, true);
  view.setUint32(18, 22, true);
  file.set(picture, 22);
  return file;
}

/** Returns how much of a pixel the bubble covers, from 0 to 1. The soft edge is one pixel wide. */
function coverage(x: number, y: number, size: number): number {
  const unit = 40 / size;
  const [px, py] = [(x + 0.5) * unit, (y + 0.5) * unit];
  const inside = Math.max(-distanceToBox(px, py), distanceIntoTail(px, py));
  return Math.min(1, Math.max(0, inside / unit + 0.5));
}

/** Returns the distance to the box from (8, 11) to (32, 27) with corners of 4; negative inside the box. */
function distanceToBox(x: number, y: number): number {
  const [dx, dy] = [Math.abs(x - 20) - 8, Math.abs(y - 19) - 4];
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - 4;
}

/**
 * Returns how far a point is inside the tail, which is the triangle (21, 26), (15, 32), (15, 26); negative outside the
 * tail.
 */
function distanceIntoTail(x: number, y: number): number {
  return Math.min(x - 15, y - 26, (47 - x - y) / Math.SQRT2);
}

/** Returns a PNG file from rows of RGBA pixels, each with its filter byte. */
function png(size: number, rows: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, size);
  new DataView(header.buffer).setUint32(4, size);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
  const parts = [signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", new Uint8Array())];
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.byteLength);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.byteLength, crc32(bytes.subarray(4, 8 + data.byteLength)));
  return bytes;
}
