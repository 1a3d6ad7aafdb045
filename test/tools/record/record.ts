import { mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Glob } from "bun";
import type { Conversation } from "../../support/conversation.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { endService, startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";
import { postForms } from "./forms.ts";
import { createNames, type Names } from "./names.ts";
import { openWorld, reportsOf, type World, worldVariable } from "./world.ts";

/**
 * Runs `npm run record -- FOLDER [TESTS]`: plays every conversation of test/conversations and every flow of test/flows
 * on a service, through both APIs, and writes one file for each with all responses. Two runs of the same version are
 * equal, so a difference between two versions is a change of behaviour.
 */
const adminToken = "a-token-of-the-recorder";
/** Replies for flows without a written conversation, by the type of the input. */
const replies: Readonly<Record<string, string>> = {
  "text input": "Some words",
  "number input": "3",
  "email input": "ada@example.com",
  "url input": "https://example.com",
  "phone number input": "+33612345678",
  "date input": "2026-12-31",
  "time input": "14:30",
  "rating input": "4",
  "file input": "https://example.com/file.pdf",
};
const mostTurns = 20;

type Play = Pick<Conversation, "start" | "turns" | "linkedFlows" | "contentFormat"> & {
  readonly name: string;
  readonly flow: unknown;
  /** Whether the flow determines the replies, because it was exported and has no written conversation. */
  readonly isFree: boolean;
};

/** The names that one of the APIs uses. */
type Spelling = { readonly root: string; readonly bot: string; readonly published: string };
const spellings: readonly Spelling[] = [
  { root: "/api/v1/bots", bot: "bot", published: "publishedBot" },
  { root: "/api/v1/typebots", bot: "typebot", published: "publishedTypebot" },
];

type Answer = { readonly status: number; readonly body: string };

type Recorder = {
  readonly url: string;
  readonly world: World;
  readonly database: TestDatabase;
  readonly workspaceId: string;
};

const [folder, tests = join(import.meta.dir, "../..")] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name a folder: npm run record -- FOLDER");
await record(resolve(folder));

async function record(target: string): Promise<void> {
  const database = await createTestDatabase();
  const data = temporaryFolder();
  const world = openWorld();
  await slowClock(database);
  const service = await startService({
    command: [process.execPath, join(import.meta.dir, "node.ts")],
    environment: {
      DATABASE_URL: database.url,
      DATA_DIR: data.path,
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEY: "k".repeat(32),
      LOG_LEVEL: "error",
      WORKER_THREADS: "2",
      PROCESSES: "1",
      [worldVariable]: world.url,
    },
  });
  try {
    const workspace = await send(service.url, "POST", "/api/v1/workspaces", { name: "Records" });
    const { id = "none" } = partOf(JSON.parse(workspace.body), "workspace") ?? {};
    const recorder = { url: service.url, world, database, workspaceId: String(id) };
    rmSync(target, { recursive: true, force: true });
    for (const spelling of spellings) {
      for await (const play of plays()) {
        const exchanges = await recordPlay(recorder, play, spelling);
        const path = join(target, `${spelling.bot}s`, `${play.name}.json`);
        mkdirSync(dirname(path), { recursive: true });
        await Bun.write(path, `${JSON.stringify(exchanges, null, 1)}\n`);
      }
    }
  } finally {
    await endService(service);
    await world.close();
    await database.close();
    data.remove();
  }
}

/**
 * Changes the clock of a database so that the day is always the same and a second counts as a millisecond. Recorded
 * times are then equal.
 */
async function slowClock({ sql }: TestDatabase): Promise<void> {
  const [row] = await sql<[{ now: number }]>`select extract(epoch from statement_timestamp())::float8 as now`;
  await sql.unsafe(`
    create or replace function clock() returns timestamptz(3)
      language sql stable parallel safe
      return date_trunc('milliseconds', timestamptz '2026-11-20 12:00:00Z'
        + (extract(epoch from statement_timestamp())::float8 - ${row.now}) * interval '1 millisecond')`);
}

async function* plays(): AsyncGenerator<Play> {
  const flows = join(tests, "flows");
  const files = (pattern: string) => [...new Glob(pattern).scanSync(tests)].sort();
  for (const path of files("conversations/*/*.json")) {
    const conversation: Conversation = await Bun.file(join(tests, path)).json();
    const { flow } = conversation;
    const whole: unknown = typeof flow === "string" ? await Bun.file(join(flows, `${flow}.json`)).json() : flow;
    const name = `${basename(dirname(path))}/${basename(path, ".json")}`;
    yield { ...conversation, name, flow: whole, isFree: false };
  }
  for (const path of files("flows/*.json")) {
    const flow: unknown = await Bun.file(join(tests, path)).json();
    yield { name: `flows/${basename(path, ".json")}`, flow, turns: [], isFree: true };
  }
}

/** Records one conversation as a live chat, as a preview and on its page, followed by all its stored data. */
async function recordPlay(recorder: Recorder, play: Play, spelling: Spelling): Promise<unknown[]> {
  const names = createNames();
  names.learn(recorder.url, "http://parley");
  const exchanges: unknown[] = [];
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const { status, body: given } = await send(recorder.url, method, path, body);
    const text = path.endsWith("/logs") ? inOrder(given) : given;
    learnFrom(text, names);
    exchanges.push({ request: names.replace(`${method} ${path}`), status, body: names.replace(text) });
    return text === "" ? undefined : JSON.parse(text);
  };
  const make = async (flow: unknown, title: string): Promise<{ id: string; publicId: string }> => {
    const { workspaceId } = recorder;
    const given = isObject(flow) ? { name: title, ...flow } : flow;
    const body = { workspaceId, [spelling.bot]: given };
    // An import accepts flows that creating a bot rejects.
    const made =
      partOf(play.isFree ? undefined : await call("POST", spelling.root, body), spelling.bot) ??
      partOf(await call("POST", `${spelling.root}/import`, body), spelling.bot);
    const id = String(made?.["id"]);
    const published = await call("POST", `${spelling.root}/${id}/publish`, { force: true });
    return { id, publicId: isObject(published) ? String(published["publicId"]) : "none" };
  };

  let flow = JSON.stringify(play.flow);
  for (const [title, linked] of Object.entries(play.linkedFlows ?? {})) {
    const { id } = await make(linked, `Linked ${title}`);
    flow = flow.replace(new RegExp(`("(?:typebotId|botId)":)"${title}"`, "g"), `$1"${id}"`);
  }
  const { id, publicId } = await make(JSON.parse(flow), `Record ${play.name}`);
  const bot = `${spelling.root}/${id}`;
  await call("GET", bot);
  await call("GET", `${bot}/${spelling.published}`);

  const { message, startFrom, prefilledVariables, isOnlyRegistering } = play.start ?? {};
  const common = {
    ...(message !== undefined && { message }),
    ...(prefilledVariables && { prefilledVariables }),
    ...(isOnlyRegistering && { isOnlyRegistering }),
    ...(play.contentFormat && { textBubbleContentFormat: play.contentFormat }),
  };
  const talk = async (path: string, body: object): Promise<void> => {
    recorder.world.play(reportsOf(play));
    let step = await call("POST", path, body);
    const sessionId = isObject(step) ? step["sessionId"] : undefined;
    if (typeof sessionId !== "string") return;
    for (let turn = 1; play.isFree ? turn < mostTurns && inputOf(step) : turn < play.turns.length; turn++) {
      const say = play.isFree ? replyTo(inputOf(step)) : play.turns[turn]?.say;
      const message = say === undefined ? {} : { message: say };
      step = await call("POST", `/api/v1/sessions/${sessionId}/continueChat`, message);
    }
    await call("GET", `/api/v1/sessions/${sessionId}`);
    exchanges.push({ calls: JSON.parse(names.replace(JSON.stringify(recorder.world.calls()))) });
  };
  await talk(`${spelling.root}/${publicId}/startChat`, common);
  await talk(`${bot}/preview/startChat`, { ...common, ...(startFrom && { startFrom: startFrom }) });

  recorder.world.play(reportsOf(play));
  for (const page of await postForms(
    `${recorder.url}/${publicId}`,
    play.turns.slice(1).map(({ say }) => say),
  )) {
    exchanges.push({ ...page, body: names.replace(page.body).split(/(?<=>)(?=<)/) });
  }

  await jobsDone(recorder.database);
  exchanges.push({ mails: recorder.world.takeMails().map((mail) => names.replace(mail)) });
  const list = await call("GET", `${bot}/results`);
  for (const result of isObject(list) && Array.isArray(list["results"]) ? list["results"] : []) {
    if (!isObject(result)) continue;
    await call("GET", `${bot}/results/${result["id"]}`);
    await call("GET", `${bot}/results/${result["id"]}/logs`);
  }
  return exchanges;
}

async function send(url: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.text() };
}

/** Learns the public id in a text. Public ids end with random letters and do not have the format of other ids. */
function learnFrom(text: string, names: Names): void {
  const [, publicId] = /"publicId":"([^"]+)"/.exec(text) ?? [];
  if (publicId !== undefined) names.learn(publicId, "public-id");
}

/** Sorts the logs in a response, because logs of one step have no defined order. */
function inOrder(text: string): string {
  const body: unknown = JSON.parse(text);
  const logs = isObject(body) ? body["logs"] : undefined;
  if (!isObject(body) || !Array.isArray(logs)) return text;
  const key = (log: unknown) => JSON.stringify(isObject(log) ? { ...log, id: "", createdAt: "" } : log);
  return JSON.stringify({ ...body, logs: logs.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)) });
}

/**
 * Waits until no job is waiting. Mails and events are sent after their step, and their logs are complete afterwards.
 */
async function jobsDone({ sql }: TestDatabase): Promise<void> {
  await waitFor(
    async () => {
      const [row] = await sql<[{ waiting: number }]>`
        select (select count(*) from outbox)::int + (select count(*) from mails where given_up_at is null)::int as waiting`;
      return row.waiting === 0;
    },
    { what: "the jobs" },
  );
}

function inputOf(step: unknown): Readonly<Record<string, unknown>> | undefined {
  const input = isObject(step) ? step["input"] : undefined;
  return isObject(input) ? input : undefined;
}

function replyTo(input: Readonly<Record<string, unknown>> | undefined): string {
  const items = input?.["items"];
  const [item]: unknown[] = Array.isArray(items) ? items : [];
  const choice = isObject(item) ? (item["content"] ?? item["title"]) : undefined;
  return typeof choice === "string" ? choice : (replies[String(input?.["type"])] ?? "Some words");
}

function partOf(value: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  const part = isObject(value) ? value[name] : undefined;
  return isObject(part) ? part : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
