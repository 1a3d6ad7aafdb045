import { at, flagAt, isObject, listAt, numberAt, textAt } from "../../web/conversation/read.ts";
import { flowOf } from "./links.ts";
import type { People } from "./move-people.ts";
import { type MovedBot, named, orProblem, type Run } from "./run.ts";
import type { Server } from "./server.ts";
import { entriesOf } from "./source.ts";

type Version = { readonly number: number; readonly createdAt: string; readonly entry: unknown };

/**
 * Moves the versions that the copy of a bot lacks, oldest first, with their numbers, times, notes and authors. Returns
 * the number of versions whose author is unknown or does not exist in the target.
 */
export async function moveVersions(run: Run, bot: MovedBot, people: People): Promise<number> {
  const { source, target, state, isUntrusted } = run;
  const theirs = (await listVersions(source, bot.id)).toReversed();
  const ours = new Set((await listVersions(target, bot.own)).map(({ number }) => number));
  let nameless = 0;
  for (const { number, createdAt, entry } of theirs) {
    const by = textAt(entry, "publishedBy");
    const publishedBy = by === undefined ? null : (people.get(by) ?? null);
    if (publishedBy === null) nameless++;
    if (ours.has(number)) continue;
    await orProblem(run, `${named(bot.name)}, version ${number}`, async () => {
      const whole = at(await source.get(`${botPath(bot.id)}/publications/${number}`), "publication");
      if (!isObject(whole)) return;
      const body = {
        ...{ number, createdAt, publishedBy, note: textAt(entry, "note") ?? null },
        isDraft: flagAt(entry, "isDraft") ?? false,
        overruledRules: listAt(entry, "overruledRules"),
        bot: run.rewritten(flowOf(whole, state.bots)),
        enableSafetyFlags: isUntrusted,
      };
      await target.write("POST", `${botPath(bot.own)}/publications/import`, { body });
    });
  }
  return nameless;
}

/**
 * Publishes in the target the versions that are published at the source (the version for all visitors, and the canary),
 * unless the target's bot is already published. Returns false if the bot is not published at the source.
 */
export async function publishVersions({ source, target }: Run, { id, own }: MovedBot): Promise<boolean> {
  const versions = await listVersions(source, id);
  const current = versions.find(({ entry }) => flagAt(entry, "isCurrent"));
  if (!current) return false;
  const { canary } = await readCanary(source, id);
  const isHere = (await listVersions(target, own)).some(({ entry }) => flagAt(entry, "isCurrent"));
  if (!isHere)
    await target.write("POST", `${botPath(own)}/publications/${current.number}/resume`, { body: { canary } });
  return true;
}

async function readCanary(server: Server, id: string) {
  const canary = at(await server.find(`${botPath(id)}/canary`), "canary");
  const [number, percent] = [numberAt(canary, "number"), numberAt(canary, "percent")];
  return { canary: number === undefined || percent === undefined ? null : { number, percent } };
}

/** Counts the versions of a bot, and how many of them the copy has. Versions match by number and time. */
export async function compareVersions(
  { source, target }: Run,
  { id, own }: MovedBot,
): Promise<{ there: number; here: number }> {
  const theirs = await listVersions(source, id);
  const ours = new Set((await listVersions(target, own)).map(keyOfVersion));
  return { there: theirs.length, here: theirs.filter((version) => ours.has(keyOfVersion(version))).length };
}

function keyOfVersion({ number, createdAt }: Version): string {
  return `${number} ${createdAt}`;
}

async function listVersions(server: Server, id: string): Promise<Version[]> {
  const found: Version[] = [];
  for await (const entry of entriesOf(server, `${botPath(id)}/publications`, {}, "publications")) {
    const [number, createdAt] = [numberAt(entry, "number"), textAt(entry, "createdAt")];
    if (number !== undefined && createdAt !== undefined) found.push({ number, createdAt, entry });
  }
  return found;
}

/**
 * Moves the test conversations of a bot. A test that publishing requires at the source is also required in the target.
 */
export async function moveTests(run: Run, bot: MovedBot): Promise<void> {
  for (const test of await listTests(run.source, bot.id)) {
    const name = textAt(test, "name") ?? "";
    await orProblem(run, `${named(bot.name)}, test conversation ${named(name)}`, async () => {
      const whole = at(await run.source.get(testPath(bot.id, name)), "testConversation");
      const body = { conversation: at(whole, "conversation"), isRequired: flagAt(whole, "isRequired") ?? false };
      await run.target.write("PUT", testPath(bot.own, name), { body });
    });
  }
}

/**
 * Counts the test conversations of a bot, and how many of them the copy has with the same requirement for publishing.
 */
export async function compareTests(
  { source, target }: Run,
  { id, own }: MovedBot,
): Promise<{ there: number; here: number }> {
  const keyOf = (test: unknown) => `${textAt(test, "name")} ${flagAt(test, "isRequired")}`;
  const theirs = (await listTests(source, id)).map(keyOf);
  const ours = new Set((await listTests(target, own)).map(keyOf));
  return { there: theirs.length, here: theirs.filter((test) => ours.has(test)).length };
}

async function listTests(server: Server, id: string): Promise<readonly unknown[]> {
  return listAt(await server.find(`${botPath(id)}/testConversations`), "testConversations");
}

function testPath(botId: string, name: string): string {
  return `${botPath(botId)}/testConversations/${encodeURIComponent(name)}`;
}

/** Sets the copy's retention of results to that of the original bot, if the original bot has one. */
export async function moveRetention({ source, target }: Run, { id, own }: MovedBot): Promise<void> {
  const days = numberAt(await source.find(`${botPath(id)}/results/retention`), "retention", "days");
  if (days !== undefined) await target.write("PUT", `${botPath(own)}/results/retention`, { body: { days } });
}

function botPath(id: string): string {
  return `/api/v1/bots/${encodeURIComponent(id)}`;
}
