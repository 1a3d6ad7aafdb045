import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { newId } from "../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { flowOf } from "../support/chat.ts";
import { makeExport } from "../support/exports.ts";
import { temporaryFolder } from "../support/folder.ts";
import { fortyCalls } from "../support/forty-calls.ts";
import { putResult } from "../support/results.ts";
import { runCommand } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(60_000);

const flow = join(import.meta.dir, "../flows/quiz.json");
const folder = temporaryFolder();
let api: TestApi;
let owner: TestUser;
let workspaceId: string;
let server: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
});
afterAll(async () => {
  await server.stop(true);
  await api.close();
  folder.remove();
});

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  // The command finds the service by the settings with which the service listens.
  const settings = { PORT: String(server.port), PARLEY_TOKEN: owner.token, DATA_DIR: folder.path };
  return runCommand([...args], { environment: { ...settings, ...environment } });
}

test("an imported file is exported with the same groups", async () => {
  const imported = await run(["import", flow]);
  expect([imported.exitCode, imported.stderr]).toEqual([0, expect.stringMatching(/\d+ of \d+ blocks run\./)]);
  const botId = imported.stdout.trim();
  const path = join(folder.path, "quiz.json");
  expect(await run(["export", botId, path])).toMatchObject({ exitCode: 0, stdout: "" });
  const printed = await run(["export", botId], { PARLEY_URL: `http://127.0.0.1:${server.port}`, PORT: "1" });

  const file = await Bun.file(path).json();
  expect(JSON.parse(printed.stdout)).toEqual(file);
  expect(file.groups).toEqual((await Bun.file(flow).json()).groups);
  const made = await api.client.post("/api/v1/bots", {
    token: owner.token,
    body: { workspaceId, bot: { name: "Old" } },
  });
  const into = await run(["import", path, "--into", made.text("bot.id"), "--json"]);
  expect(JSON.parse(into.stdout)).toMatchObject({
    bot: { id: made.at("bot.id"), name: "Old", groups: file.groups },
    replacedNumber: 1,
  });
});

test("import and lint print at most six findings for 40 old HTTP blocks", async () => {
  const path = join(folder.path, "calls.json");
  await Bun.write(path, JSON.stringify(fortyCalls()));
  const imported = await run(["import", path]);
  const [summary, ...lines] = imported.stderr.trimEnd().split("\n");
  expect(summary).toBe('"Calls": 41 of 42 blocks run.');
  expect(lines.length).toBeLessThanOrEqual(6);
  expect(lines[0]).toBe("  Will not work: 1 block has a type that Parley does not support, and is skipped: Telepathy.");
  expect(lines.filter((line) => line.includes("URL to call"))).toEqual([
    "  To enter: 40 blocks have no URL to call, and have no effect until you enter one: HTTP request.",
  ]);

  const linted = await run(["lint", path]);
  const told = `${linted.stdout}${linted.stderr}`.trimEnd().split("\n");
  expect(told.filter((line) => line.includes("groups[0].blocks[")).length).toBeLessThanOrEqual(6);
  expect(told.filter((line) => line.trim() !== "")[0]).toContain("Telepathy");
});

test("the files of a folder become bots that link to each other", async () => {
  const bots = join(folder.path, "linked");
  const linking = (typebotId: string) => flowOf([{ id: "link", type: "Typebot link", options: { typebotId } }]);
  const [first, second] = [newId(), newId()];
  await Bun.write(join(bots, "a.json"), JSON.stringify({ id: first, name: "A", ...linking(second) }));
  await Bun.write(join(bots, "b/bot.json"), JSON.stringify({ id: second, name: "B", ...linking("../a.json") }));
  await Bun.write(join(bots, "c.json"), JSON.stringify({ name: "C", ...linking("current") }));
  await Bun.write(join(bots, "d.json"), "{");
  const { exitCode, stderr, stdout } = await run(["import", bots, "--workspace", workspaceId]);
  const [a = "", b = "", c = "", ...none] = stdout.trim().split("\n");
  const linkOf = async (id: string) => {
    const answer = await api.client.get(`/api/v1/bots/${id}`, { token: owner.token });
    return answer.at("bot.groups.0.blocks.0.options.typebotId");
  };

  expect([exitCode, none]).toEqual([1, []]);
  expect(stderr).toMatch(/^"A": 1 of 1 blocks run\.\n"B".*\n"C".*\n.*d\.json: .* is not JSON/);
  expect([await linkOf(a), await linkOf(b), await linkOf(c)]).toEqual([b, a, "current"]);
});

test("results are exported in the format of the file's extension", async () => {
  const bot = { variables: [{ id: idOf("v"), name: "Email" }] };
  const made = await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } });
  const botId = made.text("bot.id");
  const variables = [{ id: idOf("v"), name: "Email", value: "ada@example.com" }];
  const { resultId } = await putResult(api.deps.sql, botId, { variables, isCompleted: true, version: 3 });
  await putResult(api.deps.sql, botId);
  const tagged = `/api/v1/bots/${botId}/results/${resultId}`;
  await api.client.patch(tagged, { token: owner.token, body: { tags: ["lead"], note: "=1+1" } });
  const path = join(folder.path, "results.xlsx");

  const filter = ["--completed", "--publication", "3", "--tag", "lead", "--from", "2020-01-01T00:00:00Z"];
  const printed = await run(["results", "export", botId, "--unguarded", ...filter]);
  expect(await run(["results", "export", botId, path])).toMatchObject({ exitCode: 0, stdout: "" });
  const waiting = run(["results", "export", botId, join(folder.path, "a.ndjson"), "--job"]);
  const id = await waitFor(async () => {
    const [asked] = await api.deps.sql<{ id: string }[]>`select id from result_exports where status = 'waiting'`;
    return asked?.id;
  });
  await makeExport(api, id);

  expect((await waiting).exitCode).toBe(0);
  expect(printed.stdout.split("\r\n")).toHaveLength(3);
  expect(printed.stdout).toContain(`${resultId},yes,ada@example.com,,lead,=1+1,3,no,\r\n`);
  expect(new TextDecoder().decode((await Bun.file(path).bytes()).slice(0, 2))).toBe("PK");
  expect((await Bun.file(join(folder.path, "a.ndjson")).text()).trimEnd().split("\n")).toHaveLength(2);
});

test("an interrupted export removes its file", async () => {
  const breaking = Bun.listen({
    port: 0,
    hostname: "127.0.0.1",
    socket: {
      data(socket) {
        socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 1000\r\n\r\nSubmitted at");
      },
    },
  });
  const path = join(folder.path, "broken-off.csv");
  const answer = await run(["results", "export", newId(), path], { PARLEY_URL: `http://127.0.0.1:${breaking.port}` });
  breaking.stop(true);

  expect([answer.exitCode, answer.stderr]).toEqual([1, expect.stringContaining("could not be written completely")]);
  expect(await Bun.file(path).exists()).toBe(false);
});

test("a command that cannot run prints the reason", async () => {
  await Bun.write(join(folder.path, "list.json"), "[]");
  await Bun.write(join(folder.path, "broken.json"), "{");
  const others = [
    [["import", join(folder.path, "none.json")], 1, /none\.json does not exist/],
    [["import", join(folder.path, "list.json")], 1, /is not an exported bot/],
    [["import", join(folder.path, "broken.json")], 1, /is not JSON/],
    [["import", flow, "--workspace", "nowhere"], 1, /Workspace not found/],
    [["import", flow, "--into", "x", "--folder", "y"], 2, /leave --workspace and --folder out/],
    [["import", flow, "--url", "ftp://x"], 2, /--url must be an address/],
    [["export", "nothing"], 1, /Bot not found/],
    [["results", "export", "nothing"], 1, /Bot not found/],
    [["results", "export", "nothing", "--format", "exe"], 2, /must be csv, ndjson or xlsx/],
    [["results", "export", "nothing", "--format", "xlsx"], 2, /requires a file name/],
    [["results", "export", "nothing", "all.pdf"], 2, /extension of all\.pdf is for another format: use \.csv, /],
    [["results", "export", "nothing", "all.pdf", "--format", "csv"], 1, /Bot not found/],
    [["results", "export", "nothing", "all"], 1, /Bot not found/],
    [["results", "export", "nothing", "--variable", "Email"], 2, /a name, = and a value/],
    [["export", "nothing", "--url", "http://127.0.0.1:1"], 1, /No service responds/],
  ] as const;
  const answers = await Promise.all(others.map(([args]) => run(args)));
  for (const [index, [args, exitCode, sentence]] of others.entries()) {
    const answer = answers[index];
    expect([args, answer?.exitCode, answer?.stderr]).toEqual([args, exitCode, expect.stringMatching(sentence)]);
  }
  expect((await run(["export", "nothing"], { PARLEY_TOKEN: "" })).exitCode).toBe(2);
});

test("an import must name a workspace if several workspaces exist", async () => {
  const other = await api.makeWorkspace(owner);
  const { exitCode, stderr } = await run(["import", flow]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(other)]);
  expect((await run(["import", flow, "--workspace", other])).exitCode).toBe(0);
});
