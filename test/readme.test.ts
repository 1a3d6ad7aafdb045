import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type FakeModel, startFakeModel } from "./fake-model/server.ts";
import { createTestApi, type TestApi } from "./support/api.ts";
import { say, start } from "./support/chat.ts";
import { testKey } from "./support/events.ts";
import { createThreads, type Threads } from "./support/threads.ts";

const root = join(import.meta.dir, "..");
let api: TestApi;
let threads: Threads;
let model: FakeModel;
let server: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  model = await startFakeModel();
  api = await createTestApi({ threads, config: { ENCRYPTION_KEY: testKey, MODEL_SERVERS: model.origin } });
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: api.handle });
});
afterAll(async () => {
  await server.stop(true);
  await model.close();
  await threads.close();
  await api.close();
});

/** Runs the last lines of shell below a heading of the README, and gives them with what they print. */
async function walkThrough(heading: string, environment: Readonly<Record<string, string>> = {}) {
  const readme = await Bun.file(join(root, "README.md")).text();
  const [section = ""] = readme
    .split(`## ${heading}\n`)
    .slice(1)
    .map((text) => text.split("\n## ")[0] ?? "");
  const walk = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].at(-1)?.[1];
  if (walk === undefined) throw new Error("README.md has no walk");
  const { token } = await api.makeUser();
  const shell = Bun.spawn(["sh", "-eu", "-c", walk], {
    cwd: root,
    env: { PATH: process.env["PATH"], PARLEY: `http://127.0.0.1:${server.port}`, TOKEN: token, ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const printed = await new Response(shell.stdout).text();

  expect(await new Response(shell.stderr).text()).toBe("");
  expect(await shell.exited).toBe(0);
  expect(walk.trim().split("\n").length).toBeLessThanOrEqual(10);
  return printed;
}

test("the README's walk with curl ends with a completed result in the list", async () => {
  const printed = await walkThrough("A first chat, with curl");

  expect(printed).toContain("Noted, dear fan.");
  expect(printed).toContain('"isCompleted":true');
});

test("the README's walk to a first answer of a model ends with the address of a page that answers", async () => {
  const printed = await walkThrough("A first answer of a language model", { SERVER: model.baseUrl });
  const [address = "", publicId = ""] = /http:\S+\/([\w-]+)/.exec(printed) ?? [];
  const page = await fetch(address);
  const sessionId = (await start(api.client, publicId)).text("sessionId");
  const answer = await say(api.client, sessionId, "Hello there");

  expect(await page.text()).toContain("Ask me anything.");
  expect(answer.text("messages.0.content.plainText")).toStartWith("You said: Hello there");
  expect(answer.at("input.id")).toBe("question");
});
