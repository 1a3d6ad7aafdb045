import { lstat, realpath } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { StartError } from "../../config.ts";

/**
 * Throws a StartError for a path that leaves a folder when its links are followed. A repository may contain links to
 * any place, whose files would be written, removed or sent to a service.
 */
export async function keepWithin(root: string, path: string): Promise<void> {
  const real = await realpath(root);
  for (let part = path; ; part = dirname(part)) {
    const found = await realpath(part).catch(() => undefined);
    if (found === real || found?.startsWith(real + sep)) return;
    // A path that does not exist yet is judged by the folders around it; a link without a target would be followed.
    const isNothing = found === undefined && !(await lstat(part).catch(() => undefined));
    if (!isNothing) throw new StartError(`${part} leads out of ${root}: remove this link.`);
  }
}
