import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { newId } from "../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { temporaryFolder } from "../support/folder.ts";
import { runCommand } from "../support/service.ts";

setDefaultTimeout(60_000);

const folder = temporaryFolder();
let api: TestApi;
let owner: TestUser;
let server: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
});
afterAll(async () => {
  await server.stop(true);
  await api.close();
  folder.remove();
});

function lint(...args: readonly string[]) {
  const environment = {
    PARLEY_URL: `http://127.0.0.1:${server.port}`,
    PARLEY_TOKEN: owner.token,
    DATA_DIR: folder.path,
  };
  return runCommand(["lint", ...args], { environment });
}

test("lint checks a file without a service, and a bot through its service", async () => {
  const lost = { groups: [{ id: "g", title: "Lost", blocks: [{ id: "b", type: "hologram" }] }] };
  const path = join(folder.path, "lost.json");
  await Bun.write(path, JSON.stringify(lost));
  const ofFile = await lint(path, "--url", "http://127.0.0.1:1");
  expect(ofFile).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^1 error, 1 warning, 0 infos\./) });
  expect(ofFile.stdout).toMatch(/^error no_start events\n {2}There is no start event/);
  expect(ofFile.stdout).toContain('warning unknown_block_type groups[0].blocks[0] (group "Lost", block "hologram")\n');

  const workspaceId = await api.makeWorkspace(owner);
  const made = await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot: lost } });
  const botId = made.text("bot.id");
  const ofBot = await lint(botId, "--json");
  expect(ofBot.exitCode).toBe(1);
  expect(JSON.parse(ofBot.stdout)).toMatchObject({
    errors: 1,
    findings: [{ rule: "empty_bot" }, { groupTitle: "Lost" }],
  });
  expect(await lint(botId, "--number", "3")).toMatchObject({ exitCode: 1, stdout: "" });

  const sound = await lint(join(import.meta.dir, "../flows/tea-bar.json"));
  expect(sound.exitCode).toBe(0);
});

test("lint exits with code 0 for warnings, and with code 1 if --strict is set", async () => {
  const path = join(folder.path, "warned.json");
  const flow = {
    events: [{ id: "s", type: "start", outgoingEdgeId: "e" }],
    groups: [{ id: "g", title: "End", blocks: [{ id: "b", type: "text", outgoingEdgeId: "gone" }] }],
    edges: [{ id: "e", to: { groupId: "g" } }],
  };
  await Bun.write(path, JSON.stringify(flow));
  const lenient = await lint(path);
  expect(lenient).toMatchObject({ exitCode: 0, stderr: "0 errors, 2 warnings, 0 infos.\n" });
  expect(lenient.stdout).toStartWith('warning always_breaks_off groups[0].blocks[0] (group "End", block "Text")\n');
  expect((await lint(path, "--strict")).exitCode).toBe(1);
});

test("lint rejects a file that is not a flow", async () => {
  const broken = join(folder.path, "broken.json");
  await Bun.write(broken, "{");
  const wrong = join(folder.path, "wrong.json");
  await Bun.write(wrong, JSON.stringify({ groups: [{ id: 1 }] }));
  expect(await lint(broken)).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/broken\.json is not JSON/) });
  expect(await lint(wrong)).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/has no flow: .*groups/) });
  expect(await lint("nothing-here")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/does not exist: enter/),
  });
  expect(await lint(newId())).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/Bot not found/) });
  expect(await lint(wrong, "--number", "1")).toMatchObject({ exitCode: 2 });
});

test("lint checks a folder and a file in one run", async () => {
  const bots = join(folder.path, "bots");
  await Bun.write(join(bots, "lost/bot.json"), JSON.stringify({ groups: [{ id: "g", title: "Lost", blocks: [] }] }));
  await Bun.write(join(bots, "broken.json"), "{");
  await Bun.write(join(bots, "package.json"), JSON.stringify({ name: "no flow" }));
  await Bun.write(join(bots, "node_modules/bot.json"), "{");
  const tea = join(import.meta.dir, "../flows/tea-bar.json");
  const all = await lint(bots, tea);
  const json = await lint(bots, tea, "--json");

  expect([all.exitCode, all.stderr]).toEqual([1, expect.stringMatching(/^1 error, /)]);
  expect(all.stdout).toContain(`${join(bots, "broken.json")}\nerror ${join(bots, "broken.json")} is not JSON`);
  expect(all.stdout).toContain(`${join(bots, "lost/bot.json")}\nerror no_start events`);
  expect(JSON.parse(json.stdout)).toMatchObject({
    files: [
      { name: join(bots, "broken.json"), problem: expect.stringMatching(/is not JSON/) },
      { name: join(bots, "lost/bot.json"), errors: 1 },
      { name: tea, errors: 0 },
    ],
    errors: 1,
  });
  expect(await lint(join(bots, "node_modules"), "--number", "1")).toMatchObject({ exitCode: 2 });
  await Bun.write(join(bots, "empty/notes.json"), "{}");
  expect(await lint(join(bots, "empty"))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/has no file of a bot/),
  });
});
