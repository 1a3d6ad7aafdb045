import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Config, StartError } from "../../config.ts";
import { codeOf } from "../thrown.ts";
import { openDataFolder } from "./folders.ts";
import { writePrivateFile } from "./private-file.ts";

const keyBytes = 32;

/**
 * Returns the configuration with the key that encrypts secrets. With an embedded database, a missing key is created in
 * DATA_DIR on the first call. If nodes share a database and the operator has not set a key, the result has no key. The
 * caller must hold the lock of DATA_DIR.
 */
export async function withEncryptionKey(config: Config): Promise<Config> {
  if (!isOurs(config)) return config;
  return withKeys(config, await loadOrCreateKeys(config));
}

/** Like `withEncryptionKey`, but for read-only callers: never creates a key. */
export async function withKeptKey(config: Config): Promise<Config> {
  if (!isOurs(config)) return config;
  return withKeys(config, (await readKeys(keyFile(config))) ?? []);
}

function withKeys(config: Config, [current, ...old]: readonly string[]): Config {
  if (current === undefined) return config;
  return { ...config, ENCRYPTION_KEY: current, ...(old.length > 0 && { ENCRYPTION_KEY_OLD: old.join(",") }) };
}

/** Whether the key is managed by Parley in DATA_DIR. */
export function isOurs({ ENCRYPTION_KEY, DATABASE_URL }: Config): boolean {
  return ENCRYPTION_KEY === undefined && DATABASE_URL === undefined;
}

/** Creates a new key in DATA_DIR. The previous keys are kept to decrypt existing secrets. */
export async function addEncryptionKey(config: Config): Promise<void> {
  await writePrivateFile(keyFile(config), [newKey(), ...(await loadOrCreateKeys(config))].join("\n"));
}

/** Deletes all keys in DATA_DIR except the current key. No secret may still be encrypted with an old key. */
export async function forgetOldKeys(config: Config): Promise<void> {
  const [current] = await loadOrCreateKeys(config);
  await writePrivateFile(keyFile(config), current);
}

function keyFile({ DATA_DIR }: Config): string {
  return join(DATA_DIR, "encryption-key");
}

function newKey(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(keyBytes))).toString("base64");
}

/** Returns the keys, with the current key first. Creates a key if there is none. */
async function loadOrCreateKeys(config: Config): Promise<[string, ...string[]]> {
  openDataFolder(config.DATA_DIR);
  const kept = await readKeys(keyFile(config));
  if (kept !== undefined) return kept;
  const made = newKey();
  await writePrivateFile(keyFile(config), made);
  return [made];
}

/**
 * Reads the keys, or returns undefined if the file does not exist. An empty file is an error and not a missing key,
 * because with a new key the existing secrets would be lost silently.
 */
async function readKeys(path: string): Promise<[string, ...string[]] | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new StartError(`The encryption key in ${path} cannot be read.`, { cause: error });
  }
  const [current = "", ...old] = text.trim().split(/\s+/);
  if ([current, ...old].some((key) => key.length < keyBytes)) {
    throw new StartError(`The encryption key in ${path} is damaged: replace it with its backup copy.`);
  }
  return [current, ...old];
}
