import { existsSync, readFileSync } from "node:fs";

/** Linux's unit of processor time, on every machine. */
const ticksPerSecond = 100;
const stat = "/proc/self/stat";

/** Processor time of this process, and of all below it that has ended, in seconds; undefined where the system does not tell. */
export function processorSeconds(): number | undefined {
  if (!existsSync(stat)) return undefined;
  const text = readFileSync(stat, "utf8");
  // After the program's name, which may have spaces in it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [user, system, usersBelow, systemsBelow] = fields.slice(11, 15).map(Number);
  return ((user ?? 0) + (system ?? 0) + (usersBelow ?? 0) + (systemsBelow ?? 0)) / ticksPerSecond;
}
