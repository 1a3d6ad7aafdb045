import { lstat, realpath } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { StartError } from "../../config.ts";

/**
 * Throws a StartError if a path leaves the folder through a symbolic link. A repository may contain links to any file,
 * which a command would then write, remove or send to a service.
 */
export async function keepWithin(root: string, path: string): Promise<void> {
  const real = await realpath(root);
  for (let part = path; ; part = dirname(part)) {
    const found = await realpath(part).catch(() => undefined);
    if (found === real || found?.startsWith(real + sep)) return;
    // If a path does not exist yet, its nearest existing parent folder is checked. A link without a target is treated
    // as existing, because a write would follow it.
    const isNothing = found === undefined && !(await lstat(part).catch(() => undefined));
    if (!isNothing) throw new StartError(`${part} links to a file outside ${root}: remove this link.`);
  }
}
