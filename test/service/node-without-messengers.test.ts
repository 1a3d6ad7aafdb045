import { afterEach, expect, setDefaultTimeout } from "bun:test";
import { startDueSteps } from "../../src/chat/due/due-steps.ts";
import { findOlderNodes } from "../../src/platform/database/connections.sql.ts";
import { migrations } from "../../src/platform/database/migrations.ts";
import { migrate } from "../../src/platform/database/schema/migrate.sql.ts";
import { createChannelWorld } from "../channels/channel-world.ts";
import { startFakeWebhook } from "../fake-channels/webhook.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { createClient } from "../support/client.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { openDatabaseProxy } from "../support/database-proxy.ts";
import { listReleaseStates, unpackRelease } from "../support/last-release.ts";
import { longTest } from "../support/long-test.ts";
import { moveClock } from "../support/moved-clock.ts";
import { cleanupStack, endService, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(180_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const firstOfChannels = migrations.findIndex(({ name }) => name.endsWith("_channels"));
const questionSeconds = 600;

/** Shows a callback address, asks for a number with a timeout, waits for the callback, and asks for a name. */
const flow = flowOf(
  [
    {
      ...{ id: "address", type: "Set variable" },
      options: { variableId: idOf("Email"), type: "Callback address", blockId: "listen" },
    },
    says("Call {{Email}}"),
    asks("number input", { timeout: { after: questionSeconds, outgoingEdgeId: idOf("e1") } }),
    { id: "listen", type: "webhook", options: {} },
    says("Your order is there"),
    asks("text input"),
  ],
  [says("Are you there?"), asks("email input")],
);

longTest("a node of a release without messengers leaves messenger chats unchanged", async () => {
  const state = listReleaseStates(30).find(({ count }) => count <= firstOfChannels);
  expect(state).toBeDefined();
  const database = await createEmptyDatabase();
  const proxy = await openDatabaseProxy(database.url);
  const older = await startService({
    command: unpackRelease(state?.commit ?? "", cleanups.folder()),
    environment: {
      ...{ DATABASE_URL: proxy.url, DATABASE_POOL: "4", DATA_DIR: cleanups.folder(), WORKER_THREADS: "1" },
      ...{ LOG_LEVEL: "warn", ENCRYPTION_KEY: "rolling".repeat(6) },
    },
  });
  cleanups.add(() => endService(older));
  await migrate(database.sql);
  // Make the node lose its database for a moment, so that the list of nodes does not contain it.
  proxy.refuse();
  await waitFor(async () => (await findOlderNodes(database.sql, firstOfChannels + 1)).length === 0);
  const service = await startFakeWebhook();
  const world = await createChannelWorld({ isSending: true, database });
  cleanups.add(async () => {
    await moveClock(database.sql, 0);
    await world.close();
    await proxy.close();
    await service.close();
  });
  const bot = await world.makeBot(flow);
  const program = await world.connectWebhook([{ botId: bot.botId, isEnabled: true }], {}, service.url);
  service.secret = program.secret;
  proxy.thaw();
  const there = createClient({ baseUrl: older.url, isOtherRelease: true });
  await waitFor(async () => (await there.post(`/api/v1/bots/${bot.publicId}/startChat`, { body: {} })).status === 200);

  const shown = (name: string, count: number) =>
    waitFor(() => service.shownTo(name).length === count && service.shownTo(name));
  for (const name of ["ana", "bo"]) await program.write(name, "Hi");
  const [said = ""] = await shown("ana", 1);
  await shown("bo", 1);
  await program.write("ana", "5");
  await world.settled();
  const chats = async () =>
    [
      ...(await database.sql<{ id: string; revision: number }[]>`
        select s.id, s.revision
        from sessions s
        join channel_addresses a on a.contact_id = s.channel_contact_id
        where a.connection_id = ${program.connectionId}
        order by a.value`),
    ] as const;
  const before = await chats();
  expect(before.map(({ revision }) => revision)).toEqual([2, 1]);

  const bos = before[1]?.id ?? "";
  const reply = await there.post(`/api/v1/sessions/${bos}/continueChat`, { body: { message: "5" } });
  expect(reply.at("code")).toBe("server.newer_state");
  const token = said.slice(said.lastIndexOf("/") + 1);
  const call = (client: typeof there) => client.post(`/api/v1/callbacks/${token}`, { body: {} });
  expect((await call(there)).at("code")).toBe("server.newer_state");
  // The older node tries the step, and releases it.
  await moveClock(database.sql, questionSeconds + 5);
  await waitFor(async () => {
    const tried = await database.sql`
      select from due_steps where session_id = ${bos} and attempts > 0 and held_by is null`;
    return tried.length === 1;
  });
  expect(await chats()).toEqual(before);

  expect((await call(world.api.client)).at("message")).toBe("OK");
  expect((await shown("ana", 2)).at(-1)).toBe("Your order is there");
  await moveClock(database.sql, 2 * questionSeconds);
  const due = startDueSteps(world.api.deps);
  cleanups.add(() => due.stop());
  due.wake();
  expect((await shown("bo", 2)).at(-1)).toBe("Are you there?");
});
