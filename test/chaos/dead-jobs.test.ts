import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { newId } from "../../src/ids.ts";
import { createTestDatabase } from "../support/database.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { moveClock } from "../support/moved-clock.ts";
import { putMail } from "../support/queue.ts";
import { putResult } from "../support/results.ts";
import { cleanupStack, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

// Jobs of a node that is killed, and another one on the same database.

setDefaultTimeout(120_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

/** A mail server, and whether a mail was about to be handed to it; `isSilent`: it says nothing to that. */
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

test("a mail of a node that was killed is sent by another one once it has missed its heartbeat, under its id", async () => {
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
  await waitFor(async () => (await database.sql`select from mails`).length === 0, { what: "the mail to be forgotten" });
});
