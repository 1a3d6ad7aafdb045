import { expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { languages } from "../../../src/web/app/words/index.ts";
import { type AppFile, bundleApp } from "../../../src/web/server/bundle-app.ts";

const text = (content: Uint8Array) => new TextDecoder().decode(content);

test("the sign-in and list of bots load less than 75 kB of compressed files", async () => {
  const files = await bundleApp({ hasGallery: false });
  const byName = new Map(files.map((file) => [file.name, file]));
  const begin = files.filter(({ entry }) => ["main.js", "app.css", "start.js"].includes(entry ?? ""));
  const screen = (words: string) => {
    const found = files.find(({ entry, content }) => entry === undefined && text(content).includes(words));
    if (!found) throw new Error(`No part has "${words}"`);
    return found;
  };
  const loaded = new Set<string>();
  const load = (name: string) => {
    const file = byName.get(name);
    if (!file || loaded.has(name)) return;
    loaded.add(name);
    // Follows only static imports. The name of a dynamic import is in parentheses.
    for (const [, part = ""] of text(file.content).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) load(part);
  };
  for (const { name } of [...begin, screen("/api/v1/sign-in/link"), screen("first-bot-doors")]) load(name);
  const bytes = [...loaded].map((name) => brotliCompressSync(byName.get(name)?.content ?? "").byteLength);

  expect(loaded.size).toBeGreaterThanOrEqual(5);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(75_000);
  expect(files.filter(({ content }) => text(content).includes("Design system"))).toEqual([]);
  // Each language is a separate file, which is not loaded at the beginning.
  const ofLanguages = languages.filter((tag) => tag !== "en").map((tag) => byName.get(nameOf(files, `${tag}.js`)));
  expect(ofLanguages.map((file) => file && loaded.has(file.name))).toEqual([false, false, false]);
});

function nameOf(files: readonly AppFile[], entry: string): string {
  return files.find((file) => file.entry === entry)?.name ?? "";
}
