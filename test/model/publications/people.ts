import { hold, holdEqual } from "./promises.ts";
import { ask, type Bot, type Keyed, type Person, type Run } from "./run.ts";

/** Whether a person has the right to read a bot and its results. */
export function mayRead({ isMember }: Run, { who }: Person, { workspace }: Bot): boolean {
  return who === "owner" || (who === "member" && isMember && workspace === "home");
}

/**
 * Repeats a request with its key. Checks that only people who may still read get the response, and that the response
 * contains no word of an erased person.
 */
export async function lookAtKeyed(run: Run, { bot, sender, words, send }: Keyed): Promise<void> {
  const answer = await send();
  const facts = { bot: bot.name, place: bot.place, status: answer.status, body: answer.body };
  const isRead = mayRead(run, sender, bot) && bot.place !== "binned" && !run.suspended.has(bot.workspace);
  const shown = JSON.stringify(answer.body);
  hold("read", isRead || (answer.status >= 400 && !words.some((word) => shown.includes(word))), facts);
  hold("erased", !words.some((word) => run.erased.has(word) && shown.includes(word)), facts);
}

/** Checks that no table of the database contains a word. */
export async function lookForWord({ world }: Run, word: string): Promise<void> {
  const { sql } = world.api.deps;
  const tables = await sql<{ name: string }[]>`
    select table_name as name
    from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const every = tables.map(({ name }) => `select '${name}' as name from "${name}" as row where row::text like $1`);
  const found = await sql.unsafe<{ name: string }[]>(
    `select distinct name from (${every.join(" union all ")}) as found`,
    [`%${word}%`],
  );
  holdEqual("erased", { word, expected: [], seen: found.map(({ name }) => name) });
}

const bodies = ["", "/results?timeFilter=allTime&limit=100", "/publications", "/publishedBot"] as const;

/** Lets each person read each bot, and checks that only permitted reads succeed. */
export async function lookAtReads(run: Run): Promise<void> {
  for (const bot of run.bots) {
    const words = run.sightings.filter((sighting) => sighting.bot === bot).map(({ word }) => word);
    for (const person of [run.owner, run.member, run.stranger]) {
      const isRead = mayRead(run, person, bot) && bot.place !== "binned" && !run.suspended.has(bot.workspace);
      for (const path of bodies) {
        const answer = await ask(run, person, "get", `bots/${bot.botId}${path}`);
        const facts = { bot: bot.name, who: person.who, path, body: answer.body, place: bot.place };
        holdEqual("read", { ...facts, expected: isRead, seen: answer.status === 200 });
        const shown = JSON.stringify(answer.body);
        const isShown = (word: string) => shown.includes(word);
        if (isRead && path.startsWith("/results"))
          holdEqual("erased", { ...facts, expected: [], seen: [...run.erased].filter(isShown) });
        if (!isRead) holdEqual("read", { ...facts, expected: [], seen: words.filter(isShown) });
      }
    }
  }
  for (const keyed of run.keyed) await lookAtKeyed(run, keyed);
}
