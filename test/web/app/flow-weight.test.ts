import { expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { bundleApp } from "../../../src/web/server/bundle-app.ts";

const text = (content: Uint8Array) => new TextDecoder().decode(content);

test("the compressed flow screen is smaller than 139 kB", async () => {
  const files = await bundleApp({ hasGallery: false });
  const byName = new Map(files.map((file) => [file.name, file]));
  const loaded = new Set<string>();
  const load = (name: string) => {
    const file = byName.get(name);
    if (!file || loaded.has(name)) return;
    loaded.add(name);
    // Follows only static imports. The name of a dynamic import is in parentheses.
    for (const [, part = ""] of text(file.content).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) load(part);
  };
  for (const { name, entry, content } of files) {
    const isScreen = entry === undefined && text(content).includes("flow-screen");
    if (isScreen || ["main.js", "app.css", "start.js"].includes(entry ?? "")) load(name);
  }
  const bytes = [...loaded].map((name) => brotliCompressSync(byName.get(name)?.content ?? "").byteLength);

  expect(loaded.size).toBeGreaterThanOrEqual(5);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(139_000);
  const comments = files.find(
    ({ name, entry, content }) =>
      entry === undefined && !loaded.has(name) && text(content).includes("comment-composer"),
  );
  const commentBytes = brotliCompressSync(comments?.content ?? "").byteLength;
  expect(commentBytes).toBeGreaterThan(1_000);
  expect(commentBytes).toBeLessThan(12_000);
  expect(
    [...loaded].filter((name) => text(byName.get(name)?.content ?? new Uint8Array()).includes("ProseMirror")),
  ).toEqual([]);
});
