import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../src/platform/database/migrations.ts";
import { createSecrets, credentialsPlace, eventSecretPlace, secretPlace } from "../../src/platform/secrets.ts";
import { createTestApi } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { longTest } from "../support/long-test.ts";
import { cleanupStack, endService, runCommand, type Service, sourceCommand, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(120_000);

const database = await createTestDatabase();
const token = "the operator's own token";
const cleanups = cleanupStack();
afterEach(cleanups.run);
afterAll(() => database.close());

async function makeEndpoint(service: Service): Promise<{ id: string; secret: string }> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${service.url}/api/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return await response.json();
  };
  const { workspace } = await post("workspaces", { name: "Events" });
  const { eventEndpoint } = await post(`workspaces/${workspace.id}/event-endpoints`, {
    url: "https://example.com/events",
    eventTypes: ["result.started"],
  });
  return { id: eventEndpoint.id, secret: eventEndpoint.secret };
}

const oneAnew = { exitCode: 0, stdout: "Encrypted with the new key: 1 event endpoint.\n", stderr: "" };

longTest("rotate-key replaces the key in DATA_DIR unless a service runs", async () => {
  const folder = cleanups.folder();
  const environment = { DATA_DIR: folder, ADMIN_TOKEN: token };
  const keyFile = join(folder, "encryption-key");
  const service = await startService({ environment });
  await makeEndpoint(service);
  const old = readFileSync(keyFile, "utf8");

  const whileServing = await runCommand(["rotate-key"], { environment });
  expect(whileServing.exitCode).toBe(1);
  expect(whileServing.stderr).toContain("Another Parley is running");
  expect(readFileSync(keyFile, "utf8")).toBe(old);
  await endService(service);

  expect(await runCommand(["rotate-key"], { environment })).toEqual(oneAnew);
  const made = readFileSync(keyFile, "utf8");
  expect(made).toMatch(/^\S+\n$/);
  expect(made).not.toBe(old);

  // The state after an interrupted rotation: a new key that has sealed nothing yet, and the previous key.
  writeFileSync(keyFile, `${"n".repeat(44)}\n${made}`);
  expect(await runCommand(["rotate-key"], { environment })).toEqual(oneAnew);
});

test("rotate-key re-encrypts a secret of an external database", async () => {
  const [old, next] = ["o".repeat(32), "n".repeat(32)];
  const environment = { DATABASE_URL: database.url, ADMIN_TOKEN: token };
  const service = await startService({ environment: { ...environment, ENCRYPTION_KEY: old } });
  const { id, secret } = await makeEndpoint(service);
  await endService(service);

  const none = await runCommand(["rotate-key"], { environment });
  const unknown = await runCommand(["rotate-key"], { environment: { ...environment, ENCRYPTION_KEY: next } });
  const known = await runCommand(["rotate-key"], {
    environment: { ...environment, ENCRYPTION_KEY: next, ENCRYPTION_KEY_OLD: `${"x".repeat(32)}, ${old}` },
  });

  expect(none.stderr).toBe("There is no key: set ENCRYPTION_KEY, and ENCRYPTION_KEY_OLD to the previous key.\n");
  expect(unknown.exitCode).toBe(1);
  expect(unknown.stderr).toContain(`No key decrypts event endpoint ${id}`);
  expect(known).toEqual(oneAnew);
  const [row] = await database.sql`select secret from event_endpoints where id = ${id}`;
  expect(await createSecrets({ current: next }).open(row?.["secret"], eventSecretPlace(id))).toBe(secret);
});

test("rotate-key rejects the database of a newer release and of an older release", async () => {
  const own = await createTestDatabase();
  cleanups.add(own.close);
  const environment = { DATABASE_URL: own.url, ENCRYPTION_KEY: "n".repeat(32) };
  const rotate = async () => (await runCommand(["rotate-key"], { environment })).stderr;

  await own.sql`insert into migrations (name, hash) values ('9999_newer.sql', '')`;
  expect(await rotate()).toBe(
    "The database belongs to a newer release, which has run the migration 9999_newer.sql: use that release.\n",
  );
  await own.sql`delete from migrations where name > '0072'`;
  expect(await rotate()).toBe(
    `The database does not have the migration ${migrations.find(({ name }) => name > "0072")?.name} yet: run "parley migrate" first.\n`,
  );
});

async function openedBy({ sql }: TestDatabase, current: string): Promise<boolean[]> {
  const rows = await sql<{ id: string; sealed: Uint8Array; isSecret: boolean }[]>`
    select id, sealed, false as is_secret from credentials
    union all
    select id, sealed, true from secrets
    order by is_secret, id`;
  const { open } = createSecrets({ current });
  return Promise.all(
    rows.map(async ({ id, sealed, isSecret }) => {
      return (await open(sealed, isSecret ? secretPlace(id) : credentialsPlace(id))) !== undefined;
    }),
  );
}

/** Kills `parley rotate-key` while it waits for a row that another transaction has locked. */
async function killWithin({ sql }: TestDatabase, environment: Readonly<Record<string, string>>): Promise<void> {
  await sql.begin(async (holding) => {
    await holding`select id from secrets where id = (select id from secrets order by id offset 4 limit 1) for update`;
    const command = Bun.spawn([...sourceCommand, "rotate-key"], {
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
      stdout: "ignore",
      stderr: "ignore",
    });
    const isWaiting = async (): Promise<boolean> => {
      const waiting = await sql`
        select 1
        from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length > 0;
    };
    await waitFor(isWaiting, { withinMs: 60_000, what: "the rotation to come to the row that is held" });
    command.kill("SIGKILL");
    await command.exited;
  });
}

test("a killed rotation leaves all secrets readable", async () => {
  const [old, next] = ["p".repeat(32), "q".repeat(32)];
  const own = await createTestDatabase();
  cleanups.add(own.close);
  const withKeys = (ENCRYPTION_KEY: string, more: object = {}) =>
    createTestApi({ database: { ...own, close: async () => {} }, config: { ENCRYPTION_KEY, ...more } });
  const before = await withKeys(old);
  const owner = await before.makeUser();
  const place = `/api/v1/workspaces/${await before.makeWorkspace(owner)}`;
  const account = { type: "groq", name: "Ours", data: { apiKey: "gsk-0123456789-4f2a" } };
  await before.client.post(`${place}/credentials`, { token: owner.token, body: account });
  for (const index of Array(8).keys()) {
    const body = { value: `the value ${index}` };
    await before.client.put(`${place}/secrets/NAME_${index}`, { token: owner.token, body });
  }
  await before.close();
  const environment = { DATABASE_URL: own.url, ENCRYPTION_KEY: next, ENCRYPTION_KEY_OLD: old };

  await killWithin(own, environment);
  // The locked row may have been resealed after its release, because its statement had already been sent.
  const halfWay = await openedBy(own, next);
  expect(halfWay.slice(0, 5)).toEqual(Array(5).fill(true));
  expect(halfWay.slice(6)).toEqual(Array(3).fill(false));
  const meanwhile = await withKeys(next, { ENCRYPTION_KEY_OLD: old });
  const secrets = await meanwhile.client.get(`${place}/secrets`, { token: owner.token });
  const credentials = await meanwhile.client.get(`${place}/credentials`, { token: owner.token });
  await meanwhile.close();
  expect(secrets.at("secrets.*.isReadable")).toEqual(Array(8).fill(true));
  expect(credentials.at("credentials.*.isReadable")).toEqual([true]);

  const again = await runCommand(["rotate-key"], { environment });
  expect(again).toEqual({ exitCode: 0, stdout: "Encrypted with the new key: 1 credentials, 8 secrets.\n", stderr: "" });
  expect(await openedBy(own, next)).toEqual(Array(9).fill(true));
  expect(await openedBy(own, old)).toEqual(Array(9).fill(false));
});
