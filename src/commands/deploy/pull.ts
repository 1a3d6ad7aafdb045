import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { printJson, type Tools } from "../command.ts";
import { markOf, nameOf } from "./bot-files.ts";
import { differencesOf } from "./differences.ts";
import { folderNameFor, type LocalBot, readFolders, removeFolder, writeFolder } from "./folders.ts";
import { addPlace, type Lock, writeLock } from "./project.ts";
import { render } from "./rendering.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "./workspace.ts";

export type PullOptions = WorkspaceOptions & { readonly prune?: true };

/** The outcome for one folder: `kept` if the folder has local changes, `gone` if its bot no longer exists. */
type Pulled = {
  readonly folder: string;
  readonly botId: string;
  readonly outcome: "added" | "changed" | "unchanged" | "kept" | "gone" | "removed";
  readonly changes: readonly string[];
};

/**
 * Makes the files below a root match an environment. A folder with local changes stays unchanged, unless `--force` is
 * given. A folder whose bot no longer exists is removed only with `--prune`. If the folder has local changes, this also
 * needs `--force`.
 */
export async function pull(tools: Tools, name: string, root: string, options: PullOptions): Promise<void> {
  const workspace = await openWorkspace(tools, { name, root }, options);
  const { lock, remote, place, isNew } = workspace;
  const local = await readFolders(root);
  const ids = placeBots(workspace, local);
  const bots: Lock["bots"] = new Map();
  const pulled: Pulled[] = [];
  await mkdir(root, { recursive: true });
  for (const [folder, botId] of ids) {
    const one = remote.bots.get(botId);
    if (!one) continue;
    const files = render(remote, one, { folder, ids });
    const base = markOf(files);
    const before = local.get(folder);
    const changes = before ? differencesOf(before.files, files) : [];
    const mine = before && markOf(before.files);
    const known = lock.bots.get(folder);
    const isKept = mine !== undefined && mine !== base && mine !== known?.base && !options.force;
    if (isKept) {
      pulled.push({ folder, botId, outcome: "kept", changes });
      if (known) bots.set(folder, known);
      continue;
    }
    if (mine !== base || !before?.isStable)
      await writeFolder({ root, folder: join(root, folder) }, files, before?.files);
    // A draft that a deploy could not publish stays marked for publication, unless the draft or the live version has
    // changed since.
    const isPublishing = known?.isPublishing && known.base === base && known.published === one.published;
    bots.set(folder, {
      ...{ id: botId, base, revision: one.bot.revision, published: one.published },
      ...(isPublishing && { isPublishing }),
    });
    pulled.push({ folder, botId, outcome: before ? (mine === base ? "unchanged" : "changed") : "added", changes });
  }
  for (const [folder, known] of lock.bots) {
    if (remote.bots.has(known.id)) continue;
    const files = local.get(folder)?.files;
    if (!files) continue;
    const isKept = markOf(files) !== known.base && !options.force;
    const outcome = options.prune ? (isKept ? "kept" : "removed") : "gone";
    if (outcome === "removed") await removeFolder(join(root, folder), files);
    else bots.set(folder, known);
    pulled.push({ folder, botId: known.id, outcome, changes: [] });
  }
  if (isNew) await addPlace(root, place, remote.workspaceId);
  await writeLock(root, name, { workspaceId: remote.workspaceId, bots });
  report(tools, { name, pulled, json: options.json });
}

/**
 * Assigns a folder to each bot: its folder in the lock, the folder of a bot with the same name, or a new folder.
 * Returns the bots' ids by folder.
 */
function placeBots({ lock, remote }: Workspace, local: ReadonlyMap<string, LocalBot>): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [folder, { id }] of lock.bots) if (remote.bots.has(id)) ids.set(folder, id);
  const placed = new Set(ids.values());
  const others = [...remote.bots.values()].filter(({ bot }) => !placed.has(bot.id));
  for (const { bot } of others.toSorted((a, b) => (a.bot.id < b.bot.id ? -1 : 1))) {
    const isFree = (folder: string) => !ids.has(folder) && !lock.bots.has(folder);
    const same = [...local].filter(([folder, one]) => isFree(folder) && nameOf(one) === bot.name);
    const folder = same[0]?.[0] ?? folderNameFor(bot.name, (one) => !isFree(one) || local.has(one));
    ids.set(folder, bot.id);
  }
  return new Map([...ids].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function report(
  tools: Tools,
  { name, pulled, json }: { name: string; pulled: readonly Pulled[]; json: true | undefined },
) {
  const kept = pulled.filter(({ outcome }) => outcome === "kept");
  if (json) printJson(tools, { environment: name, bots: pulled });
  else {
    for (const { folder, outcome, changes } of pulled) {
      if (outcome === "unchanged") continue;
      tools.print(`${outcome.padEnd(8)}${folder}\n`);
      for (const change of changes) tools.print(`          ${change}\n`);
    }
    tools.print(`${pulled.length} bots, ${pulled.filter(({ outcome }) => outcome === "unchanged").length} unchanged\n`);
  }
  if (pulled.some(({ outcome }) => outcome === "gone"))
    tools.tell(`Folders whose bots no longer exist in "${name}" ("gone") are removed with --prune.`);
  if (kept.length === 0) return;
  tools.tell(
    `${kept.map(({ folder }) => folder).join(", ")}: neither written nor removed, because the files have changes that "${name}" does not have. Deploy them, or discard them with --force.`,
  );
  tools.setExitCode(1);
}
