import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new empty folder below the system's folder for temporary files. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "parley-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
