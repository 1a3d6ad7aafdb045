import { countResultsThere } from "./move-results.ts";
import { compareTests, compareVersions } from "./move-versions.ts";
import type { Compared, MovedBot, Run } from "./run.ts";
import { listBots, listFolders, listThemes } from "./source.ts";
import type { Kind } from "./state.ts";
import { listOf } from "./target.ts";

type There = readonly { readonly id: string }[];

/**
 * Counts folders, themes and bots of the source, and their copies in the target. Copies of objects that were deleted at
 * the source are not counted.
 */
export async function compareWorkspace(run: Run, bots: There): Promise<void> {
  const { source, target, place, state, report, names } = run;
  const compare = async (what: string, kind: Kind, there: There) => {
    const ids = new Set((await listOf(target, place.workspaceId, kind)).map(({ id }) => id));
    if (kind === "bots") {
      for (const { id } of await listBots(target, place.workspaceId, { names, isArchived: true })) ids.add(id);
    }
    const here = there.filter(({ id }) => ids.has(state[kind][id] ?? "")).length;
    report.compared.push({ what, bot: null, there: there.length, here });
  };
  await compare("Folders", "folders", await listFolders(source, place.fromWorkspaceId));
  await compare("Theme templates", "themes", await listThemes(source, place.fromWorkspaceId));
  await compare("Bots", "bots", bots);
}

/**
 * Counts the objects of a bot at the source and in the target. Versions and tests are counted only if the source is
 * Parley, and results only if they are moved.
 */
export async function compareBot(run: Run, bot: MovedBot): Promise<void> {
  const { report, state, isParley, isWithResults } = run;
  const add = (what: string, { there, here }: Pick<Compared, "there" | "here">) =>
    report.compared.push({ what, bot: bot.name, there, here });
  if (isParley) {
    add("Versions", await compareVersions(run, bot));
    add("Test conversations", await compareTests(run, bot));
  }
  const { there, here } = state.results[bot.id] ?? {};
  if (!isWithResults || !there || !here) return;
  const counted = isParley ? await countResultsThere(run, bot) : undefined;
  add("Results", { there: counted ?? there.results, here: here.results });
  add("Answers", { there: there.answers, here: here.answers });
  add("Files of visitors", { there: there.files, here: here.files });
}

/** Returns whether the numbers at the source and in the target differ. */
export function isDifferent({ there, here }: Compared): boolean {
  return there !== here;
}
