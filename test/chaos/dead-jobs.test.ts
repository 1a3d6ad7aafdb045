import { afterEach, expect, setDefaultTimeout } from "bun:test";
import { newId } from "../../src/platform/ids.ts";
import { createClient } from "../support/client.ts";
import { createTestDatabase } from "../support/database.ts";
import { longTest } from "../support/long-test.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { moveClock } from "../support/moved-clock.ts";
import { putMail } from "../support/queue.ts";
import { putResult, putResults } from "../support/results.ts";
import { startS3 } from "../support/s3.ts";
import { cleanupStack, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(120_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

/**
 * A mail server that records each mail whose delivery begins. With `isSilent`, the server does not answer the delivery.
 */
async function startMailbox(isSilent: boolean): Promise<{ server: MailServer; sent: string[] }> {
  const sent: string[] = [];
  const server = await startMailServer({
    replyTo(command) {
      if (!command.startsWith("DATA")) return undefined;
      sent.push(command);
      return isSilent ? "" : undefined;
    },
  });
  cleanups.add(server.close);
  return { server, sent };
}

longTest("another node sends a killed node's mail under the same id", async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const [silent, open] = [await startMailbox(true), await startMailbox(false)];
  const [dying, living] = await Promise.all(
    [silent, open].map(async ({ server }) => {
      const node = await startService({
        environment: {
          DATABASE_URL: database.url,
          DATA_DIR: cleanups.folder(),
          LOG_LEVEL: "warn",
          ENCRYPTION_KEY: "k".repeat(40),
          SMTP_URL: `smtp://127.0.0.1:${server.port}`,
          SMTP_FROM: "bot@example.com",
        },
      });
      cleanups.add(() => node.signal("SIGKILL"));
      return node;
    }),
  );
  if (!dying || !living) throw new Error("Two nodes were asked for");
  const botId = newId();
  const { resultId } = await putResult(database.sql, botId);

  living.signal("SIGSTOP");
  const id = await putMail(database.sql, { subject: "An order", resultId, botId });
  await waitFor(() => silent.sent.length === 1, { what: "the first node to send it" });
  dying.signal("SIGKILL");
  await moveClock(database.sql, 11);
  living.signal("SIGCONT");

  await waitFor(() => open.server.mails.length === 1, { what: "the other node to send it" });
  expect(open.server.mails[0]?.headers).toMatchObject({ subject: "An order" });
  expect(open.server.mails[0]?.headers["message-id"]).toContain(id);
  await waitFor(async () => (await database.sql`select from mails`).length === 0, {
    what: "the mail to be forgotten",
  });
});

longTest("a killed node's export continues on another node and creates the same file", async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const held = Promise.withResolvers<void>();
  let puts = 0;
  const s3 = startS3({
    onRequest(request) {
      if (!request.startsWith("PUT ")) return undefined;
      puts++;
      return puts === 2 ? held.promise : undefined;
    },
  });
  cleanups.add(() => s3.stop());
  cleanups.add(held.resolve);
  const token = "the administrator of both nodes";
  const nodes = await Promise.all(
    ["dying", "living"].map(async () => {
      const node = await startService({
        environment: {
          DATABASE_URL: database.url,
          DATA_DIR: cleanups.folder(),
          LOG_LEVEL: "warn",
          ENCRYPTION_KEY: "k".repeat(40),
          ADMIN_TOKEN: token,
          S3_BUCKET: s3.bucket,
          S3_ENDPOINT: s3.endpoint,
          S3_ACCESS_KEY_ID: s3.accessKeyId,
          S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
        },
      });
      cleanups.add(() => node.signal("SIGKILL"));
      return { node, client: createClient({ baseUrl: node.url }) };
    }),
  );
  const [dying, living] = nodes;
  if (!dying || !living) throw new Error("Two nodes were asked for");
  const workspace = await dying.client.post("/api/v1/workspaces", { token, body: { name: "Exports" } });
  const made = await dying.client.post("/api/v1/bots", {
    token,
    body: { workspaceId: workspace.text("workspace.id"), bot: {} },
  });
  const botId = made.text("bot.id");
  await putResults(database.sql, botId, 600);
  await database.sql`update results set note = repeat('x', 20000) where bot_id = ${botId}`;
  // The check of the storage at startup writes and deletes a small object.
  await waitFor(() => s3.objects.size === 0 && puts >= 2);
  puts = 0;

  living.node.signal("SIGSTOP");
  const path = `/api/v1/bots/${botId}/result-exports`;
  const id = (await dying.client.post(path, { token, body: { format: "csv" } })).text("resultExport.id");
  await waitFor(() => puts === 2, { what: "the second part" });
  const [first = ""] = [...s3.objects.keys()];
  dying.node.signal("SIGKILL");
  await moveClock(database.sql, 11);
  living.node.signal("SIGCONT");

  const file = `${id.slice(-2)}/${id}`;
  await waitFor(
    async () => (await living.client.get(`${path}/${id}`, { token })).at("resultExport.status") === "ready",
    {
      withinMs: 60_000,
      what: "the export",
    },
  );
  const headers = { Authorization: `Bearer ${token}` };
  const streamed = await fetch(`${living.node.url}/api/v1/bots/${botId}/results/export?format=csv`, { headers });
  expect(await streamed.text()).toBe(new TextDecoder().decode(s3.objects.get(file)?.bytes));
  expect(s3.requests.filter((request) => request === `GET ${first}`)).toHaveLength(1);
  expect(s3.requests.filter((request) => request === `PUT ${first}`)).toHaveLength(1);
  held.resolve();
  await waitFor(() => s3.requests.includes(`DELETE ${first}`));
});
