import { expect, test } from "bun:test";
import { events, eventTypes } from "../../../src/events.ts";
import { listFiles, readText } from "../../support/tidy/project.ts";

const sources = listFiles("src")
  .filter((path) => /\.tsx?$/.test(path) && path !== "events.ts" && !path.startsWith("web/"))
  .map((path) => ({ path, text: readText(`src/${path}`) }));

test("each event type in the table is written by an SQL statement", () => {
  const statements = sources.filter(
    ({ path, text }) => path.endsWith(".sql.ts") && /event_deliveries|botEvents|channelEvents/.test(text),
  );
  const written = (type: string) =>
    statements.some(({ text }) => text.includes(`'${type}'`) || text.includes(`"${type}"`));

  expect(eventTypes.filter((type) => !written(type))).toEqual([]);
});

test("SQL statements write no event type that is missing from the table", () => {
  const nouns = [...new Set(eventTypes.map((type) => type.split(".")[0]))].join("|");
  const names = sources
    .filter(({ path }) => path.startsWith("management/events/") || path.endsWith(".sql.ts"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(new RegExp(`'((?:${nouns})\\.[a-z_]+)'`, "g"))].map(([, name = ""]) => ({ path, name })),
    );

  expect(names.length).toBeGreaterThan(5);
  expect(names.filter(({ name }) => !Object.hasOwn(events, name))).toEqual([]);
});
