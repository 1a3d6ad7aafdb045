import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Config, StartError } from "../../config.ts";
import { codeOf } from "../thrown.ts";
import { openDataFolder } from "./folders.ts";
import { writePrivateFile } from "./private-file.ts";

const keyBytes = 32;

/**
 * The configuration with the key that encrypts secrets: the operator's, or, beside an embedded database, one of our own
 * in DATA_DIR, made at the first call. Contains no key if nodes share a database and the operator set none. The caller
 * holds the lock of DATA_DIR.
 */
export async function withEncryptionKey(config: Config): Promise<Config> {
  if (!isOurs(config)) return config;
  return withKeys(config, await loadOrCreateKeys(config));
}

/** Like `withEncryptionKey`, for read-only callers: it never makes a key. */
export async function withKeptKey(config: Config): Promise<Config> {
  if (!isOurs(config)) return config;
  return withKeys(config, (await readKeys(keyFile(config))) ?? []);
}

function withKeys(config: Config, [current, ...old]: readonly string[]): Config {
  if (current === undefined) return config;
  return { ...config, ENCRYPTION_KEY: current, ...(old.length > 0 && { ENCRYPTION_KEY_OLD: old.join(",") }) };
}

/** Whether the key is one of our own, in DATA_DIR. */
export function isOurs({ ENCRYPTION_KEY, DATABASE_URL }: Config): boolean {
  return ENCRYPTION_KEY === undefined && DATABASE_URL === undefined;
}

/** Makes a new key of our own; the previous ones are kept after it, and decrypt what they have encrypted. */
export async function addEncryptionKey(config: Config): Promise<void> {
  await writePrivateFile(keyFile(config), [newKey(), ...(await loadOrCreateKeys(config))].join("\n"));
}

/** Deletes all keys of our own except the current one: no secret is encrypted with them any more. */
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

/** The keys, the current one first. */
async function loadOrCreateKeys(config: Config): Promise<[string, ...string[]]> {
  openDataFolder(config.DATA_DIR);
  const kept = await readKeys(keyFile(config));
  if (kept !== undefined) return kept;
  const made = newKey();
  await writePrivateFile(keyFile(config), made);
  return [made];
}

/** An empty file is an error, not a missing key: a new key would silently lose the secrets sealed under the old one. */
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
    throw new StartError(`The encryption key in ${path} is damaged: put its copy back.`);
  }
  return [current, ...old];
}
