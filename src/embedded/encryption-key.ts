import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Config, StartError } from "../config.ts";
import { openDataFolder } from "./folders.ts";
import { writePrivateFile } from "./private-file.ts";

const keyBytes = 32;

/**
 * The configuration with the key that secrets are stored under: the operator's, or, beside an embedded database, one of our own
 * in DATA_DIR, made at the first call. Without one where nodes share a database and the operator gave them none. Whoever calls
 * holds DATA_DIR.
 */
export async function withEncryptionKey(config: Config): Promise<Config> {
  if (config.ENCRYPTION_KEY !== undefined || config.DATABASE_URL !== undefined) return config;
  return { ...config, ENCRYPTION_KEY: await loadOrCreateKey(config) };
}

async function loadOrCreateKey(config: Config): Promise<string> {
  openDataFolder(config.DATA_DIR);
  const path = join(config.DATA_DIR, "encryption-key");
  const kept = await readKey(path);
  if (kept !== undefined) return kept;
  const made = Buffer.from(crypto.getRandomValues(new Uint8Array(keyBytes))).toString("base64");
  await writePrivateFile(path, made);
  return made;
}

/** An empty file is an error, not a missing key: a new key would silently lose the secrets sealed under the old one. */
async function readKey(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new StartError(`The encryption key in ${path} cannot be read.`, { cause: error });
  }
  const key = text.trim();
  if (key.length < keyBytes) throw new StartError(`The encryption key in ${path} is damaged: put its copy back.`);
  return key;
}
