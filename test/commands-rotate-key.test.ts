import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecrets, eventSecretPlace } from "../src/secrets.ts";
import { createTestDatabase } from "./support/database.ts";
import { cleanupStack, endService, runCommand, type Service, startService } from "./support/service.ts";

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

const oneAnew = { exitCode: 0, stdout: "Encrypted anew: 1 event endpoint.\n", stderr: "" };

test("beside an embedded database the key in DATA_DIR is replaced, once nothing needs the old one", async () => {
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

  // As a rotation that was broken off leaves it: a new key, under which nothing is sealed yet, and the one before.
  writeFileSync(keyFile, `${"n".repeat(44)}\n${made}`);
  expect(await runCommand(["rotate-key"], { environment })).toEqual(oneAnew);
});

test("with DATABASE_URL what ENCRYPTION_KEY_OLD opens is sealed under ENCRYPTION_KEY", async () => {
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

  expect(none.stderr).toBe("There is no key: set ENCRYPTION_KEY, and ENCRYPTION_KEY_OLD to the one before.\n");
  expect(unknown.exitCode).toBe(1);
  expect(unknown.stderr).toContain(`No key opens event endpoint ${id}`);
  expect(known).toEqual(oneAnew);
  const [row] = await database.sql`select secret from event_endpoints where id = ${id}`;
  expect(await createSecrets({ current: next }).open(row?.["secret"], eventSecretPlace(id))).toBe(secret);
});
