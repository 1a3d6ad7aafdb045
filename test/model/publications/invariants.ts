import { lookAtReads } from "./people.ts";
import { hold, holdEqual } from "./promises.ts";
import { ask, type Bot, type Run, shownNow, type Workspace } from "./run.ts";

/**
 * Checks that the visitors of each bot get the versions that the model expects. `named` tells whether the last act
 * named a bot.
 */
export async function lookAtShown(run: Run, named: (bot: Bot) => boolean): Promise<void> {
  await Promise.all(run.bots.map((bot) => lookAtBot(run, bot, named(bot) ? "named" : "unnamed")));
}

async function lookAtBot(run: Run, bot: Bot, promised: "named" | "unnamed"): Promise<void> {
  const expected = shownNow(run, bot);
  if (bot.publicId === undefined) return;
  const started = await run.world.client.post(`/api/v1/bots/${bot.publicId}/startChat`, { body: {} });
  const seen = started.status === 200 ? started.text("messages.0.content.plainText") : started.text("code");
  hold(promised, expected.includes(seen), { bot: bot.name, expected, seen });
  if (bot.place !== "there" || run.suspended.has(bot.workspace)) return;
  const read = await ask(run, run.owner, "get", `bots/${bot.botId}`);
  const canary = await ask(run, run.owner, "get", `bots/${bot.botId}/canary`);
  holdEqual(promised, {
    bot: bot.name,
    expected: [bot.live ?? null, bot.canary ?? null],
    seen: [read.at("bot.publicationNumber") ?? null, canary.at("canary.number") ?? null],
  });
}

/** Checks every invariant after the acts of a run. */
export async function lookAtAll(run: Run): Promise<void> {
  await lookAtShown(run, () => false);
  await lookAtReads(run);
  for (const workspace of ["home", "other"] as const) await lookAtLog(run, workspace);
}

async function lookAtLog(run: Run, workspace: Workspace): Promise<void> {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const query = `limit=100${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await ask(run, run.owner, "get", `workspaces/${run.workspaces[workspace]}/audit?${query}`);
    hold("logged", page.status === 200, { body: page.body });
    for (const entry of page.list("entries")) {
      const { operation, subject, subjectIds, outcome } = Object(entry);
      hold("logged", outcome === "done", { entry });
      const isCopy = String(operation).endsWith("/duplicate") || operation === "POST /api/v1/bots";
      seen.push(`${operation} ${subject === "bot" && !isCopy ? subjectIds[0] : ""}`);
    }
    const next = page.at("nextCursor");
    cursor = typeof next === "string" ? next : undefined;
  } while (cursor !== undefined);
  const lines = run.log.filter((line) => line.workspace === workspace);
  const expected = lines.map(({ operation, botId }) => `${operation} ${botId}`);
  holdEqual("logged", { workspace, note: "missing", expected: [], seen: without(expected, seen) });
  holdEqual("logged", { workspace, note: "unexpected", expected: [], seen: without(seen, expected) });
}

/** Returns the elements of the first list that remain after each element of the second has been taken out once. */
function without(all: readonly string[], taken: readonly string[]): string[] {
  const left = [...all];
  for (const one of taken) {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
