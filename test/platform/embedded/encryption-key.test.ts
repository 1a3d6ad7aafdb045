import { afterEach, expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig, StartError } from "../../../src/config.ts";
import { withEncryptionKey } from "../../../src/platform/embedded/encryption-key.ts";
import { cleanupStack } from "../../support/service.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

test("an embedded database gets a key file that only its owner may read", async () => {
  const folder = cleanups.folder();
  const config = readConfig({ DATA_DIR: folder });

  const { ENCRYPTION_KEY: made } = await withEncryptionKey(config);

  expect(Buffer.from(made ?? "", "base64")).toHaveLength(32);
  expect(statSync(join(folder, "encryption-key")).mode & 0o777).toBe(0o600);
  expect((await withEncryptionKey(config)).ENCRYPTION_KEY).toBe(made);
});

test("two data folders have different encryption keys", async () => {
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

test("a node with a DATABASE_URL gets no key and no key file", async () => {
  const folder = cleanups.folder();

  const config = await withEncryptionKey(readConfig({ DATA_DIR: folder, DATABASE_URL: "postgres://elsewhere/db" }));

  expect(config.ENCRYPTION_KEY).toBeUndefined();
  expect(() => readFileSync(join(folder, "encryption-key"))).toThrow();
});

test("an empty key file stops the start, and is not replaced", async () => {
  const folder = cleanups.folder();
  writeFileSync(join(folder, "encryption-key"), "");
  chmodSync(join(folder, "encryption-key"), 0o600);

  const failure = await withEncryptionKey(readConfig({ DATA_DIR: folder })).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(StartError);
  expect(readFileSync(join(folder, "encryption-key"), "utf8")).toBe("");
});
