import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { moveWorkspace } from "../../src/commands/import/move.ts";
import type { Move } from "../../src/commands/import/run.ts";
import { openServer, type Server } from "../../src/commands/import/server.ts";
import { listBots } from "../../src/commands/import/source.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../support/chat.ts";
import { temporaryFolder } from "../support/folder.ts";
import { longTest } from "../support/long-test.ts";
import { runCommand } from "../support/service.ts";
import { createThreads, type Threads } from "../support/threads.ts";

setDefaultTimeout(60_000);

type Here = { readonly api: TestApi; readonly owner: TestUser; readonly url: string; stop(): Promise<void> };

const folder = temporaryFolder();
let threads: Threads;
let source: Here;
let target: Here;
let fromWorkspaceId: string;

async function serve(): Promise<Here> {
  const api = await createTestApi({ threads });
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
  const stop = async () => {
    await server.stop(true);
    await api.close();
  };
  return { api, owner: await api.makeUser(), url: `http://127.0.0.1:${server.port}`, stop };
}

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  [source, target] = await Promise.all([serve(), serve()]);
  fromWorkspaceId = await fillSource();
});
afterAll(async () => {
  await Promise.all([source.stop(), target.stop()]);
  await threads.close();
  folder.remove();
});

const ask = asks("text input", { variableId: idOf("Name") });

async function fillSource(): Promise<string> {
  const { api, owner } = source;
  const workspaceId = await api.makeWorkspace(owner);
  const post = (path: string, body: object) => api.client.post(path, { token: owner.token, body });
  const outer = (await post("/api/v1/folders", { workspaceId, folderName: "Outer" })).text("folder.id");
  const inner = (await post("/api/v1/folders", { workspaceId, folderName: "Same", parentFolderId: outer })).text(
    "folder.id",
  );
  await post("/api/v1/folders", { workspaceId, folderName: "Same" });
  const template = await post(`/api/v1/workspaces/${workspaceId}/theme-templates`, {
    name: "Autumn",
    theme: { customCss: "a {}" },
  });
  const quiz = {
    name: "Quiz",
    folderId: inner,
    selectedThemeTemplateId: template.text("themeTemplate.id"),
    ...flowOf([says("Name?"), ask]),
  };
  const quizId = (await post("/api/v1/bots", { workspaceId, bot: quiz })).text("bot.id");
  await post(`/api/v1/bots/${quizId}/publish`, { force: true });
  const publicId = (await api.client.get(`/api/v1/bots/${quizId}`, { token: owner.token })).text("bot.publicId");
  for (const name of ["Ada", "Bea", "Cy"]) {
    const chat = await start(api.client, publicId);
    await say(api.client, chat.text("sessionId"), name);
  }
  await api.client.patch(`/api/v1/bots/${quizId}`, {
    token: owner.token,
    body: { bot: flowOf([says("A draft"), ask]) },
  });
  const link = { id: "link", type: "Typebot link", options: { typebotId: quizId, groupId: idOf("g0") } };
  await post("/api/v1/bots", { workspaceId, bot: { name: "Welcome", ...flowOf([says("Hi"), link]) } });
  await post("/api/v1/bots", { workspaceId, bot: { name: "Quiz", ...flowOf([says("Of the same name")]) } });
  return workspaceId;
}

async function contentOf({ api, owner }: Here, workspaceId: string) {
  const get = (path: string, query = {}) => api.client.get(path, { token: owner.token, query });
  const folders = new Map<string, string>();
  const open: (string | undefined)[] = [undefined];
  for (const parent of open) {
    const listed = await get("/api/v1/folders", {
      workspaceId,
      ...(parent !== undefined && { parentFolderId: parent }),
    });
    for (const one of listed.list("folders")) {
      const { id, name } = Object(one);
      folders.set(id, `${parent === undefined ? "" : folders.get(parent)}/${name}`);
      open.push(id);
    }
  }
  const themes = (await get(`/api/v1/workspaces/${workspaceId}/theme-templates`)).list("themeTemplates");
  const nameOfTheme = new Map(themes.map((one) => [Object(one).id, Object(one).name]));
  const summaries = (await get("/api/v1/bots", { workspaceId })).list("bots").map((one) => Object(one));
  const bots = await Promise.all(
    summaries.map(async ({ id, name, folderId }) => {
      const bot = Object((await get(`/api/v1/bots/${id}`)).at("bot"));
      const results = (await get(`/api/v1/bots/${id}/results`, { timeFilter: "allTime" })).list("results");
      const linked = (await get(`/api/v1/bots/${id}/linkedBots`)).at("bots.*.name");
      const groups = JSON.stringify(bot.groups).replaceAll(/"typebotId":"\w+"/g, '"typebotId":"…"');
      return {
        name,
        folder: folders.get(folderId) ?? null,
        theme: nameOfTheme.get(bot.selectedThemeTemplateId) ?? null,
        groups,
        linked,
        results: results.map((one) => {
          const { createdAt, isCompleted, variables, answers } = Object(one);
          return {
            createdAt,
            isCompleted,
            variables,
            answers: answers.map((answer: object) => ({ ...answer, resultId: "" })),
          };
        }),
      };
    }),
  );
  const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).toSorted();
  return {
    folders: [...folders.values()].toSorted(),
    themes: themes.map((one) => [Object(one).name, Object(one).theme]),
    bots: sorted(bots),
  };
}

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const settings = { PARLEY_URL: target.url, PARLEY_TOKEN: target.owner.token, DATA_DIR: folder.path };
  return runCommand(["import", ...args], { environment: { ...settings, ...environment } });
}

test("a later run of a move copies a new result", async () => {
  const workspaceId = await target.api.makeWorkspace(target.owner);
  const state = join(folder.path, "first.json");
  const args = [
    "--from",
    source.url,
    "--token",
    source.owner.token,
    "--workspace",
    workspaceId,
    "--state",
    state,
    "--publish",
  ];
  const first = await run(args);

  expect([first.exitCode, first.stderr]).toEqual([0, expect.stringContaining('"Quiz": 3 results')]);
  expect(first.stdout).toContain(
    "3 folders, 1 theme templates, 3 bots and 3 results, 3 of them in this run. 1 bots were published.",
  );
  expect(await contentOf(target, workspaceId)).toEqual(await contentOf(source, fromWorkspaceId));
  const bots = await source.api.client.get("/api/v1/bots", {
    token: source.owner.token,
    query: { workspaceId: fromWorkspaceId, isPublished: true },
  });
  const publicId = bots.text("bots.0.publicId");
  expect((await start(target.api.client, publicId)).at("messages.*.content.plainText")).toEqual(["Name?"]);

  const chat = await start(source.api.client, publicId);
  await say(source.api.client, chat.text("sessionId"), "Dan");
  const second = await run([...args, "--json"]);
  expect(JSON.parse(second.stdout)).toMatchObject({ bots: 3, results: 4, newResults: 1, problems: [] });
  const third = await run([...args, "--json"]);
  expect(JSON.parse(third.stdout)).toMatchObject({ bots: 3, results: 4, newResults: 0, problems: [] });
});

longTest("a move that is interrupted after any write ends with the same data", async () => {
  const toEnd = async (breaksAt: number) => {
    const workspaceId = await target.api.makeWorkspace(target.owner);
    let writes = 0;
    const whole = openServer(target.url, { token: target.owner.token, option: "--url" });
    /** A server on which the write succeeds, but the program ends before it receives the response. */
    const broken: Server = {
      ...whole,
      async write(...args) {
        const answer = await whole.write(...args);
        if (++writes === breaksAt) throw new Error("Killed");
        return answer;
      },
    };
    const move: Move = {
      source: openServer(source.url, { token: source.owner.token, option: "--from" }),
      target: broken,
      place: { from: source.url, fromWorkspaceId, to: target.url, workspaceId },
      statePath: join(folder.path, `${workspaceId}.json`),
      isPublishing: false,
      isWithResults: true,
      isWithMembers: true,
      isUntrusted: false,
      tell: () => {},
    };
    const isBroken = await moveWorkspace(move).then(
      () => false,
      () => true,
    );
    await moveWorkspace({ ...move, target: whole });
    return { isBroken, content: await contentOf(target, workspaceId) };
  };
  const expected = await contentOf(source, fromWorkspaceId);
  let breaks = 0;
  for (let breaksAt = 1; ; breaksAt++) {
    const { isBroken, content } = await toEnd(breaksAt);
    expect([breaksAt, content]).toEqual([breaksAt, expected]);
    if (!isBroken) break;
    breaks++;
  }
  // The writes of an import: three folders, a theme, three bots, a version, a link, and the results.
  expect(breaks).toBe(10);
});

test("an interrupted move does not adopt an existing folder", async () => {
  const workspaceId = await target.api.makeWorkspace(target.owner);
  const folders = async () => (await contentOf(target, workspaceId)).folders;
  await target.api.client.post("/api/v1/folders", {
    token: target.owner.token,
    body: { workspaceId, folderName: "Same" },
  });
  const whole = openServer(target.url, { token: target.owner.token, option: "--url" });
  const move: Move = {
    source: openServer(source.url, { token: source.owner.token, option: "--from" }),
    target: { ...whole, write: () => Promise.reject(new Error("Killed")) },
    place: { from: source.url, fromWorkspaceId, to: target.url, workspaceId },
    statePath: join(folder.path, `${workspaceId}.json`),
    isPublishing: false,
    isWithResults: false,
    isWithMembers: true,
    isUntrusted: false,
    tell: () => {},
  };
  await expect(moveWorkspace(move)).rejects.toThrow("Killed");
  expect(await folders()).toEqual(["/Same"]);

  await moveWorkspace({ ...move, target: whole });
  expect(await folders()).toEqual(["/Outer", "/Outer/Same", "/Same", "/Same"]);
});

test("a bot whose id is an inherited property name is skipped", async () => {
  const typebots = ["constructor", "__proto__", "one"].map((id) => ({ id, name: "Bot" }));
  const server: Server = {
    ...openServer(source.url, { token: "", option: "--from" }),
    get: async () => ({ typebots }),
  };
  expect(await listBots(server, "workspace")).toEqual([{ id: "one", name: "Bot" }]);
});

test("a move supports the reference product's cursors", async () => {
  const asked: string[] = [];
  const folders = [
    { id: "fa", name: "A", createdAt: "2024-01-01T00:00:00.000Z" },
    { id: "fb", name: "B", createdAt: "2024-01-01T00:00:00.000Z" },
  ];
  const typebot = {
    version: "5",
    id: "tb",
    name: "Old one",
    folderId: "fb",
    events: null,
    groups: [
      {
        id: "g",
        title: "G",
        graphCoordinates: { x: 0, y: 0 },
        blocks: [{ id: "s", type: "start", label: "Start", outgoingEdgeId: "e" }],
      },
      {
        id: "h",
        title: "H",
        graphCoordinates: { x: 0, y: 0 },
        blocks: [{ id: "q", type: "text input", options: { variableId: idOf("v") } }],
      },
    ],
    edges: [{ id: "e", from: { blockId: "s" }, to: { groupId: "h" } }],
    variables: [{ id: idOf("v"), name: "Name" }],
    theme: {},
    settings: { whatsApp: { isEnabled: false } },
    publicId: null,
    spaceId: null,
  };
  const results = Array.from({ length: 250 }, (_, index) => ({
    id: `r${index}`,
    createdAt: new Date(Date.UTC(2024, 0, 1) - index * 60_000).toISOString(),
    typebotId: "tb",
    variables: [{ id: idOf("v"), name: "Name", value: `Visitor ${index}` }],
    isCompleted: index % 2 === 0,
    hasStarted: true,
    isArchived: false,
    lastChatSessionId: null,
    answers:
      index === 7 ? [{ blockId: "q", content: "x".repeat(300_000) }] : [{ blockId: "q", content: `Visitor ${index}` }],
  }));
  let isBusy = true;
  const fake = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const url = new URL(request.url);
      const [path, query] = [url.pathname, url.searchParams];
      asked.push(`${path}?${query}`);
      const json = (body: object, init?: ResponseInit) => Response.json(body, init);
      if (request.headers.get("authorization") !== "Bearer theirs")
        return json({ message: "You must be logged in" }, { status: 401 });
      if (path === "/api/v1/workspaces")
        return json({ workspaces: [{ id: "ws", name: "Old", icon: null, plan: "FREE" }] });
      if (path === "/api/v1/folders") {
        const inside: Record<string, object[]> = {
          "": folders.slice(0, 1),
          fa: folders.slice(1),
          fb: folders.slice(0, 1),
        };
        return json({ folders: inside[query.get("parentFolderId") ?? ""] ?? [] });
      }
      if (path === "/api/v1/typebots") return json({ typebots: [{ id: "tb", name: "Old one", accessRight: "write" }] });
      if (path === "/api/v1/typebots/tb") return json({ typebot, currentUserMode: "write" });
      if (path === "/api/v1/typebots/tb/results") {
        if (isBusy) {
          isBusy = false;
          return json({ message: "Too many" }, { status: 429, headers: { "Retry-After": "0" } });
        }
        const [from, limit] = [Number(query.get("cursor")), Number(query.get("limit"))];
        const page = results.slice(from, from + limit);
        const hasMore = query.has("cursor") && from + limit < results.length;
        return json({ results: page, ...(hasMore && { nextCursor: from + limit }) });
      }
      return new Response("Not found", { status: 404 });
    },
  });
  const workspaceId = await target.api.makeWorkspace(target.owner);
  const args = [
    "--from",
    `http://127.0.0.1:${fake.port}`,
    "--workspace",
    workspaceId,
    "--state",
    join(folder.path, "old.json"),
    "--json",
  ];
  const moved = await run([...args, "--token", "theirs", "--untrusted"]);
  const refused = await run([...args, "--token", "wrong"]);
  await fake.stop(true);

  // One answer is longer than the target allows.
  expect(JSON.parse(moved.stdout)).toMatchObject({ folders: 2, themes: 0, bots: 1, results: 249 });
  expect([moved.exitCode, moved.stderr]).toEqual([1, expect.stringContaining('"Old one": 249 results')]);
  expect(JSON.parse(moved.stdout).problems).toEqual([expect.stringMatching(/^"Old one", result r7: .*characters/)]);
  const content = await contentOf(target, workspaceId);
  expect(content.folders).toEqual(["/A", "/A/B"]);
  expect(JSON.parse(content.bots[0] ?? "")).toMatchObject({ name: "Old one", folder: "/A/B" });
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("You must be logged in")]);
  expect(asked.filter((one) => one.includes("results"))).toHaveLength(4);
});

longTest("a bot with repeated block ids is moved", async () => {
  const says2 = (words: string) => says(words, "says");
  const link = { id: "link", type: "Typebot link", options: { typebotId: "other" } };
  const twice = (words: string) => ({
    ...flowOf([says2(words), says2("Twice")], [link, ask]),
    publicId: "twice-here",
  });
  const bots: Record<string, object> = {
    twice: { ...twice("Draft"), id: "twice", name: "Twice", publicId: "twice-here" },
    other: { ...flowOf([says("Linked")]), id: "other", name: "Other", publicId: null },
  };
  const answers: Record<string, object> = {
    "/api/v1/workspaces": { workspaces: [{ id: "ws", name: "Old" }] },
    "/api/v1/folders": { folders: [] },
    "/api/v1/typebots": { typebots: Object.entries(bots).map(([id]) => ({ id, name: id })) },
    "/api/v1/typebots/twice/publishedTypebot": { publishedTypebot: twice("Live") },
    ...Object.fromEntries(
      Object.entries(bots).flatMap(([id, typebot]) => [
        [`/api/v1/typebots/${id}`, { typebot }],
        [`/api/v1/typebots/${id}/results`, { results: [] }],
      ]),
    ),
  };
  const fake = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const found = answers[new URL(request.url).pathname];
      return found ? Response.json(found) : new Response("Not found", { status: 404 });
    },
  });
  const workspaceId = await target.api.makeWorkspace(target.owner);
  const place = ["--from", `http://127.0.0.1:${fake.port}`, "--workspace", workspaceId];
  const moved = await run([
    ...place,
    "--state",
    join(folder.path, "twice.json"),
    "--token",
    "x",
    "--publish",
    "--json",
  ]);
  await fake.stop(true);

  expect(JSON.parse(moved.stdout).problems).toEqual([]);
  const get = (path: string, query = {}) => target.api.client.get(path, { token: target.owner.token, query });
  const listed = (await get("/api/v1/bots", { workspaceId })).list("bots").map((bot) => Object(bot));
  const ids = Object.fromEntries(listed.map(({ name, id }) => [name, id]));
  const draft = await get(`/api/v1/bots/${ids["Twice"]}`);
  const live = await get(`/api/v1/bots/${ids["Twice"]}/publishedBot`);
  for (const flow of [Object(draft.at("bot")), Object(live.at("publishedBot"))]) {
    expect(flow.groups[0].blocks.map(({ id }: { id: string }) => id)).toEqual(["says", "says-2"]);
    expect(flow.groups[1].blocks[0].options.typebotId).toBe(ids["Other"]);
  }
  expect([JSON.stringify(draft.body), JSON.stringify(live.body)]).toEqual([
    expect.stringContaining("Draft"),
    expect.stringContaining("Live"),
  ]);
});

test("invalid options of a move are rejected with a message", async () => {
  const workspaceId = await target.api.makeWorkspace(target.owner);
  await target.api.makeWorkspace(target.owner);
  await Bun.write(join(folder.path, "odd.json"), "{}");
  const from = ["--from", source.url, "--token", source.owner.token];
  const others = [
    [["--from", source.url], 2, /--token must be the API token for the server in --from/],
    [["--from", "ftp://x", "--token", "x"], 2, /--from must be an address/],
    [[...from, "file.json"], 2, /leave the files, --into and --folder out/],
    [["--publish", "file.json"], 2, /require --from/],
    [[], 2, /Enter the files to import/],
    [from, 1, /Choose a workspace of .*--workspace with one of/],
    [[...from, "--workspace", workspaceId, "--state", join(folder.path, "odd.json")], 1, /not the state of an import/],
    [
      [...from, "--workspace", workspaceId, "--state", join(folder.path, "first.json")],
      1,
      /belongs to the import of workspace/,
    ],
    [
      [...from, "--workspace", workspaceId, "--state", join(folder.path, "odd.json", "state.json")],
      1,
      /^\S+odd.json.state.json cannot be written: .*\n$/,
    ],
    [[...from, "--workspace", "nowhere", "--state", join(folder.path, "no.json")], 1, /Workspace not found.*"nowhere"/],
    [
      [...from, "--from-workspace", "nowhere", "--workspace", workspaceId, "--state", join(folder.path, "no.json")],
      1,
      /Workspace not found.*"nowhere"/,
    ],
    [
      ["--from", "http://127.0.0.1:1", "--token", "x", "--workspace", workspaceId, "--from-workspace", "x"],
      1,
      /does not respond/,
    ],
    [
      [...from, "--url", source.url, "--to-token", source.owner.token, "--workspace", fromWorkspaceId],
      2,
      /would copy the workspace into itself/,
    ],
  ] as const;
  const stateAt = (args: readonly string[]) =>
    args.includes("--from") && !args.includes("--state") ? ["--state", join(folder.path, "none.json")] : [];
  const answers = await Promise.all(others.map(([args]) => run([...args, ...stateAt(args)])));
  for (const [index, [args, exitCode, sentence]] of others.entries()) {
    const answer = answers[index];
    expect([args, answer?.exitCode, answer?.stderr]).toEqual([args, exitCode, expect.stringMatching(sentence)]);
  }
  // A state file of an import that never began would make the next import fail.
  expect(existsSync(join(folder.path, "no.json"))).toBe(false);
});

test("a redirect to another server is not followed", async () => {
  let isAsked = false;
  const serveWith = (answer: () => Response) => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  const other = serveWith(() => {
    isAsked = true;
    return Response.json({ workspaces: [] });
  });
  const named = serveWith(() => Response.redirect(`http://127.0.0.1:${other.port}/api/v1/workspaces`));
  const server = openServer(`http://127.0.0.1:${named.port}`, { token: "secret", option: "--from" });

  const refusal = await server.get("/api/v1/workspaces").catch((error: unknown) => String(error));
  expect(refusal).toContain(`redirects to another server: use http://127.0.0.1:${other.port}`);
  expect(isAsked).toBe(false);
  await Promise.all([named.stop(true), other.stop(true)]);
});

test("files at another address are read without the server's token", async () => {
  const asked: (string | null)[] = [];
  const serveWith = () =>
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        asked.push(request.headers.get("authorization"));
        return Response.json({ bytes: 2 });
      },
    });
  const [main, other] = [serveWith(), serveWith()];
  const filesFrom = `http://127.0.0.1:${other.port}`;
  const server = openServer(`http://127.0.0.1:${main.port}`, { token: "secret", option: "--from", filesFrom });
  const path = join(folder.path, "content");
  for (const origin of ["", filesFrom]) {
    await server.download(`${origin}/file`, path);
    await server.write("PUT", `${origin}/file`, { file: { path, type: "text/plain" } });
  }
  expect(asked).toEqual(["Bearer secret", "Bearer secret", null, null]);
  await Promise.all([main.stop(true), other.stop(true)]);
});
