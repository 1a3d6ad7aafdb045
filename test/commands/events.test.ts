import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { testKey } from "../support/events.ts";
import { temporaryFolder } from "../support/folder.ts";
import { runCommand, sourceCommand } from "../support/service.ts";
import { readText } from "../support/tidy/project.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(60_000);

const folder = temporaryFolder();
let api: TestApi;
let owner: TestUser;
let workspaceId: string;
let server: ReturnType<typeof Bun.serve>;

const serve = (port: number) => Bun.serve({ port, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  server = serve(0);
});
afterAll(async () => {
  await server.stop(true);
  await api.close();
  folder.remove();
});

const environment = () => ({ PORT: String(server.port), PARLEY_TOKEN: owner.token, DATA_DIR: folder.path });
const run = (...words: string[]) => runCommand(words, { environment: environment() });

function start(command: readonly string[], more: Readonly<Record<string, string>>) {
  const program = Bun.spawn([...command], {
    env: { PATH: String(process.env["PATH"]), ...more },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const printed = { stdout: "", stderr: "" };
  const read = async (stream: ReadableStream<Uint8Array>, name: "stdout" | "stderr") => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) printed[name] += decoder.decode(chunk, { stream: true });
  };
  const isRead = Promise.all([read(program.stdout, "stdout"), read(program.stderr, "stderr")]);
  return {
    printed,
    lines: () => printed.stdout.split("\n").slice(0, -1),
    say: async (text: string) => {
      program.stdin.write(text);
      await program.stdin.flush();
    },
    async end() {
      program.kill("SIGINT");
      await isRead;
      return await program.exited;
    },
  };
}

/** Starts the receiver of `docs/events.md` on a free port. */
async function startReceiver(secret: string) {
  const [, example = ""] = /```js\n([\s\S]*?)```/.exec(readText("docs/events.md")) ?? [];
  const path = join(folder.path, "receiver.mjs");
  const listening = ".listen(0, function () { console.log(this.address().port); });";
  await Bun.write(path, example.replace(".listen(process.env.PORT ?? 4000);", listening));
  const receiver = start([Bun.which("node") ?? process.execPath, path], { PARLEY_SECRET: secret });
  const port = await waitFor(() => receiver.lines()[0], { what: "the receiver" });
  return { ...receiver, url: `http://127.0.0.1:${port}/` };
}

test("events reach the documented receiver after an outage", async () => {
  const listeners = `/api/v1/workspaces/${workspaceId}/event-listeners`;
  const known = await api.client.post(listeners, { token: owner.token, body: { url: "none" } });
  const endpoints = `/api/v1/workspaces/${workspaceId}/event-endpoints`;
  await api.client.delete(`${endpoints}/${known.text("eventEndpoint.id")}`, { token: owner.token });
  const secret = known.text("eventEndpoint.secret");
  const receiver = await startReceiver(secret);
  const bot = await api.client.post("/api/v1/bots", {
    token: owner.token,
    body: { workspaceId, bot: { name: "Gone" } },
  });

  const words = ["listen", receiver.url, "--events", "result.completed,bot.deleted", "--json"];
  const listening = start([...sourceCommand, ...words], environment());
  const line = (index: number): Promise<Record<string, unknown>> =>
    waitFor(() => listening.lines()[index] && JSON.parse(String(listening.lines()[index])), { what: `line ${index}` });
  await waitFor(() => listening.printed.stderr.includes(secret), { what: "the listener" });
  const triggered = await run("trigger", "result.completed");
  expect(await line(0)).toMatchObject({ number: 1, id: triggered.stdout.trim(), statusCode: 204, isDelivered: true });

  await listening.say("r\n");
  expect(await line(1)).toMatchObject({ number: 2, id: triggered.stdout.trim(), statusCode: 204 });

  const { port = 0 } = server;
  await server.stop(true);
  await waitFor(() => listening.printed.stderr.includes("Trying again"), { what: "the outage" });
  await api.client.delete(`/api/v1/bots/${bot.text("bot.id")}`, { token: owner.token });
  server = serve(port);
  const deleted = await line(2);
  expect(deleted).toMatchObject({ number: 3, statusCode: 204 });
  expect(JSON.parse(String(deleted["body"]))).toMatchObject({ type: "bot.deleted", data: { name: "Gone" } });

  const forged = await fetch(receiver.url, {
    method: "POST",
    headers: Object(deleted["headers"]),
    body: String(deleted["body"]).replace("Gone", "Kept"),
  });
  expect(forged.status).toBe(401);
  // The receiver recognises the repeated first event, and prints it only once.
  expect(receiver.printed.stdout.match(/(?<=type: ["'])[\w.]+/g)).toEqual(["result.completed", "bot.deleted"]);
  expect(await listening.end()).toBe(0);
  const left = await api.client.get(endpoints, { token: owner.token });
  expect(left.at("eventEndpoints")).toEqual([]);
  await receiver.end();
});

test("listen --replay shows an earlier event of an endpoint", async () => {
  const body = { url: "https://example.com/", eventTypes: ["bot.published"] };
  const endpoints = `/api/v1/workspaces/${workspaceId}/event-endpoints`;
  const made = await api.client.post(endpoints, { token: owner.token, body });
  const endpointId = made.text("eventEndpoint.id");
  await run("trigger", "bot.published", "--endpoint", endpointId);

  const shown = await run("listen", "--endpoint", endpointId, "--replay", "5", "--count", "1");
  const refused = await run("listen", "localhost:1/", "--endpoint", endpointId, "--replay", "5", "--count", "1");

  expect(shown.exitCode).toBe(0);
  expect(shown.stdout).toMatch(/^#1 {2}\S+Z {2}bot\.published {2}\w{26}\n\{\n {2}"type": "bot.published",/);
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toMatch(/^#1 {2}\S+Z {2}bot\.published {2}\w{26} {2}There was no response: .+ms\n$/);
});

test("trigger and listen reject invalid arguments", async () => {
  expect(await run("trigger", "bot.deleted")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('run "parley listen" first'),
  });
  expect(await run("trigger", "bot.sold")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("The events are: result.started, "),
  });
  expect(await run("listen", "--replay", "3")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--replay requires --endpoint"),
  });
  expect((await run("listen", "ftp://localhost/")).exitCode).toBe(2);
});
