import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { flowOf, nameAndEmail, says } from "../support/chat.ts";
import { temporaryFolder } from "../support/folder.ts";
import { longTest } from "../support/long-test.ts";
import { putResult } from "../support/results.ts";
import { runCommand, sourceCommand } from "../support/service.ts";

setDefaultTimeout(60_000);

const folder = temporaryFolder();
let api: TestApi;
let owner: TestUser;
let workspaceId: string;
let server: ReturnType<typeof Bun.serve>;
let url: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(async () => {
  await server.stop(true);
  await api.close();
  folder.remove();
});

function run(args: readonly string[], options: { readonly input?: string } = {}) {
  const environment = { PARLEY_URL: url, PARLEY_TOKEN: owner.token, DATA_DIR: folder.path };
  return runCommand(args, { ...options, environment });
}

async function runJson(...args: readonly string[]) {
  const { stdout, stderr, exitCode } = await run([...args, "--json"]);
  return { exitCode, stderr, json: JSON.parse(stdout) };
}

async function makeBot(name: string, flow: object = flowOf([says("Hello")])): Promise<string> {
  const body = { workspaceId, bot: { name, ...flow } };
  return (await api.client.post("/api/v1/bots", { token: owner.token, body })).text("bot.id");
}

test("bots are published, rolled back and restored by name or id", async () => {
  const first = await makeBot("Tea");
  const second = await makeBot("Coffee");
  const published = await runJson("bots", "publish", "Tea", second, "Nothing", "--note", "First", "--force");
  const body = { bot: { groups: flowOf([says("Good day")]).groups } };
  await api.client.patch(`/api/v1/bots/${first}`, { token: owner.token, body });
  await runJson("bots", "publish", "Tea", "--force", "--percent", "10");
  const canary = await run(["bots", "canary", "Tea"]);
  const shared = await runJson("bots", "canary", "Tea", "--percent", "50");
  const promoted = await runJson("bots", "canary", "Tea", "--promote");
  const { stdout: rolledBack } = await run(["bots", "rollback", "Tea"]);
  const versions = await runJson("bots", "versions", "Tea");
  const shown = await run(["bots", "get", "Tea"]);
  await run(["bots", "archive", second]);
  const { json: active } = await runJson("bots", "list", "--workspace", workspaceId);
  const archived = await run(["bots", "list", "--archived"]);
  const restored = await runJson("bots", "restore", "Coffee");
  const { stdout: unpublished } = await run(["bots", "unpublish", "Coffee"]);

  expect(published).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^Nothing: Bot not found: .*"parley bots list" lists all bots\.\n$/),
    json: {
      bots: [
        { botId: first, number: 1 },
        { botId: second, number: 1 },
      ],
      failed: [{ bot: "Nothing", code: "bot.not_found" }],
    },
  });
  expect(canary.stdout).toMatch(/^Tea: version 2 gets 10% of new chats\nVERSION .*\n1 {8}published .*\n2 {8}canary /);
  expect([shared.json.canary.percent, promoted.json.number]).toEqual([50, 2]);
  expect(rolledBack).toBe("Tea: rolled back from version 2 to version 1, published as version 3\n");
  expect(versions.json.publications.map((one: { number: number; note: string }) => [one.number, one.note])).toEqual([
    [3, "Back to version 1"],
    [2, null],
    [1, "First"],
  ]);
  expect(shown.stdout).toMatch(/^version {4}3, since \S+Z: Back to version 1$/m);
  expect(active.bots.map((bot: { name: string }) => bot.name)).toEqual(["Tea"]);
  expect(archived.stdout).toMatch(new RegExp(`^ID .*\\n${second}  Coffee `));
  expect(restored.json.bots).toMatchObject([{ botId: second, lostPublicId: null }]);
  expect(unpublished).toBe("Coffee: unpublished\n");
});

longTest("a roll-back skips a canary that was not promoted", async () => {
  const botId = await makeBot("Rolled back");
  const publishAs = async (text: string, ...more: readonly string[]) => {
    const body = { bot: { groups: flowOf([says(text)]).groups } };
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body });
    await run(["bots", "publish", botId, "--force", ...more]);
  };
  await publishAs("first");
  await publishAs("bad", "--percent", "10");
  await run(["bots", "canary", botId, "--rollback"]);
  await publishAs("third");
  const { json } = await runJson("bots", "rollback", botId);

  expect(json.bots).toMatchObject([{ from: 3, to: 1, number: 4 }]);
});

test("parley api lists a rejected field once", async () => {
  const body = JSON.stringify({ variable: "Email", value: "ada@example.com", isDryrun: true });
  const erasures = `workspaces/${workspaceId}/person-erasures`;
  const { stderr, exitCode } = await run(["api", "POST", erasures, "--data", body]);

  expect([exitCode, stderr]).toEqual([1, "Input validation failed: isDryrun is not a known field.\n"]);
});

test("parley api rejects a body of invalid JSON with a line and a column", async () => {
  for (const data of ['{"name": Tea}', " [1, 2"]) {
    const { stderr, exitCode } = await run(["api", "POST", "workspaces", "--data", data]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/^The body is not valid JSON: see line 1, column \d+\.\n$/),
    ]);
  }
});

longTest("an export to the file name - is written to standard output", async () => {
  const botId = await makeBot("Exported");
  const results = await run(["results", "export", botId, "-"]);
  const draft = await run(["export", botId, "-"]);

  expect([results.stdout, results.stderr]).toEqual([expect.stringMatching(/Submitted at,/), ""]);
  expect(JSON.parse(draft.stdout)).toMatchObject({ name: "Exported" });
});

longTest("an export with --allow-partial states until when its results are complete", async () => {
  const variables = [{ id: idOf("name"), name: "Name" }];
  const botId = await makeBot("Partial", { ...flowOf([says("Hello")]), variables });
  await putResult(api.deps.sql, botId, { variables: [{ id: idOf("name"), name: "Name", value: "Ada" }] });
  await api.deps.sql`
    insert into results_to_read (shard, result_id, bot_id, next_at)
    select shard, id, bot_id, clock() + interval '1 hour' from results where bot_id = ${botId}
    on conflict do nothing`;
  const filter = ["--format", "ndjson", "--variable", "Name=Ada"];
  const { stdout, stderr, exitCode } = await run(["results", "export", botId, "-", ...filter, "--allow-partial"]);

  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringMatching(/^Some results may be missing: .* up to \d{4}-\S+Z\.\n$/),
  ]);
  expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject({ meta: { asOf: expect.any(String) } });
});

longTest("bots restore selects an archived or deleted bot by its name", async () => {
  const [used, archived, deleted] = [await makeBot("Same"), await makeBot("Same"), await makeBot("Same")];
  const elsewhere = await api.makeUser();
  await api.makeWorkspace(elsewhere, { [owner.userId]: "GUEST" });
  const { token } = owner;
  await api.client.post(`/api/v1/bots/${archived}/archive`, { token, body: {} });
  await api.client.delete(`/api/v1/bots/${deleted}`, { token });

  const several = await run(["bots", "restore", "Same"]);
  expect(several.stderr).toMatch(
    new RegExp(`Several bots have the name "Same".*(?:(?:${archived}|${deleted}) \\("Same" in ".+?"\\)(?:, |\\.)){2}`),
  );
  expect(several.stderr).not.toContain(used);
  expect((await runJson("bots", "publish", "Same", "--force")).json.bots).toMatchObject([{ botId: used }]);
  await api.client.post(`/api/v1/bots/${archived}/restore`, { token, body: {} });
  expect((await runJson("bots", "restore", "Same")).json.bots).toMatchObject([{ botId: deleted }]);
  expect((await run(["bots", "restore", "Same"])).stderr).toMatch(
    /Bot not found: no archived bot has .* no bot in the bin has the name/,
  );
});

longTest("bots archive lists a bot that links to the archived bot", async () => {
  const inner = await makeBot("Inner");
  const link = { id: "link", type: "Typebot link", options: { typebotId: inner } };
  const outer = await makeBot("Outer", flowOf([link]));

  expect((await run(["bots", "archive", "Inner"])).stdout).toBe(
    `Inner: archived. These bots link to it: "Outer" (${outer})\n`,
  );
});

test("the bots commands reject ambiguous names and invalid arguments", async () => {
  const [first, second] = [await makeBot("Twin"), await makeBot("Twin")];
  await run(["bots", "publish", first, "--force"]);
  await Bun.write(join(folder.path, "bot.json"), "{}");
  const sentences = [
    [
      ["bots", "get", "Twin"],
      1,
      new RegExp(`Several bots have the name "Twin".*(?:(?:${first}|${second}) \\("Twin" in ".+?"\\)(?:, |\\.)){2}`),
    ],
    [["bots", "rollback", first], 1, /Version 1 has no earlier version that differs from it/],
    [["bots", "rollback", second], 1, /not published, so there is nothing to roll back/],
    [["bots", "rollback", first, second, "--number", "1"], 2, /--number requires a single bot/],
    [["bots", "get", join(folder.path, "bot.json")], 2, /is a file: enter the id, the public id or the name of a bot/],
    [["bots", "list", "--workspace", "Nowhere"], 1, /Workspace not found/],
    [["bots", "canary", first, "--move"], 2, /--move requires --promote/],
    [["bots", "canary", first, "--percent", "100"], 2, /whole number from 1 to 99/],
  ] as const;
  const answers = await Promise.all(sentences.map(([args]) => run(args)));
  for (const [index, [args, exitCode, sentence]] of sentences.entries()) {
    const answer = answers[index];
    expect([args, answer?.exitCode, answer?.stderr]).toEqual([args, exitCode, expect.stringMatching(sentence)]);
  }
});

/** Starts a watch. The watch is ready after its first check. */
function startWatch(botId: string, ...more: readonly string[]) {
  const words = ["results", "watch", botId, "--json", "--every", "1", ...more, "--url", url, "--token", owner.token];
  const child = Bun.spawn([...sourceCommand, ...words], { stderr: "pipe" });
  const reader = child.stderr.getReader();
  return {
    isReady: reader.read().then(({ value }) => {
      expect(new TextDecoder().decode(value)).toBe("Watching. Press Ctrl-C to end.\n");
    }),
    lines: async () => (await new Response(child.stdout).text()).trimEnd().split("\n"),
    exited: child.exited,
  };
}

test("a watch reports the start and the completion of results", async () => {
  const botId = await makeBot("Watched", nameAndEmail);
  const variables = [{ id: "v", name: "Name", value: "Ada" }];
  const { resultId } = await putResult(api.deps.sql, botId, { variables, hasStarted: true });
  await putResult(api.deps.sql, botId, { isCompleted: true, createdAt: "2026-01-01T00:00:00Z" });
  const listed = await run(["results", "list", "Watched", "--from", "2026-02-01T00:00:00Z"]);
  const { json } = await runJson("results", "list", botId, "--limit", "1");

  const watch = startWatch(botId, "--count", "5");
  await watch.isReady;
  await api.deps.sql`update results set is_completed = true where id = ${resultId}`;
  const later = await putResult(api.deps.sql, botId);
  // A short chat starts, is answered, and completes between two checks.
  const short = await putResult(api.deps.sql, botId, { hasStarted: true, isCompleted: true });
  const lines = await watch.lines();

  expect(listed.stdout).toMatch(new RegExp(`^STARTED AT .*\\n\\S+Z  ${resultId}  –        answered  Name: Ada\\n$`));
  expect(json.results).toMatchObject([{ id: resultId }]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: "completed", result: { id: resultId } },
    { event: "started", result: { id: later.resultId } },
    { event: "started", result: { id: short.resultId } },
    { event: "answered", result: { id: short.resultId } },
    { event: "completed", result: { id: short.resultId } },
  ]);
  expect(await watch.exited).toBe(0);
});

longTest("a watch prints no older results after newer ones are deleted", async () => {
  const botId = await makeBot("Busy");
  const ids: string[] = [];
  for (let number = 0; number <= 100; number++) ids.push((await putResult(api.deps.sql, botId)).resultId);
  const watch = startWatch(botId, "--count", "1");
  await watch.isReady;
  await api.client.delete(`/api/v1/bots/${botId}/results`, {
    token: owner.token,
    body: { resultIds: ids.slice(-2).join(",") },
  });
  const { resultId } = await putResult(api.deps.sql, botId);
  const [line = ""] = await watch.lines();

  expect(JSON.parse(line)).toMatchObject({ event: "started", result: { id: resultId } });
});

test("parley api calls operations with bodies, query parameters and headers", async () => {
  const botId = await makeBot("By the API");
  const made = await run(["api", "POST", "bots", "--data", "-"], {
    input: JSON.stringify({ workspaceId, bot: { name: "From a pipe" } }),
  });
  const all = await run([
    ...["api", "get", "/api/v1/bots", "--query", `workspaceId=${workspaceId}`, "--query", "limit=1", "--all"],
  ]);
  await Bun.write(join(folder.path, "name.json"), JSON.stringify({ bot: { name: "Renamed" } }));
  const changed = await run(["api", "PATCH", `bots/${botId}`, "--data", `@${join(folder.path, "name.json")}`]);
  const refused = await run(["api", "PATCH", `bots/${botId}`, "--data", '{"bot":{"name":" "}}']);
  const conflict = await run([
    ...["api", "PATCH", `bots/${botId}`, "--data", '{"bot":{"name":"x"}}', "--header", 'If-Match: "2020-01-01"'],
  ]);
  const table = await run(["api", "GET", `bots/${botId}/results/export?format=csv`]);

  expect(JSON.parse(made.stdout)).toMatchObject({ bot: { name: "From a pipe" } });
  const { bots, nextCursor } = JSON.parse(all.stdout);
  expect([bots.length > 1, nextCursor]).toEqual([true, undefined]);
  expect(JSON.parse(changed.stdout)).toMatchObject({ bot: { name: "Renamed" } });
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("bot.name must have at least one")]);
  expect(JSON.parse(refused.stdout)).toMatchObject({ code: "request.invalid" });
  expect(JSON.parse(conflict.stdout)).toMatchObject({ code: "precondition.failed" });
  expect(table.stdout).toStartWith("Submitted at");
});

test("parley api rejects addresses of other servers and an unknown method", async () => {
  const elsewhere = await run(["api", "GET", "//127.0.0.1:1/api/v1/bots"]);
  const address = await run(["api", "GET", "http://127.0.0.1:1/api/v1/bots"]);
  const method = await run(["api", "FETCH", "bots"]);

  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([2, expect.stringMatching(/is not a path of/)]);
  expect([address.exitCode, address.stderr]).toEqual([2, expect.stringMatching(/enter only the path/)]);
  expect([method.exitCode, method.stderr]).toEqual([2, expect.stringMatching(/is not a method/)]);
});

test("parley api retries a request that the service rejects with status 429", async () => {
  let requests = 0;
  const busy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      ++requests === 1 ? new Response("", { status: 429, headers: { "retry-after": "0" } }) : Response.json({}),
  });
  const answer = await run(["api", "POST", "bots", "--data", "{}", "--url", `http://127.0.0.1:${busy.port}`]);
  await busy.stop(true);

  expect([answer.exitCode, answer.stdout, requests]).toEqual([0, "{}\n", 2]);
});

test("help shows a command within a group, and rejects an unknown command", async () => {
  const { exitCode, stdout } = await run(["help", "results", "export"]);
  const unknown = await run(["help", "results", "exports"]);

  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(/^Usage: parley results export \[options\] <bot> \[file\]\n/),
  ]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    2,
    expect.stringMatching(/^There is no command "results exports"\./),
  ]);
});
