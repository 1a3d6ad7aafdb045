import { afterAll, beforeAll, expect, test } from "bun:test";
import { canonicalHash } from "../../../../src/core/flow/canonical.ts";
import { completeFlow } from "../../../../src/core/flow/complete.ts";
import { factsOf } from "../../../../src/core/flow/facts.ts";
import { findBot, insertBot } from "../../../../src/management/bots/bots.sql.ts";
import { findPublishedFlow, publishFlow } from "../../../../src/management/bots/versions/publications.sql.ts";
import { violatedConstraint } from "../../../../src/platform/database/violations.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";

let database: TestDatabase;
const workspaceId = newId();
const flow = completeFlow({});

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`insert into workspaces (id, name) values (${workspaceId}, 'W')`;
});
afterAll(() => database.close());

test("nothing is published if the generated public id is already taken", async () => {
  await makeBot("taken");
  const botId = await makeBot(null);
  const error = await publish(botId, "TAKEN").catch((thrown: unknown) => thrown);
  expect(violatedConstraint(error)).toBe("bots_public_id");
  expect(await findBot(database.sql, botId)).toMatchObject({ publicId: null });
  expect(await findPublishedFlow(database.sql, botId)).toBeUndefined();
  expect(await database.sql`select from flows where bot_id = ${botId}`).toHaveLength(0);
});

test("publishing a bot with a public id ignores the generated public id", async () => {
  const botId = await makeBot("own");
  expect(await publish(botId, "taken")).toMatchObject({ number: 1, publicId: "own" });
});

test("publishing a missing bot stores nothing", async () => {
  expect(await publish(newId(), "nobody")).toBeUndefined();
  expect(await database.sql`select from publications where bot_id not in (select id from bots)`).toHaveLength(0);
});

async function makeBot(publicId: string | null): Promise<string> {
  const id = newId();
  const rest = {
    icon: null,
    folderId: null,
    selectedThemeTemplateId: null,
    resultsTablePreferences: null,
    customDomain: null,
    editor: null,
    extra: null,
  };
  await insertBot(database.sql, { ...flow, ...rest, id, workspaceId, name: "B", publicId });
  return id;
}

function publish(botId: string, publicId: string) {
  const publication = {
    botId,
    id: newId(),
    publishedBy: newId(),
    note: null,
    publicId,
    movesChats: false,
    canaryPercent: null,
  };
  return publishFlow(database.sql, publication, { hash: canonicalHash(flow), flow, facts: factsOf(flow), revision: 0 });
}
