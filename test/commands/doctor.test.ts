import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { examineRetries } from "../../src/commands/doctor/surroundings.ts";
import { readConfig } from "../../src/config.ts";
import { newId } from "../../src/platform/ids.ts";
import { createSecrets, credentialsPlace } from "../../src/platform/secrets.ts";
import { createEmptyDatabase, createTestDatabase } from "../support/database.ts";
import { cleanupStack, endService, runCommand, startService } from "../support/service.ts";

setDefaultTimeout(60_000);

const database = await createTestDatabase();
const cleanups = cleanupStack();
afterEach(cleanups.run);
afterAll(() => database.close());

type Finding = { what: string; state: string; says: string; todo?: string };

async function findings(
  environment: Record<string, string>,
): Promise<{ exitCode: number | null; of(what: string): Finding | undefined }> {
  const { exitCode, stdout } = await runCommand(["doctor", "--json"], {
    environment: { DATA_DIR: cleanups.folder(), ...environment },
  });
  const { findings: found }: { findings: Finding[] } = JSON.parse(stdout);
  return { exitCode, of: (what) => found.find((one) => one.what === what) };
}

test("doctor reports a working machine as fine", async () => {
  const service = await startService({ environment: { DATABASE_URL: database.url } });
  cleanups.add(() => endService(service));

  const builderPort = /Builder: http:\/\/127\.0\.0\.1:(\d+)\/app/.exec(service.stdout())?.[1] ?? "none";

  const { exitCode, of } = await findings({
    DATABASE_URL: database.url,
    PORT: new URL(service.url).port,
    APP_PORT: builderPort,
  });

  expect(exitCode).toBe(0);
  expect(of("Database")?.says).toMatch(/^PostgreSQL \d+\.\d+ at DATABASE_URL responds in \d+\.\d ms$/);
  expect(of("Tables")?.state).toBe("fine");
  expect(of("Clock")?.state).toBe("fine");
  expect(of("Storage")?.state).toBe("fine");
  expect(of("Port")).toEqual({
    what: "Port",
    state: "fine",
    says: `a Parley is running on ${new URL(service.url).port} and is ready`,
  });
  expect(of("Builder")).toEqual({ what: "Builder", state: "fine", says: `a Parley serves it on ${builderPort}` });
  expect(of("Encryption key")).toMatchObject({ state: "doubtful", todo: expect.stringContaining("openssl") });
  expect(of("Retries")).toEqual({
    what: "Retries",
    state: "fine",
    says: "events are tried 11 times within 75.6 hours, mails and calls 12 times",
  });
});

test.each<[Parameters<typeof readConfig>[0], "fine" | "doubtful"]>([
  [{}, "fine"],
  [{ EVENT_RETRY_SECONDS: "3600", DELIVERY_ATTEMPTS: "10" }, "fine"],
  [{ EVENT_RETRY_SECONDS: "5,3594" }, "doubtful"],
  [{ DELIVERY_ATTEMPTS: "9" }, "doubtful"],
])("the retry settings %j are %s for an outage of an hour", (settings, state) => {
  expect(examineRetries(readConfig(settings)).state).toBe(state);
});

test("doctor counts the stored secrets that no key decrypts", async () => {
  const { sql } = database;
  const workspaceId = newId();
  const secrets = createSecrets({ current: "k".repeat(32) });
  await sql`insert into workspaces (id, name) values (${workspaceId}, 'Ours')`;
  for (const id of [newId(), newId()]) {
    const sealed = await secrets.seal("{}", credentialsPlace(id));
    await sql`
      insert into credentials (id, workspace_id, type, name, sealed, hint)
      values (${id}, ${workspaceId}, 'openai', 'Ours', ${sealed}, '{}')`;
  }

  const environment = { DATABASE_URL: database.url, ENCRYPTION_KEY: "k".repeat(32) };
  const known = await findings(environment);
  const unknown = await findings({ ...environment, ENCRYPTION_KEY: "n".repeat(32) });

  expect(known.of("Stored secrets")).toMatchObject({ state: "fine", says: "all 2 can be decrypted" });
  expect(unknown.of("Stored secrets")).toMatchObject({
    state: "wrong",
    says: "no key decrypts 2 of 2",
    todo: expect.stringContaining("ENCRYPTION_KEY_OLD"),
  });
  await sql`delete from workspaces where id = ${workspaceId}`;
});

test("doctor reports the faults of several checks in one run", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  cleanups.add(() => other.stop(true));

  const { exitCode, of } = await findings({
    DATABASE_URL: "postgres://parley:hidden@127.0.0.1:1/parley",
    PORT: String(other.port),
    APP_PORT: String(other.port),
    SMTP_URL: "smtp://bots:hidden@127.0.0.1:1",
    OUTGOING_ALLOW: "nowhere.invalid",
    S3_BUCKET: "files",
    S3_ENDPOINT: "http://127.0.0.1:1",
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "hidden",
  });

  expect(exitCode).toBe(1);
  for (const what of ["Database", "Port", "Builder", "Mail", "Storage"])
    expect(of(what)).toMatchObject({ state: "wrong", todo: expect.any(String) });
  expect(of("Outgoing calls")?.state).toBe("doubtful");
  expect(JSON.stringify(["Database", "Mail", "Storage"].map(of))).not.toContain("hidden");
});

test("doctor reports a wrong setting and pending migrations", async () => {
  expect((await findings({ PORT: "http" })).of("Settings")?.says).toBe("PORT must be a whole number from 0 to 65535.");

  const empty = await createEmptyDatabase();
  cleanups.add(empty.close);
  expect((await findings({ DATABASE_URL: empty.url })).of("Tables")?.says).toMatch(/^\d+ migrations have not run yet$/);

  await runCommand(["migrate"], { environment: { DATABASE_URL: empty.url } });
  await empty.sql`insert into migrations (name, hash) values ('9999_tomorrow', 'x')`;
  expect((await findings({ DATABASE_URL: empty.url })).of("Tables")).toEqual({
    what: "Tables",
    state: "wrong",
    says: "a newer release has run the migration 9999_tomorrow",
    todo: "Start that release, or a newer one.",
  });
});

test("doctor prints one line for each check, and the remedy below each fault", async () => {
  const { stdout } = await runCommand(["doctor"], { environment: { PORT: "http" } });

  expect(stdout).toMatch(/^fine {4}Versions: Parley \S+, Bun \S+, \S+ on \S+$/m);
  expect(stdout).toEndWith(
    "WRONG   Settings: PORT must be a whole number from 0 to 65535.\n        → Correct the variable. No other checks were run.\n",
  );
});
