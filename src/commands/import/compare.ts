import { countResultsThere } from "./move-results.ts";
import { compareTests, compareVersions } from "./move-versions.ts";
import type { Compared, MovedBot, Run } from "./run.ts";
import { listBots, listFolders, listThemes } from "./source.ts";
import type { Kind } from "./state.ts";
import { listOf } from "./target.ts";

/** Counts folders, themes and bots of the source, and those of them whose copies are in the target. */
export async function compareWorkspace(run: Run, bots: { readonly there: number }): Promise<void> {
  const { source, target, place, state, report, names } = run;
  const here = async (kind: Kind) => {
    const ids = new Set((await listOf(target, place.workspaceId, kind)).map(({ id }) => id));
    if (kind === "bots") {
      for (const { id } of await listBots(target, place.workspaceId, { names, isArchived: true })) ids.add(id);
    }
    return Object.values(state[kind]).filter((id) => ids.has(id)).length;
  };
  const folders = await listFolders(source, place.fromWorkspaceId);
  const themes = await listThemes(source, place.fromWorkspaceId);
  report.compared.push(
    { what: "Folders", bot: null, there: folders.length, here: await here("folders") },
    { what: "Theme templates", bot: null, there: themes.length, here: await here("themes") },
    { what: "Bots", bot: null, there: bots.there, here: await here("bots") },
  );
}

/** Counts the versions, tests and results of a bot, with their answers and files, in the source and in the target. */
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

/** Whether something of the source is not here. */
export function isDifferent({ there, here }: Compared): boolean {
  return there !== here;
}
