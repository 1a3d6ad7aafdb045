import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { createTestApi, type TestApi, type TestUser } from "./support/api.ts";
import { temporaryFolder } from "./support/folder.ts";
import { runCommand } from "./support/service.ts";

setDefaultTimeout(60_000);

const flow = join(import.meta.dir, "flows/quiz.json");
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
  // The service is found by the settings that it listens with.
  const settings = { PORT: String(server.port), PARLEY_TOKEN: owner.token, DATA_DIR: folder.path };
  return runCommand([...args], { environment: { ...settings, ...environment } });
}

test("a file becomes a bot, which is exported as it was, and imported into another", async () => {
  const imported = await run(["import", flow]);
  expect([imported.exitCode, imported.stderr]).toEqual([0, expect.stringMatching(/blocks run exactly/)]);
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

test("what cannot be done is said in a sentence", async () => {
  await Bun.write(join(folder.path, "list.json"), "[]");
  await Bun.write(join(folder.path, "broken.json"), "{");
  const others = [
    [["import", join(folder.path, "none.json")], 1, /none\.json cannot be read/],
    [["import", join(folder.path, "list.json")], 1, /no exported bot/],
    [["import", join(folder.path, "broken.json")], 1, /is no JSON/],
    [["import", flow, "--workspace", "nowhere"], 1, /Workspace not found/],
    [["import", flow, "--into", "x", "--folder", "y"], 2, /leave --workspace and --folder out/],
    [["import", flow, "--url", "ftp://x"], 2, /--url must be an address/],
    [["export", "nothing"], 1, /Bot not found/],
    [["export", "nothing", "--url", "http://127.0.0.1:1"], 1, /No service answers/],
  ] as const;
  const answers = await Promise.all(others.map(([args]) => run(args)));
  for (const [index, [args, exitCode, sentence]] of others.entries()) {
    const answer = answers[index];
    expect([args, answer?.exitCode, answer?.stderr]).toEqual([args, exitCode, expect.stringMatching(sentence)]);
  }
  expect((await run(["export", "nothing"], { PARLEY_TOKEN: "" })).exitCode).toBe(2);
});

test("where there are several workspaces, one is to be named", async () => {
  const other = await api.makeWorkspace(owner);
  const { exitCode, stderr } = await run(["import", flow]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(other)]);
  expect((await run(["import", flow, "--workspace", other])).exitCode).toBe(0);
});
