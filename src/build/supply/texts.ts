import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Whether the standard text of a licence (such as `MIT`) is stored. These texts do not name copyright holders. */
export function hasText(licence: string): boolean {
  return existsSync(fileOf(licence));
}

export function standardText(licence: string): string {
  return readFileSync(fileOf(licence), "utf8").trim();
}

function fileOf(licence: string): string {
  return join(import.meta.dir, "texts", `${licence}.txt`);
}
