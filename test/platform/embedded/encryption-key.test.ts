import { afterEach, expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig, StartError } from "../../../src/config.ts";
import { withEncryptionKey } from "../../../src/platform/embedded/encryption-key.ts";
import { cleanupStack } from "../../support/service.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

test("a key is created next to an embedded database, readable only by its owner, and found again", async () => {
  const folder = cleanups.folder();
  const config = readConfig({ DATA_DIR: folder });

  const { ENCRYPTION_KEY: made } = await withEncryptionKey(config);

  expect(Buffer.from(made ?? "", "base64")).toHaveLength(32);
  expect(statSync(join(folder, "encryption-key")).mode & 0o777).toBe(0o600);
  expect((await withEncryptionKey(config)).ENCRYPTION_KEY).toBe(made);
});

test("two folders have two keys", async () => {
  const one = await withEncryptionKey(readConfig({ DATA_DIR: cleanups.folder() }));
  const other = await withEncryptionKey(readConfig({ DATA_DIR: cleanups.folder() }));

  expect(one.ENCRYPTION_KEY).not.toBe(other.ENCRYPTION_KEY);
});

test("the operator's key is used unchanged, and no other key is created", async () => {
  const folder = cleanups.folder();
  const key = "k".repeat(32);

  const config = await withEncryptionKey(readConfig({ DATA_DIR: folder, ENCRYPTION_KEY: key }));

  expect(config.ENCRYPTION_KEY).toBe(key);
  expect(() => readFileSync(join(folder, "encryption-key"))).toThrow();
});

test("nodes that share a database do not get a node-specific key", async () => {
  const folder = cleanups.folder();

  const config = await withEncryptionKey(readConfig({ DATA_DIR: folder, DATABASE_URL: "postgres://elsewhere/db" }));

  expect(config.ENCRYPTION_KEY).toBeUndefined();
  expect(() => readFileSync(join(folder, "encryption-key"))).toThrow();
});

test("a truncated key stops the start, because another key would lose the encrypted secrets", async () => {
  const folder = cleanups.folder();
  writeFileSync(join(folder, "encryption-key"), "");
  chmodSync(join(folder, "encryption-key"), 0o600);

  const failure = await withEncryptionKey(readConfig({ DATA_DIR: folder })).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(StartError);
  expect(readFileSync(join(folder, "encryption-key"), "utf8")).toBe("");
});
