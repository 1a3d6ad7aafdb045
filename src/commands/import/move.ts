import { at, flagAt, type Json, numberAt, textAt } from "../../web/conversation/read.ts";
import { compareBot, compareWorkspace } from "./compare.ts";
import { findLeft } from "./left.ts";
import { flowOf, relinked, repaired } from "./links.ts";
import { makeOnce } from "./make-once.ts";
import { type Connections, moveConnections } from "./move-connections.ts";
import { moveWorkspaceFiles, withFiles } from "./move-files.ts";
import { moveCollaborators, moveMembers, type People } from "./move-people.ts";
import { moveResults } from "./move-results.ts";
import { moveRetention, moveTests, moveVersions, publishVersions } from "./move-versions.ts";
import { keyOf, type Move, type MovedBot, type MoveReport, named, orProblem, type Run } from "./run.ts";
import {
  findNames,
  listBots,
  listFolders,
  listThemes,
  ownNames,
  readBot,
  readBotFile,
  readPublishedBot,
} from "./source.ts";
import { type Kind, readState, type State, writeState } from "./state.ts";
import { type BotReport, changeBot, listOf, makeBot, makeFolder, makeTheme, publish } from "./target.ts";

/**
 * Moves a workspace to another server. Each object is created once: the state records the created objects, so that the
 * same command continues an interrupted run. A further run of a finished move adds objects that are new at the source,
 * such as bots, versions, results and members. It does not change the drafts of copied bots. A move sends no events and
 * no mails.
 */
export async function moveWorkspace(move: Move): Promise<MoveReport> {
  const state = (await readState(move.statePath, move.place)) ?? (await newState(move));
  const report = emptyReport();
  const names = await findNames(move.source);
  let files: ReadonlyMap<string, string> = new Map();
  const run: Run = {
    ...move,
    ...{ state, report, names, isParley: names === ownNames },
    rewritten: (value) => JSON.parse(withFiles(JSON.stringify(value), files)),
    save: () => writeState(move.statePath, state),
  };
  await run.save();
  let people: People = new Map();
  await orProblem(run, "Members", async () => {
    people = await moveMembers(run);
  });
  await orProblem(run, "Files of authors", async () => {
    files = await moveWorkspaceFiles(run);
  });
  await moveFolders(run);
  await moveThemes(run);
  const bots = await listAllBots(run);
  for (const [index, bot] of bots.entries()) await moveBot(run, bot, `${index + 1}/${bots.length}`);
  const moved = bots.flatMap((bot): MovedBot[] => {
    const own = state.bots[bot.id];
    return own === undefined ? [] : [{ ...bot, own }];
  });
  let connections: Connections = new Map();
  await orProblem(run, "Connections to messengers", async () => {
    connections = await moveConnections(run);
  });
  for (const bot of moved) await finishBot(run, bot, { people, connections });
  for (const bot of moved) {
    if (move.isWithResults) await orProblem(run, named(bot.name), () => moveResults(run, bot));
    if (bot.isArchived) await orProblem(run, named(bot.name), () => archive(run, bot));
  }
  await compareWorkspace(run, bots);
  for (const bot of moved) await compareBot(run, bot);
  await findLeft(run);
  report.folders = Object.keys(state.folders).length;
  report.themes = Object.keys(state.themes).length;
  report.bots = Object.keys(state.bots).length;
  report.results = Object.values(state.results).reduce((sum, { added }) => sum + added, 0);
  return report;
}

function emptyReport(): MoveReport {
  const counts = {
    folders: 0,
    themes: 0,
    files: 0,
    bots: 0,
    published: 0,
    results: 0,
    newResults: 0,
    changedResults: 0,
  };
  return { ...counts, compared: [], left: [], problems: [] };
}

async function newState({ target, place }: Move): Promise<State> {
  const idsOf = async (kind: Kind) => (await listOf(target, place.workspaceId, kind)).map(({ id }) => id);
  const before = { folders: await idsOf("folders"), themes: await idsOf("themes"), bots: await idsOf("bots") };
  const nothing = { folders: {}, themes: {}, bots: {}, results: {}, making: null, finished: [] };
  return { format: 1, id: crypto.randomUUID(), ...place, before, ...nothing };
}

type SourceBot = Omit<MovedBot, "own">;

/** Returns the bots of the source, oldest first. Archived bots come last. */
async function listAllBots({ source, place, names, isParley }: Run): Promise<SourceBot[]> {
  const list = async (isArchived: boolean) =>
    (await listBots(source, place.fromWorkspaceId, { names, isArchived })).map((bot) => ({ ...bot, isArchived }));
  return [...(await list(false)), ...(isParley ? await list(true) : [])];
}

async function moveFolders(run: Run): Promise<void> {
  for (const { id, name, parentId } of await listFolders(run.source, run.place.fromWorkspaceId)) {
    const parent = parentId === null ? null : (run.state.folders[parentId] ?? null);
    await makeOnce(run, { kind: "folders", id, name, parentId: parent }, (key) =>
      makeFolder(run.target, { name, parentId: parent }, { workspaceId: run.place.workspaceId, key }),
    );
  }
}

async function moveThemes(run: Run): Promise<void> {
  for (const theme of await listThemes(run.source, run.place.fromWorkspaceId)) {
    const name = theme.name.trim() === "" ? "Untitled" : theme.name;
    await makeOnce(run, { kind: "themes", id: theme.id, name }, (key) =>
      makeTheme(run.target, { name, theme: run.rewritten(theme.theme) }, { workspaceId: run.place.workspaceId, key }),
    );
  }
}

async function moveBot(run: Run, { id, name }: SourceBot, count: string): Promise<void> {
  const { source, target, state, names, place, isParley } = run;
  if (state.bots[id] !== undefined) return;
  const draft = await readBot(source, id, names);
  const file = isParley ? await readBotFile(source, id) : draft;
  if (!draft || !file) return;
  const folderId = state.folders[textAt(draft, "folderId") ?? ""] ?? null;
  const selectedThemeTemplateId = state.themes[textAt(draft, "selectedThemeTemplateId") ?? ""] ?? null;
  const bot = run.rewritten({ ...file, folderId: null, selectedThemeTemplateId });
  await makeOnce(run, { kind: "bots", id, name }, async (key) => {
    const request = { bot, names, folderId, isUntrusted: run.isUntrusted };
    const made = await makeBot(target, request, { workspaceId: place.workspaceId, key });
    run.tell(`${count} ${named(name)}: ${blocksText(made.report)}`);
    return made.id;
  });
}

/**
 * Moves new versions. Unless an earlier run finished the bot, also moves the parts that require all bots to exist, such
 * as links, settings, tests and the publication.
 */
async function finishBot(
  run: Run,
  bot: MovedBot,
  { people, connections }: { readonly people: People; readonly connections: Connections },
): Promise<void> {
  const { source, target, state, isParley, isPublishing, names } = run;
  const isFinished = state.finished.includes(bot.id);
  // A finished bot only gets new versions. An archived bot has no new versions, and servers other than Parley do not
  // return versions.
  if (isFinished && (bot.isArchived || !isParley)) return;
  const draft = await readBot(source, bot.id, names);
  if (!draft) return;
  await orProblem(run, named(bot.name), async () => {
    const nameless = isParley ? await moveVersions(run, bot, people) : 0;
    if (nameless > 0)
      run.report.left.push({ what: `Authors of versions of ${named(bot.name)}`, names: [`${nameless} versions`] });
    if (isFinished) return;
    const groups = relinked(draft["groups"], state.bots) && relinked(await groupsOf(run, bot, draft), state.bots);
    const domain = textAt(draft, "customDomain");
    if (domain !== undefined)
      run.report.left.push({ what: `Custom domain of ${named(bot.name)}`, names: [named(domain)] });
    const connection = connections.get(textAt(draft, "messengerCredentialsId") ?? "");
    const fields = {
      ...(connection !== undefined && { messengerCredentialsId: connection }),
      ...(groups && run.rewritten({ groups })),
      ...(flagAt(draft, "isClosed") && { isClosed: true }),
      ...(numberAt(draft, "riskLevel") !== undefined && { riskLevel: at(draft, "riskLevel") }),
    };
    if (Object.keys(fields).length > 0) await changeBot(target, bot.own, { fields, names });
    if (isParley) await moveTests(run, bot);
    if (isParley) await moveRetention(run, bot);
    await orProblem(run, `${named(bot.name)}, collaborators`, () => moveCollaborators(run, bot, people));
    if (isPublishing && (await publishBot(run, bot, draft))) run.report.published++;
    state.finished.push(bot.id);
    await run.save();
  });
}

/**
 * Returns the groups of the copy, where repeated ids are already repaired. Returns the groups of the draft if there is
 * no copy.
 */
async function groupsOf({ target, names }: Run, { own }: MovedBot, draft: Json): Promise<unknown> {
  return ((await readBot(target, own, names)) ?? draft)["groups"];
}

async function publishBot(run: Run, bot: MovedBot, draft: Json): Promise<boolean> {
  const { source, target, state, isParley, names } = run;
  const published = isParley ? undefined : await readPublishedBot(source, bot.id);
  if (isParley) {
    await takePublicId(run, bot, textAt(draft, "publicId"));
    return publishVersions(run, bot);
  }
  if (!published) return false;
  const copy = await readBot(target, bot.own, names);
  await changeBot(target, bot.own, { fields: repaired(flowOf(published, state.bots), copy), names });
  await takePublicId(run, bot, textAt(draft, "publicId"));
  if (!(await readPublishedBot(target, bot.own))) await publish(target, bot.own, keyOf(run, "publish", bot.id));
  await changeBot(target, bot.own, { fields: flowOf(copy ?? draft, state.bots), names });
  return true;
}

async function takePublicId(run: Run, { own, name }: MovedBot, publicId: string | undefined): Promise<void> {
  if (publicId === undefined) return;
  await orProblem(run, `${named(name)} got another public id instead of ${named(publicId)}`, () =>
    changeBot(run.target, own, { fields: { publicId }, names: run.names }),
  );
}

async function archive({ target, names }: Run, { own }: MovedBot): Promise<void> {
  const copy = await readBot(target, own, names);
  if (copy && !flagAt(copy, "isArchived"))
    await target.write("POST", `/api/v1/bots/${encodeURIComponent(own)}/archive`, { body: {} });
}

function blocksText({ exact, approximated, notRun, missingCredentials }: BotReport): string {
  const missing =
    missingCredentials === 0 ? "" : ` ${missingCredentials} blocks refer to credentials that are missing here.`;
  return `${exact} blocks run exactly, ${approximated} run nearly, and ${notRun} do not run.${missing}`;
}
