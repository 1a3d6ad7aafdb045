import { createHash } from "node:crypto";
import { flagAt, textAt } from "../../web/conversation/read.ts";
import { flowOf, relinked } from "./links.ts";
import { RefusedRequest, type Server } from "./server.ts";
import { listBots, listFolders, listThemes, readBot, readPublishedBot, readResults } from "./source.ts";
import { type Kind, type Place, readState, type State, writeState } from "./state.ts";
import { addResults, type BotReport, changeBot, listOf, makeBot, makeFolder, makeTheme, publish } from "./target.ts";

export type Move = {
  readonly source: Server;
  readonly target: Server;
  readonly place: Place;
  readonly statePath: string;
  /** Whether bots that are published there are published here. */
  readonly isPublishing: boolean;
  readonly isWithResults: boolean;
  /** Whether client-side code is marked as another author's. */
  readonly isUntrusted: boolean;
  /** Says how far it is. */
  tell(line: string): void;
};

/** The counts of parts that the target has now, the results that are new in this run, and the parts that failed. */
const nothingMoved = { folders: 0, themes: 0, bots: 0, published: 0, results: 0, newResults: 0 };
export type MoveReport = typeof nothingMoved & { readonly problems: string[] };

/** Results in one request. */
const batch = 100;

/**
 * Brings folders, theme templates, bots and results of a workspace to another server, each once:
 *
 *     not known ─ noted as `making` ─→ being made ─ the target says its id ─→ made, and noted
 *     being made ─ this program ended ─→ the next run looks for what is new in the target and has its name and place: made, else being made anew
 *
 * Links between bots are set when all exist. Results are read page by page, and the target skips those that it has. A further run of a finished move
 * brings later results.
 */
export async function moveWorkspace(move: Move): Promise<MoveReport> {
  const state = (await readState(move.statePath, move.place)) ?? (await newState(move));
  const report: MoveReport = { ...nothingMoved, problems: [] };
  const run: Run = { ...move, state, report, save: () => writeState(move.statePath, state) };
  await run.save();
  await moveFolders(run);
  await moveThemes(run);
  const bots = await listBots(move.source, move.place.fromWorkspaceId);
  for (const [index, bot] of bots.entries()) await moveBot(run, bot, `${index + 1}/${bots.length}`);
  for (const bot of bots) await finishBot(run, bot);
  if (move.isWithResults) for (const bot of bots) await moveResults(run, bot);
  report.folders = Object.keys(state.folders).length;
  report.themes = Object.keys(state.themes).length;
  report.bots = Object.keys(state.bots).length;
  report.results = Object.values(state.results).reduce((sum, { added }) => sum + added, 0);
  return report;
}

type Run = Move & { readonly state: State; readonly report: MoveReport; save(): Promise<void> };

async function newState({ target, place }: Move): Promise<State> {
  const idsOf = async (kind: Kind) => (await listOf(target, place.workspaceId, kind)).map(({ id }) => id);
  const before = { folders: await idsOf("folders"), themes: await idsOf("themes"), bots: await idsOf("bots") };
  const nothing = { folders: {}, themes: {}, bots: {}, results: {}, making: null, finished: [] };
  return { format: 1, id: crypto.randomUUID(), ...place, before, ...nothing };
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
      makeTheme(run.target, { name, theme: theme.theme }, { workspaceId: run.place.workspaceId, key }),
    );
  }
}

async function moveBot(run: Run, { id, name }: { id: string; name: string }, count: string): Promise<void> {
  if (run.state.bots[id] !== undefined) return;
  const draft = await readBot(run.source, id);
  if (!draft) return;
  const { folders, themes } = run.state;
  const folderId = folders[textAt(draft, "folderId") ?? ""] ?? null;
  const selectedThemeTemplateId = themes[textAt(draft, "selectedThemeTemplateId") ?? ""] ?? null;
  const bot = { ...draft, folderId: null, selectedThemeTemplateId };
  await makeOnce(run, { kind: "bots", id, name }, async (key) => {
    const request = { bot, folderId, isUntrusted: run.isUntrusted };
    const made = await makeBot(run.target, request, { workspaceId: run.place.workspaceId, key });
    run.tell(`${count} ${named(name)}: ${blocksText(made.report)}`);
    return made.id;
  });
}

/** Sets fields that need all bots to exist, and publishes. */
async function finishBot(run: Run, { id, name }: { id: string; name: string }): Promise<void> {
  const { source, target, state, isPublishing } = run;
  const own = state.bots[id];
  if (own === undefined || state.finished.includes(id)) return;
  const draft = await readBot(source, id);
  if (!draft) return;
  await orProblem(run, named(name), async () => {
    const published = isPublishing ? await readPublishedBot(source, id) : undefined;
    if (published) {
      await changeBot(target, own, flowOf(published, state.bots));
      await takePublicId(run, { own, name, publicId: textAt(draft, "publicId") });
      if (!(await readPublishedBot(target, own))) await publish(target, own, keyOf(run, "publish", id));
      await changeBot(target, own, { ...flowOf(draft, state.bots), isClosed: flagAt(draft, "isClosed") ?? false });
      run.report.published++;
    } else {
      const groups = relinked(draft["groups"], state.bots);
      if (groups) await changeBot(target, own, { groups });
    }
    state.finished.push(id);
    await run.save();
  });
}

async function takePublicId(run: Run, bot: { own: string; name: string; publicId: string | undefined }): Promise<void> {
  const { own, name, publicId } = bot;
  if (publicId === undefined) return;
  await orProblem(run, `${named(name)} got another public id than ${named(publicId)}`, () =>
    changeBot(run.target, own, { publicId }),
  );
}

async function moveResults(run: Run, { id, name }: { id: string; name: string }): Promise<void> {
  const { source, target, state } = run;
  const own = state.bots[id];
  if (own === undefined) return;
  const before = state.results[id];
  const isThrough = before?.cursor === null;
  let cursor = before?.cursor ?? "0";
  for (;;) {
    const { results, next } = await readResults(source, id, { cursor, limit: batch });
    const added = results.length === 0 ? 0 : await sendResults(run, { own, name }, results);
    const sum = (state.results[id]?.added ?? 0) + added;
    run.report.newResults += added;
    // Newest first: if a finished move had this result, it had the older ones, too.
    const isOver = next === undefined || (isThrough && added === 0);
    state.results[id] = { cursor: isOver || isThrough ? null : next, added: sum };
    await run.save();
    if (isOver) {
      if (sum > 0) run.tell(`${named(name)}: ${sum} results`);
      return;
    }
    cursor = next;
  }

  /** Where the target refuses one of them, the others are sent alone. */
  async function sendResults(
    { report }: Run,
    bot: { own: string; name: string },
    results: readonly unknown[],
  ): Promise<number> {
    try {
      return await addResults(target, bot.own, { source: source.origin, results });
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      if (results.length === 1) {
        report.problems.push(`${named(bot.name)}, result ${textAt(results[0], "id")}: ${error.message}`);
        return 0;
      }
      let added = 0;
      for (const result of results) added += await sendResults(run, bot, [result]);
      return added;
    }
  }
}

type Thing = {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  /** The folder's own parent, in the target. */
  readonly parentId?: string | null;
};

async function makeOnce(run: Run, thing: Thing, make: (key: string) => Promise<string>): Promise<void> {
  const { state } = run;
  const { kind, id, name } = thing;
  const made = state[kind];
  if (made[id] !== undefined) return;
  await orProblem(run, named(name), async () => {
    const wasBegun = state.making?.kind === kind && state.making.id === id;
    const found = wasBegun ? await findMade(run, thing) : undefined;
    if (found === undefined) {
      state.making = { kind, id };
      await run.save();
    }
    made[id] = found ?? (await make(keyOf(run, kind, id)));
  });
  state.making = null;
  await run.save();
}

/** An object that a former run created without receiving the response: new in the target, with this name and place, and not a copy of another. */
async function findMade({ target, state, place }: Run, { kind, name, parentId }: Thing): Promise<string | undefined> {
  const taken = new Set([...state.before[kind], ...Object.values(state[kind])]);
  const candidates = await listOf(target, place.workspaceId, kind);
  const isIt = (one: (typeof candidates)[number]) =>
    !taken.has(one.id) && one.name === name && (one.parentId ?? null) === (parentId ?? null);
  return candidates.find(isIt)?.id;
}

/** Records an object that the target refuses for the final report, and continues with the rest. */
async function orProblem({ report, tell }: Run, what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    const problem = `${what}: ${error.message}`;
    report.problems.push(problem);
    tell(problem);
  }
}

function keyOf({ state }: Run, kind: string, id: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([state.id, kind, id]))
    .digest("hex");
  return `parley-import-${hash.slice(0, 40)}`;
}

/** A name from another server, safe for a terminal. */
function named(name: string): string {
  return JSON.stringify(name);
}

function blocksText({ exact, approximated, notRun, missingCredentials }: BotReport): string {
  const missing =
    missingCredentials === 0 ? "" : ` ${missingCredentials} blocks name credentials that are missing here.`;
  return `${exact} blocks run exactly, ${approximated} nearly, ${notRun} not.${missing}`;
}
