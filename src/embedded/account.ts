import { readFileSync, statSync } from "node:fs";
import { StartError } from "../config.ts";

/** Debian's, Red Hat's and Alpine's "nobody". */
const nobody = 65_534;

/** The bits of /proc/self/status for the right to pass closed folders; Docker grants the first only. */
const folderRights = [
  { name: "dac_override", bit: 1n },
  { name: "dac_read_search", bit: 2n },
] as const;

/**
 * What comes before a command of PostgreSQL, which refuses to run as root: nothing for other users; for root `setpriv`
 * with the data's owner (at first "nobody"), who keeps the right to enter folders that are closed to everybody but root.
 */
export function commandPrefix(dataFolder: string): string[] {
  if (process.getuid?.() !== 0) return [];
  if (process.platform !== "linux" || !Bun.which("setpriv")) {
    throw new StartError("The embedded PostgreSQL does not run as root here: use another user or set DATABASE_URL.");
  }
  const owner = ownerOf(dataFolder);
  const rights = heldRights()
    .map((name) => `+${name}`)
    .join(",");
  const keep = rights === "" ? [] : ["--inh-caps", rights, "--ambient-caps", rights];
  return ["setpriv", "--reuid", String(owner.user), "--regid", String(owner.group), "--clear-groups", ...keep, "--"];
}

function ownerOf(folder: string): { user: number; group: number } {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found || found.uid === 0) return { user: nobody, group: nobody };
  return { user: found.uid, group: found.gid };
}

function heldRights(): string[] {
  const status = readFileSync("/proc/self/status", "utf8");
  const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  return folderRights.filter(({ bit }) => (permitted >> bit) & 1n).map(({ name }) => name);
}
