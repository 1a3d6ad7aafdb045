import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { moveWorkspace } from "../../src/commands/import/move.ts";
import type { Move } from "../../src/commands/import/run.ts";
import { openServer, type Server } from "../../src/commands/import/server.ts";
import { eventTypes } from "../../src/events.ts";
import { saveRating } from "../../src/management/ratings/ratings.sql.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../support/chat.ts";
import { putEndpoint, testKey } from "../support/events.ts";
import { temporaryFolder } from "../support/folder.ts";
import { longTest } from "../support/long-test.ts";
import { runCommand } from "../support/service.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { askToUpload, put, upload } from "../support/uploads.ts";

setDefaultTimeout(120_000);

type Here = {
  readonly api: TestApi;
  readonly owner: TestUser;
  readonly url: string;
  get(path: string, query?: Record<string, string>): ReturnType<TestApi["client"]["get"]>;
  post(path: string, body?: object): ReturnType<TestApi["client"]["post"]>;
  put(path: string, body: object): ReturnType<TestApi["client"]["put"]>;
  stop(): Promise<void>;
};

const folder = temporaryFolder();
let threads: Threads;
let source: Here;
let target: Here;
let from: Awaited<ReturnType<typeof fillSource>>;

async function serve(): Promise<Here> {
  const api = await createTestApi({
    threads,
    config: { ENCRYPTION_KEY: testKey, UPLOAD_MAX_MB: 100, RATE_LIMITS: "off" },
  });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    maxRequestBodySize: 200 * 1024 * 1024,
    fetch: (request) => api.handle(request),
  });
  const owner = await api.makeUser({ scope: "admin", name: "Owner" });
  const { token } = owner;
  return {
    ...{ api, owner, url: `http://127.0.0.1:${server.port}` },
    get: (path, query = {}) => api.client.get(path, { token, query }),
    post: (path, body = {}) => api.client.post(path, { token, body }),
    put: (path, body) => api.client.put(path, { token, body }),
    async stop() {
      await server.stop(true);
      await api.close();
    },
  };
}

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  [source, target] = await Promise.all([serve(), serve()]);
  from = await fillSource(source);
});
afterAll(async () => {
  await Promise.all([source.stop(), target.stop()]);
  await threads.close();
  folder.remove();
});

const png = Uint8Array.from(Buffer.from("\x89PNG\r\n\x1a\nthe rest", "latin1"));
const askName = asks("text input", { variableId: idOf("Name") });
const askFile = asks("file input", { variableId: idOf("File") });
const variables = [
  { id: idOf("Name"), name: "Name" },
  { id: idOf("File"), name: "File" },
];

/** Keys of a bot file that Parley does not read. */
const unread = { spaceId: "space-7", future: { deep: [1, null] } };

async function fillSource({ api, owner, post, put: write, get }: Here) {
  const member = await api.makeUser({ name: "Mia" });
  const stranger = await api.makeUser({ name: "Sam" });
  const helper = await api.makeUser({ name: "Hal" });
  const workspaceId = await api.makeWorkspace(owner, { [member.userId]: "MEMBER", [stranger.userId]: "GUEST" });
  const { token } = owner;
  const picture = await api.client.post(`/api/v1/workspaces/${workspaceId}/files`, {
    token,
    query: { name: "logo.png" },
    rawBody: png,
    headers: { "Content-Type": "image/png" },
  });
  const logo = { id: "logo", type: "image", content: { url: picture.text("workspaceFile.url") } };
  const flow = { ...flowOf([logo, says("Name?"), askName, askFile, says("Thanks")]), variables };
  const editor = { notes: [{ id: "n1", text: "Ask for less" }] };
  const bot = { name: "Quiz", ...flow, editor, ...unread };
  const botId = (await post("/api/v1/bots/import", { workspaceId, bot })).text("bot.id");
  const base = `/api/v1/bots/${botId}`;
  const publicId = (await post(`${base}/publish`, { force: true, note: "The first" })).text("publicId");
  const chatOf = async (name?: string) => {
    const chat = await start(api.client, publicId);
    if (name !== undefined) await say(api.client, chat.text("sessionId"), name);
    return { sessionId: chat.text("sessionId"), resultId: chat.text("resultId") };
  };
  await chatOf();
  const ada = await chatOf("Ada");
  const file = await upload(api.client, ada.sessionId, "%PDF-1.7 of Ada", { fileName: "ada's letter.pdf" });
  await say(api.client, ada.sessionId, { type: "text", text: file, attachedFileUrls: [] });
  const rating = { isGood: false, words: "Too short" };
  const rated = { sessionId: ada.sessionId, revision: 2, blockId: "answer" };
  await saveRating(api.deps.sql, rated, { botId, resultId: ada.resultId, rating });
  const big = await chatOf("Big");
  await api.client.patch(`${base}/results/${ada.resultId}`, {
    token,
    body: { tags: ["lead", "süß"], note: "Call\nback" },
  });
  await api.client.patch(base, { token, body: { bot: { groups: flowOf([says("Name, please?"), askName]).groups } } });
  await post(`${base}/publish`, { force: true });
  await chatOf("Bea");
  await api.client.post(`${base}/publications/1/restore`, { token, body: {} });
  await post(`${base}/publish`, { force: true, percent: 25, note: "A trial" });
  const conversation = { title: "Asks for a name", turns: [{ expect: { asks: "text input" } }] };
  await write(`${base}/testConversations/asks`, { conversation, isRequired: true });
  await write(`${base}/testConversations/idle`, { conversation, isRequired: false });
  await write(`${base}/results/retention`, { days: 400 });
  await write(`${base}/collaborators/${helper.userId}`, { type: "WRITE" });
  const link = { id: "link", type: "Typebot link", options: { typebotId: botId, groupId: idOf("g0") } };
  await post("/api/v1/bots", { workspaceId, bot: { name: "Welcome", ...flowOf([says("Hi"), link]) } });
  const closed = { name: "Old", ...flowOf([says("Hi"), askName]), variables };
  const oldId = (await post("/api/v1/bots", { workspaceId, bot: closed })).text("bot.id");
  const old = (await post(`/api/v1/bots/${oldId}/publish`, { force: true })).text("publicId");
  await say(api.client, (await start(api.client, old)).text("sessionId"), "Before");
  const oldSessionId = (await start(api.client, old)).text("sessionId");
  await post(`/api/v1/bots/${oldId}/archive`);
  await write(`/api/v1/workspaces/${workspaceId}/secrets/TOKEN`, { value: "hush-hush", hosts: ["example.com"] });
  return {
    workspaceId,
    botId,
    publicId,
    oldId,
    oldSessionId,
    bigSessionId: big.sessionId,
    people: { member, stranger, helper },
    logoUrl: (await get(base)).at("bot.groups.0.blocks.0.content.url"),
  };
}

async function contentOf({ api, get, owner }: Here, workspaceId: string) {
  const bots = [
    ...(await get("/api/v1/bots", { workspaceId })).list("bots"),
    ...(await get("/api/v1/bots", { workspaceId, isArchived: "true" })).list("bots"),
  ];
  const files = (await get(`/api/v1/workspaces/${workspaceId}/files`)).list("files").map((one) => Object(one));
  const members = (await get(`/api/v1/workspaces/${workspaceId}/members`)).list("members").map((one) => Object(one));
  const nameOfFile = new Map(files.map(({ url, name }) => [String(url).split("/").at(-1), name]));
  const read = async (url: string) =>
    (
      await api.handle(
        new Request(`http://localhost${new URL(url).pathname}`, {
          headers: { authorization: `Bearer ${owner.token}` },
        }),
      )
    ).text();
  const plain = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(/http[^"]*\/api\/workspace-files\/([^"]+)/g, (_, name) => `file ${nameOfFile.get(name)}`)
        .replaceAll(/"typebotId":"\w+"/g, '"typebotId":"…"'),
    );
  const contents = bots.map(async (one) => {
    const base = `/api/v1/bots/${Object(one).id}`;
    const {
      groups,
      edges,
      variables: values,
      theme,
      settings,
      editor,
      isClosed,
      isArchived,
      name,
    } = Object((await get(base)).at("bot"));
    const results = (await get(`${base}/results`, { timeFilter: "allTime" }))
      .list("results")
      .map((result) => Object(result));
    const versions = (await get(`${base}/publications`)).list("publications").map((version) => Object(version));
    const tests = (await get(`${base}/testConversations`)).list("testConversations").map((each) => Object(each));
    const collaborators = (await get(`${base}/collaborators`)).list("collaborators").map((each) => Object(each));
    const canary = Object((await get(`${base}/canary`)).at("canary"));
    return {
      ...plain({ name, groups, edges, values, theme, settings, editor, isClosed, isArchived }),
      canary: [canary.number, canary.percent, canary.currentNumber],
      retention: (await get(`${base}/results/retention`)).at("retention.days"),
      collaborators: collaborators.map(({ user, type }) => [user.email, type]),
      tests: await Promise.all(
        tests.map(async (each) => [
          each.name,
          each.isRequired,
          (await get(`${base}/testConversations/${each.name}`)).at("testConversation.conversation"),
        ]),
      ),
      versions: await Promise.all(
        versions.map(
          async ({ number, note, createdAt, publishedByName, isCurrent, isCanary, isDraft, overruledRules }) => ({
            ...{ number, note, createdAt, publishedByName, isCurrent, isCanary, isDraft, overruledRules },
            groups: plain((await get(`${base}/publications/${number}`)).at("publication.groups")),
          }),
        ),
      ),
      results: await Promise.all(
        results.map(async ({ id, botId: _, lastChatSessionId: __, answers, variables: said, ratings, ...rest }) => {
          const listed = (await get(`${base}/results/${id}/files`)).list("files").map((file) => Object(file));
          const contentOfFile = async (text: string) => (text.includes("/files/") ? `file: ${await read(text)}` : text);
          return {
            ...rest,
            ratings: ratings.map((one: object) => ({ ...one, sessionId: "" })),
            files: await Promise.all(
              listed.map(async ({ name: fileName, type, bytes, isPublic, createdAt, url }) => [
                fileName,
                type,
                bytes,
                isPublic,
                createdAt,
                await read(url),
              ]),
            ),
            variables: await Promise.all(
              said.map(async (variable: { value: string }) => ({
                ...variable,
                value: await contentOfFile(variable.value),
              })),
            ),
            answers: await Promise.all(
              answers.map(async (answer: { content: string; storedFileUrls: string[] }) => ({
                ...answer,
                resultId: "",
                content: await contentOfFile(answer.content),
                storedFileUrls: await Promise.all(answer.storedFileUrls.map(contentOfFile)),
              })),
            ),
          };
        }),
      ),
    };
  });
  const inOrder = (await Promise.all(contents)).toSorted((one, other) => one.name.localeCompare(other.name));
  return {
    bots: inOrder,
    files: files.map(({ name, hash }) => [name, hash]),
    members: members.map(({ user, role }) => [user.name, user.email, role]).toSorted(),
  };
}

/** Lowers the case of mail addresses, because accounts of the target have their addresses in capitals. */
function withoutCase(content: unknown): unknown {
  return JSON.parse(JSON.stringify(content).replaceAll(/"[\w.]+@example.com"/gi, (email) => email.toLowerCase()));
}

const settingsOf = (): Record<string, string> => ({
  PARLEY_URL: target.url,
  PARLEY_TOKEN: target.owner.token,
  DATA_DIR: folder.path,
});
const argsFor = (workspaceId: string, state: string) => [
  ...["--from", source.url, "--token", source.owner.token, "--from-workspace", from.workspaceId],
  ...["--workspace", workspaceId, "--state", join(folder.path, state)],
];

function moveInto(workspaceId: string, whole: Server): Move {
  return {
    source: openServer(source.url, { token: source.owner.token, option: "--from" }),
    target: whole,
    place: { from: source.url, fromWorkspaceId: from.workspaceId, to: target.url, workspaceId },
    statePath: join(folder.path, `${workspaceId}.json`),
    ...{ isPublishing: true, isWithResults: true, isWithMembers: true, isUntrusted: false },
    tell: () => {},
  };
}

async function makeAccounts() {
  const { member, helper } = from.people;
  for (const { email } of [member, helper, source.owner]) {
    const name = email === member.email ? "Mia" : email === helper.email ? "Hal" : "Owner";
    const known = await target.api.deps.sql`select 1 from users where email = ${email.toUpperCase()}`;
    if (known.length === 0) await target.post("/api/v1/users", { name, email: email.toUpperCase() });
  }
}

test("a move copies the content of a workspace", async () => {
  await makeAccounts();
  const { member, stranger, helper } = from.people;
  const workspaceId = await target.api.makeWorkspace(target.owner);
  const { endpointId } = await putEndpoint(target.api.deps.sql, {
    url: "https://hooks.example",
    workspaceId,
    eventTypes,
  });
  const args = argsFor(workspaceId, "whole.json");
  const first = await runCommand(["import", ...args, "--publish"], { environment: settingsOf() });

  expect([first.stdout, first.exitCode]).toEqual([expect.stringContaining("All counts agree."), 0]);
  expect(first.stdout).toContain(`Members without an account here: "Sam <${stranger.email}>" (GUEST)`);
  expect(first.stdout).toContain('Secrets: "TOKEN"');
  expect(first.stdout).not.toContain("hush-hush");
  const here = await contentOf(target, workspaceId);
  const there = await contentOf(source, from.workspaceId);
  expect(withoutCase(here.bots)).toEqual(withoutCase(there.bots));
  expect(here.files).toEqual(there.files);
  expect(here.members.map(([name, , role]) => [name, role])).toEqual([
    ["Hal", "GUEST"],
    ["Mia", "MEMBER"],
    ["Owner", "ADMIN"],
    ["Owner", "ADMIN"],
  ]);
  expect(here.members.map(([, email]) => email)).toEqual(
    expect.arrayContaining([member.email.toUpperCase(), helper.email.toUpperCase()]),
  );
  const { bots } = JSON.parse(await Bun.file(join(folder.path, "whole.json")).text());
  const numbers = here.bots.map(({ results }) => results.map((result: unknown) => Object(result).publicationNumber));
  expect(numbers).toEqual([[1, 1], [2, 1, 1, 1], []]);
  const events = await target.api.deps
    .sql`select distinct type from event_deliveries where endpoint_id = ${endpointId}`;
  expect(events.map(({ type }) => type).filter((type: string) => type.startsWith("result."))).toEqual([]);
  expect(JSON.stringify(here)).not.toContain(source.url);

  const ids = (await target.get("/api/v1/bots", { workspaceId })).list("bots").map((one) => Object(one).id);
  const exports = ids.map(async (id) => (await target.get(`/api/v1/bots/${id}/export`)).body);
  const exported = (await Promise.all(exports)).map((one) => Object(one));
  expect(exported).toContainEqual(expect.objectContaining(unread));
  expect(exported.filter((one) => "revision" in one || "workspaceId" in one)).toEqual([]);

  const results = (await source.get(`/api/v1/bots/${from.botId}/results`)).list("results").map((one) => Object(one));
  const silent = results.find(({ hasStarted }) => !hasStarted);
  const [session] = await source.api.deps.sql`select id from sessions where result_id = ${silent.id}`;
  await say(source.api.client, session?.["id"], "Late");
  await say(source.api.client, from.oldSessionId, "After");
  await start(source.api.client, from.publicId);
  const bea = results.find(({ answers }) => answers[0]?.content === "Bea");
  await source.api.client.patch(`/api/v1/bots/${from.botId}/results/${bea.id}`, {
    token: source.owner.token,
    body: { note: "There" },
  });
  const second = await runCommand(["import", ...args, "--publish", "--json"], { environment: settingsOf() });
  expect(JSON.parse(second.stdout)).toMatchObject({ newResults: 1, changedResults: 3, problems: [], differences: [] });
  const again = await runCommand(["import", ...args, "--publish", "--json"], { environment: settingsOf() });
  expect(JSON.parse(again.stdout)).toMatchObject({ newResults: 0, changedResults: 0, problems: [], differences: [] });
  const [quiz, theirs] = await Promise.all([contentOf(target, workspaceId), contentOf(source, from.workspaceId)]);
  expect(JSON.stringify(theirs.bots)).toContain("Too short");
  expect(quiz.bots.map(({ results: some }) => some)).toEqual(theirs.bots.map(({ results: some }) => some));

  // The comparison of the counts reports data that were deleted at the target, but no data that were deleted at the
  // source.
  await source.api.client.delete(`/api/v1/bots/${from.oldId}`, { token: source.owner.token, body: {} });
  await target.api.client.delete(`/api/v1/bots/${bots[from.botId]}/results?all=true`, {
    token: target.owner.token,
    body: {},
  });
  const last = await runCommand(["import", ...args, "--publish"], { environment: settingsOf() });
  expect([last.exitCode, last.stdout]).toEqual([1, expect.stringContaining('"Quiz", results: 5 there, 0 here')]);
  expect(last.stdout).not.toContain("Not copied:");
  expect(last.stdout).toMatch(/^ +Bots +2 +2$/m);
  await source.api.client.post(`/api/v1/bots/${from.oldId}/restore`, { token: source.owner.token, body: {} });
});

longTest("an interrupted move still copies all bots and files", async () => {
  await makeAccounts();
  const whole = openServer(target.url, { token: target.owner.token, option: "--url" });
  const workspaceId = await target.api.makeWorkspace(target.owner);
  const met = new Set<string>();
  /** A server on which the write succeeds, but the program ends before it receives the response. */
  const broken: Server = {
    ...whole,
    async write(...args) {
      const answer = await whole.write(...args);
      const kind = `${args[0]} ${new URL(args[1], target.url).pathname.replaceAll(/[0-9a-z]{26}[^/]*|(?<=\/)\d+(?=\/)/g, "…")}`;
      if (met.has(kind)) return answer;
      met.add(kind);
      throw new Error("Killed");
    },
  };
  const runs = [];
  for (let isOver = false; !isOver; ) {
    isOver = await moveWorkspace(moveInto(workspaceId, broken)).then(
      () => true,
      () => false,
    );
    runs.push(isOver);
  }
  expect([...met].toSorted()).toEqual([
    "PATCH /api/v1/bots/…",
    "POST /api/v1/bots/import",
    "POST /api/v1/bots/…/archive",
    "POST /api/v1/bots/…/publications/import",
    "POST /api/v1/bots/…/publications/…/resume",
    "POST /api/v1/bots/…/results/import",
    "POST /api/v1/bots/…/results/import/files",
    "POST /api/v1/workspaces/…/files",
    "PUT /api/uploads/…",
    "PUT /api/v1/bots/…/collaborators/…",
    "PUT /api/v1/bots/…/results/retention",
    "PUT /api/v1/bots/…/testConversations/asks",
    "PUT /api/v1/bots/…/testConversations/idle",
    "PUT /api/v1/workspaces/…/members/…",
  ]);
  expect(runs).toHaveLength(met.size + 1);
  const [here, there] = await Promise.all([contentOf(target, workspaceId), contentOf(source, from.workspaceId)]);
  expect(withoutCase(here)).toEqual(withoutCase({ ...there, members: here.members }));

  // An earlier release listed the results differently, so its stored page does not fit the current list.
  const { statePath } = moveInto(workspaceId, whole);
  const state = JSON.parse(await Bun.file(statePath).text());
  const results = Object.fromEntries(
    Object.keys(state.results).map((id) => [id, { cursor: "another list", added: 1 }]),
  );
  await Bun.write(statePath, JSON.stringify({ ...state, results: { [from.botId]: results[from.botId] } }));
  expect(await moveWorkspace(moveInto(workspaceId, whole))).toMatchObject({ newResults: 0, changedResults: 0 });
  const last = JSON.parse(await Bun.file(statePath).text()).results[from.botId];
  expect(last).toMatchObject({ cursor: null, there: { results: 5 }, here: { results: 5 } });
});

test.skipIf(process.platform !== "linux")(
  "a move of a large file needs less additional memory than half of the file",
  async () => {
    const megabytes = 64;
    // The kernel's figure for an ended process includes the memory of its parent.
    const peak = join(folder.path, "peak.ts");
    await Bun.write(
      peak,
      `import { readFileSync } from "node:fs";
    const read = () => /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    process.on("exit", () => process.stderr.write("peak " + read()));`,
    );
    const cli = join(import.meta.dir, "../../src/cli.ts");
    const runIn = async (state: string) => {
      const workspaceId = await target.api.makeWorkspace(target.owner);
      const run = Bun.spawn(
        [process.execPath, "--preload", peak, cli, "import", ...argsFor(workspaceId, state), "--json"],
        {
          env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...settingsOf() },
          ...{ stdout: "pipe", stderr: "pipe" },
        },
      );
      const [output, told] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
      return { ...JSON.parse(output), peakMegabytes: Number(/peak (\d+)/.exec(told)?.[1]) / 1024 };
    };
    const without = await runIn("small.json");
    const asked = await askToUpload(source.api.client, from.bigSessionId, { fileName: "big.pdf" });
    await put(source.api.client, asked, new Uint8Array(megabytes * 1024 * 1024).fill(37));
    await say(source.api.client, from.bigSessionId, { type: "text", text: asked.text("fileUrl") });
    const withFile = await runIn("large.json");
    expect([without.differences, withFile.differences, withFile.problems]).toEqual([[], [], []]);
    expect(withFile.peakMegabytes - without.peakMegabytes).toBeLessThan(megabytes / 2);
  },
);
