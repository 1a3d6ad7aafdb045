import { readFileSync, statSync } from "node:fs";
import { StartError } from "../../config.ts";

/** The user id of "nobody" on Debian, Red Hat and Alpine. */
const nobody = 65_534;

/** Capability bits in /proc/self/status. Docker grants all of these capabilities except `dac_read_search`. */
const capabilities = { dac_override: 1n, dac_read_search: 2n, setpcap: 8n } as const;

/**
 * Returns the prefix for a command of PostgreSQL, which refuses to run as root. The prefix is empty for other users.
 * For root, the prefix runs `setpriv` with the data's owner (initially "nobody"), who may still enter folders that only
 * root may enter. Throws a StartError for root without `setpriv`.
 */
export function commandPrefix(dataFolder: string): string[] {
  if (process.getuid?.() !== 0) return [];
  if (process.platform !== "linux" || !Bun.which("setpriv")) {
    throw new StartError(
      "The embedded PostgreSQL does not run as root, and `setpriv` (util-linux), which starts it as another user, is not on the PATH: set PATH, use another user, or set DATABASE_URL.",
    );
  }
  const { user, group } = ownerOf(dataFolder);
  return ["setpriv", "--reuid", String(user), "--regid", String(group), "--clear-groups", ...keptRights(), "--"];
}

/**
 * Returns the owner of the database's files if this process runs as root, and undefined otherwise. The owner is
 * "nobody" if the folder is missing or belongs to root.
 */
export function dataOwner(dataFolder: string): { user: number; group: number } | undefined {
  return process.getuid?.() === 0 ? ownerOf(dataFolder) : undefined;
}

function ownerOf(folder: string): { user: number; group: number } {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found || found.uid === 0) return { user: nobody, group: nobody };
  return { user: found.uid, group: found.gid };
}

function keptRights(): string[] {
  const status = readFileSync("/proc/self/status", "utf8");
  const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  const holds = (name: keyof typeof capabilities) => ((permitted >> capabilities[name]) & 1n) === 1n;
  const names = (["dac_override", "dac_read_search"] as const).filter(holds).map((name) => `+${name}`);
  if (names.length === 0) return [];
  const rights = ["--inh-caps", names.join(","), "--ambient-caps", names.join(",")];
  // PostgreSQL calls access() to check that its own programs exist. Without this bit, access() answers as if the
  // process had no rights.
  return holds("setpcap") ? ["--securebits", "+no_setuid_fixup", ...rights] : rights;
}
