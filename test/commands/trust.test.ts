import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { isFolder, tokenFor } from "../../src/commands/deploy/project.ts";
import { pull } from "../../src/commands/deploy/pull.ts";
import { render } from "../../src/commands/deploy/rendering.ts";
import { openServer } from "../../src/commands/import/server.ts";
import { isOnThisMachine } from "../../src/commands/service.ts";
import { flowOf, says } from "../support/chat.ts";
import { type DeployProject, type DeployWorld, openDeployWorld } from "../support/deploy-world.ts";
import { temporaryFolder } from "../support/folder.ts";
import { runCommand } from "../support/service.ts";

setDefaultTimeout(60_000);

const folder = temporaryFolder();
let world: DeployWorld;

beforeAll(async () => {
  world = await openDeployWorld();
});
afterAll(async () => {
  await world.close();
  folder.remove();
});

async function pulled(): Promise<DeployProject & { outside: string; botId: string }> {
  const project = await world.openProject();
  const botId = await project.makeBot("Shop", flowOf([says("Hi")]));
  const conversation = { title: "Greets", turns: [{ expect: {} }] };
  await project.send("put", `bots/${botId}/testConversations/greeting`, { isRequired: false, conversation });
  expect((await project.run("pull", "staging")).exitCode).toBe(0);
  const outside = join(folder.path, botId);
  mkdirSync(join(outside, "tests"), { recursive: true });
  return { ...project, outside, botId };
}

async function pullHere(root: string, token: string): Promise<string> {
  const tools = { environment: {}, print() {}, tell() {}, setExitCode() {} };
  const failure = await pull(tools, "staging", root, { token, force: true }).catch((error: Error) => error.message);
  return failure ?? "";
}

const remote = { workspaceId: "w", bots: new Map(), folders: [], credentials: [] };

test("a test name from the service is rejected if it is not a safe file name", async () => {
  const project = await pulled();
  const bot = Object((await project.read(`bots/${project.botId}`)).at("bot"));
  const names = ["../../../../x", "..", "a/../../../b", "/etc/x", "a\\b", "x\u0000", ".hidden", "", "x".repeat(101)];
  const refusals = names.map((name) => {
    const tests = [{ name, isRequired: false, conversation: {} }];
    const one = { bot, published: null, retentionDays: null, tests };
    return () => render(remote, one, { folder: "shop", ids: new Map() });
  });
  const conversation = { title: "Planted", turns: [] };
  const name = "../../../../x";
  world.before("GET", "testConversations", async () => {
    world.before("GET", "testConversations/", async () =>
      Response.json({ testConversation: { name, isRequired: false, conversation } }),
    );
    return Response.json({ testConversations: [{ name }] });
  });
  const before = await project.files();
  const { exitCode, stderr } = await project.run("pull", "staging");

  for (const refusal of refusals) expect(refusal).toThrow("cannot be used as a file name");
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("cannot be used as a file name")]);
  expect(await project.files()).toEqual(before);
});

test("the folder of a bot in a lock file must be a relative path", async () => {
  const wrong = ["../elsewhere", "/tmp/x", "a/../../b", "..\\elsewhere", ".git/hooks", "a//b", "C:x", "", ".", "a\n"];
  expect(wrong.filter(isFolder)).toEqual([]);
  expect(["shop", "a/b", "cafe-1", "a.b"].filter((name) => !isFolder(name))).toEqual([]);
});

test("files outside the project are neither read nor written through symbolic links", async () => {
  const { root, outside, run, owner, send, botId } = await pulled();
  writeFileSync(join(outside, "tests/secret.json"), JSON.stringify({ title: "Key", turns: [] }));
  writeFileSync(join(outside, "victim"), "mine");
  const shop = join(root, "shop");

  rmSync(join(shop, "tests"), { recursive: true });
  symlinkSync(join(outside, "tests"), join(shop, "tests"));
  const read = await run("deploy", "staging", "--apply");
  const again = () => pullHere(root, owner.token);
  rmSync(shop, { recursive: true });
  symlinkSync(outside, shop);
  const written = await again();
  rmSync(shop);
  mkdirSync(shop);
  symlinkSync(join(outside, "victim"), join(shop, "bot.json"));
  const replaced = await again();
  rmSync(join(shop, "bot.json"));
  symlinkSync(join(outside, "not-yet"), join(shop, "bot.json"));
  const made = await again();
  rmSync(shop, { recursive: true });
  symlinkSync(join(outside, "victim"), join(root, "parley.staging.lock.json.new"));
  await send("patch", `bots/${botId}`, { bot: { name: "Shop 2" } });
  const locked = await again();

  expect([read.exitCode, read.stderr]).toEqual([1, expect.stringContaining("links to a file outside")]);
  for (const refusal of [written, replaced, made, locked]) expect(refusal).toContain("links to a file outside");
  expect(readFileSync(join(outside, "victim"), "utf8")).toBe("mine");
  expect(readdirSync(outside).sort()).toEqual(["tests", "victim"]);
  expect(readdirSync(join(outside, "tests"))).toEqual(["secret.json"]);
});

test("a pull accepts a symbolic link to a folder within the project", async () => {
  const { root, owner, send, botId } = await pulled();
  renameSync(join(root, "shop"), join(root, "kept"));
  symlinkSync("kept", join(root, "shop"));
  await send("patch", `bots/${botId}`, { bot: { name: "Shop 2" } });

  expect(await pullHere(root, owner.token)).toBe("");
  expect(readFileSync(join(root, "kept/bot.json"), "utf8")).toContain('"Shop 2"');
  expect(lstatSync(join(root, "shop")).isSymbolicLink()).toBe(true);
});

test("a server in parley.json does not get another program's token", async () => {
  const { root, staging } = await world.openProject();
  const asked: (string | null)[] = [];
  const thief = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked.push(request.headers.get("authorization"));
      return new Response("no", { status: 418 });
    },
  });
  const url = `http://127.0.0.1:${thief.port}`;
  const place = { name: "staging", url, workspace: staging, publicIds: {} };
  const others = ["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "parley_token", "NPM_PARLEY_TOKEN", ""];
  for (const tokenVariable of others)
    expect(() => tokenFor({ ...place, tokenVariable }, {}, { [tokenVariable]: "hush" })).toThrow(
      "must begin with PARLEY_",
    );
  const environments = { staging: { url, workspace: staging, tokenVariable: "GITHUB_TOKEN" } };
  writeFileSync(join(root, "parley.json"), JSON.stringify({ environments }));
  const environment = { GITHUB_TOKEN: "hush", OTHER: "chosen", DATA_DIR: folder.path };
  const act = (...words: string[]) => runCommand(["pull", "staging", ...words], { environment, cwd: root });
  const refused = await act();
  const before = [...asked];
  await act("--token-from", "GITHUB_TOKEN");
  await act("--token-from", "OTHER");
  await act("--token", "given");
  await thief.stop(true);

  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("--token-from GITHUB_TOKEN")]);
  expect(before).toEqual([]);
  expect(asked).toEqual(["Bearer hush", "Bearer chosen", "Bearer given"]);
});

test("the token of the local service is sent only to the local machine", async () => {
  writeFileSync(join(folder.path, "admin-token"), "kept-by-the-first-start");
  const environment = { DATA_DIR: folder.path };
  const asked: (string | null)[] = [];
  const own = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked.push(request.headers.get("authorization"));
      return Response.json({ workspaces: [] });
    },
  });
  const here = await runCommand(["api", "GET", "workspaces", "--url", `http://localhost:${own.port}`], { environment });
  await own.stop(true);
  const elsewhere = [
    ["api", "GET", "workspaces", "--url", "http://bots.example.invalid"],
    ["import", "--from", "http://a.example.invalid", "--token", "theirs", "--url", "http://bots.example.invalid"],
  ];
  const refused = await Promise.all(elsewhere.map((words) => runCommand(words, { environment })));
  const place = { name: "test", url: "http://b.example.invalid", workspace: undefined, publicIds: {} };
  expect(() => tokenFor({ ...place, tokenVariable: undefined }, {}, environment)).toThrow("Set the API token");
  const named = await runCommand(["bots", "list"], {
    environment: { ...environment, PARLEY_URL: "http://bots.example.invalid", HOST: "bots.example.invalid" },
  });

  expect([here.exitCode, asked]).toEqual([0, ["Bearer kept-by-the-first-start"]]);
  for (const { exitCode, stderr } of [...refused, named])
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/Set the API token/)]);
});

test("addresses of the local machine are recognised without a DNS look-up", () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  const ours = ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "0.0.0.0", ...own.filter(isIpv4)];
  const others = [
    "localhost.example.com",
    "127.example.com",
    "example.com",
    "10.255.255.254",
    "[2001:db8::1]",
    "1.0.0.127",
  ];

  expect(ours.filter((host) => !isOnThisMachine(new URL(`http://${host}:3000`)))).toEqual([]);
  expect(others.filter((host) => isOnThisMachine(new URL(`http://${host}:3000`)))).toEqual([]);
});

const isIpv4 = (address: string) => address.includes(".");

test("a source can reference files only at its own addresses", async () => {
  const served = (text: string) => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(text) });
  const [source, chat, inner] = [served("own"), served("chat"), served("inner")];
  const at = ({ port }: { port: number | undefined }) => `http://127.0.0.1:${port}`;
  const content = join(folder.path, "content");
  const planted = join(folder.path, "planted");
  writeFileSync(planted, "of this machine");
  const server = openServer(at(source), { token: "t", option: "--from", filesFrom: `${at(chat)}/` });
  const refused = [`${at(inner)}/x`, `file://${planted}`, "data:text/plain,x", "s3://bucket/x", "blob:x"];

  for (const address of refused) {
    expect([address, server.hasFile(address)]).toEqual([address, false]);
    await expect(server.download(address, content)).rejects.toThrow("refers to a file on another server");
  }
  await expect(server.write("PUT", "s3://bucket/x", { file: { path: planted, type: "text/plain" } })).rejects.toThrow(
    "did not return a valid server address",
  );
  expect(existsSync(content)).toBe(false);
  for (const address of ["/x", `${at(source)}/x`, `${at(chat)}/x`]) {
    expect(server.hasFile(address)).toBe(true);
    await server.download(address, content);
  }
  expect(readFileSync(content, "utf8")).toBe("chat");
  await Promise.all([source.stop(true), chat.stop(true), inner.stop(true)]);
});

test("referenced files at other addresses are reported and not moved", async () => {
  const { staging, production, owner } = await world.openProject();
  const hidden = join(folder.path, "hidden");
  writeFileSync(hidden, "of this machine");
  const files = [
    { id: "f", name: "a.png", type: "image/png", hash: "h", bytes: 1, url: `file://${hidden}` },
    { id: "g", name: "b.png", type: "image/png", hash: "i", bytes: 1, url: "http://10.255.255.254/api/x.png" },
  ];
  world.before("GET", `${staging}/files`, async () => Response.json({ workspaceFiles: files, files }));
  const words = ["import", "--from", world.url, "--token", owner.token, "--to-token", owner.token, "--url", world.url];
  const { stdout } = await runCommand(
    [...words, "--from-workspace", staging, "--workspace", production, "--state", join(folder.path, "state.json")],
    { environment: { DATA_DIR: folder.path } },
  );

  expect(stdout).toContain(`Files at other addresses: "http://10.255.255.254/api/x.png", "file://${hidden}"`);
  const listed = await world.api.client.get(`/api/v1/workspaces/${production}/files`, { token: owner.token });
  expect(listed.list("files")).toEqual([]);
});

test("pull --prune keeps a bot with local changes", async () => {
  const { root, outside, run, send, botId, edit } = await pulled();
  mkdirSync(join(root, "shop/drafts"));
  symlinkSync(outside, join(root, "shop/tests/linked"));
  await edit("shop/bot.json", "Hi", "My own words");
  await send("delete", `bots/${botId}`);
  const kept = await run("pull", "staging", "--prune", "--json");
  const text = readFileSync(join(root, "shop/bot.json"), "utf8");
  const forced = await run("pull", "staging", "--prune", "--force");

  expect([kept.exitCode, JSON.parse(kept.stdout).bots]).toEqual([
    1,
    [{ folder: "shop", botId, outcome: "kept", changes: [] }],
  ]);
  expect(text).toContain("My own words");
  expect(forced.stdout).toContain("removed shop\n");
  expect(readdirSync(join(root, "shop")).sort()).toEqual(["drafts", "tests"]);
  expect(readdirSync(join(root, "shop/tests"))).toEqual(["linked"]);
});
