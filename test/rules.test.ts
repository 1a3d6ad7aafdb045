import { expect, test } from "bun:test";
import { Glob } from "bun";

/** A rule of the flow language, in one sentence. */
type Rule = { readonly id: string; readonly says: string };

const here = import.meta.dir;
const listed = (await readAll("rules/*.json")).flatMap(({ content }) => content);
const rules: readonly Rule[] = listed.filter(isRule);
const known = new Set(rules.map(({ id }) => id));
const shown = await rulesShown();

test("every rule has a unique id and a summary", () => {
  expect(rules).toHaveLength(listed.length);
  expect(rules).not.toBeEmpty();
  expect(rules.filter(({ says }) => !/^\p{Lu}.+\.$/u.test(says))).toEqual([]);
  expect(rules.map(({ id }) => id).filter((id, index, ids) => ids.indexOf(id) !== index)).toEqual([]);
});

test("every rule of the flow language has a conversation or a test vector", () => {
  const missing = rules.filter(({ id }) => !shown.has(id));
  expect(missing.map(({ id, says }) => `${id}: ${says}`)).toEqual([]);
});

test("conversations and vectors reference existing rules", () => {
  const strange = [...shown].filter(([id]) => !known.has(id));
  expect(strange.map(([id, paths]) => `${id}, named by ${[...paths].join(", ")}`)).toEqual([]);
});

/** Returns for each rule the data files that name it in a list `rules`, at any depth. */
async function rulesShown(): Promise<Map<string, Set<string>>> {
  const places = new Map<string, Set<string>>();
  const files = await readAll("**/*.json");
  for (const { path, content } of files.filter((file) => !file.path.startsWith("rules/"))) {
    for (const id of content.flatMap(rulesIn)) places.set(id, (places.get(id) ?? new Set()).add(path));
  }
  return places;
}

function rulesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === "rules" && Array.isArray(part) ? part.filter((id) => typeof id === "string") : rulesIn(part),
  );
}

async function readAll(pattern: string): Promise<{ path: string; content: readonly unknown[] }[]> {
  const paths = (await Array.fromAsync(new Glob(pattern).scan(here))).sort();
  return Promise.all(
    paths.map(async (path) => {
      const content: unknown = await Bun.file(`${here}/${path}`).json();
      return { path, content: Array.isArray(content) ? content : [content] };
    }),
  );
}

function isRule(value: unknown): value is Rule {
  if (typeof value !== "object" || value === null) return false;
  return "id" in value && typeof value.id === "string" && "says" in value && typeof value.says === "string";
}
