import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type DueSteps, startDueSteps } from "../src/chat/due/due-steps.ts";
import { type FakeModel, startFakeModel } from "./fake-model/server.ts";
import { startExamples } from "./fake-providers/examples.ts";
import { createTestApi, type TestApi } from "./support/api.ts";
import { say, start } from "./support/chat.ts";
import { testKey } from "./support/events.ts";
import { temporaryFolder } from "./support/folder.ts";
import { commandOf } from "./support/programs.ts";
import { createThreads, type Threads } from "./support/threads.ts";
import { readPages } from "./support/tidy/markdown.ts";
import { readText } from "./support/tidy/project.ts";

const root = join(import.meta.dir, "..");
/** The pages whose examples run: the pages for users of the service. */
const pages = readPages().filter(({ path }) => /^(README|docs\/(?!contributing)[\w-]+)\.md$/.test(path));
/** Every page that uses one of these variables must contain the line that defines it. */
const definitions: Readonly<Record<string, string>> = {
  PARLEY: `PARLEY=\${PARLEY:-http://localhost:3000}; TOKEN=\${TOKEN:-$(cat .data/admin-token)}`,
  WORKSPACE: `WORKSPACE=\${WORKSPACE:?Set WORKSPACE to the id of a workspace}`,
  BOT: `BOT=\${BOT:?Set BOT to the id of a bot}`,
  api: `api() { curl -sS -H "Authorization: Bearer $TOKEN" "$@"; }`,
  value: String.raw`value() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }`,
};

let api: TestApi;
let threads: Threads;
let model: FakeModel;
let providers: Awaited<ReturnType<typeof startExamples>>;
let due: DueSteps;
let poll: ReturnType<typeof setInterval>;
let server: ReturnType<typeof Bun.serve>;
let builder: ReturnType<typeof Bun.serve>;
let token: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  model = await startFakeModel();
  providers = await startExamples();
  const config = { ENCRYPTION_KEY: testKey, MODEL_SERVERS: model.origin, PROVIDER_URLS: providers.urls };
  api = await createTestApi({ threads, config });
  due = startDueSteps(api.deps);
  poll = setInterval(due.wake, 500);
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: api.handle });
  builder = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: api.openBuilder().handle });
  ({ token } = await api.makeUser({ scope: "admin" }));
});
afterAll(async () => {
  clearInterval(poll);
  await due.stop();
  await Promise.all([server.stop(true), builder.stop(true)]);
  await Promise.all([model.close(), providers.close()]);
  await threads.close();
  await api.close();
});

type Example = { readonly code: string; readonly reason: string | undefined };

/** Returns the shell examples of a page, each with the reason why it cannot run in this test, if there is one. */
function examplesOf(text: string): Example[] {
  return [...text.matchAll(/(?:<!-- Not run: (.+?) -->\n+)?^```sh\n([\s\S]*?)^```/gm)].map(([, reason, code = ""]) => ({
    code,
    reason,
  }));
}

/**
 * Creates a folder with programs that the examples call: a `curl` that fails on an error of the service, and the
 * command line of this checkout.
 */
async function makePrograms(folder: string): Promise<void> {
  const parley = `exec ${commandOf("src/cli.ts")
    .map((word) => `"${word}"`)
    .join(" ")}`;
  const programs = {
    curl: `${Bun.which("curl")} --fail-with-body "$@" || { echo "curl failed: $*" >&2; exit 22; }`,
    parley: `${parley} "$@"`,
    npm: `shift 2; ${parley} "$@"`,
  };
  for (const [name, text] of Object.entries(programs)) {
    await Bun.write(join(folder, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, name), 0o755);
  }
}

/** Runs examples in one shell, in a new folder with the flows of the tests. Returns their output. */
async function run(code: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { path: folder, remove } = temporaryFolder();
  const programs = join(folder, "programs");
  await makePrograms(programs);
  await symlink(join(root, "test"), join(folder, "test"));
  const address = `http://127.0.0.1:${server.port}`;
  const shell = Bun.spawn(["sh", "-eu", "-c", code], {
    cwd: folder,
    env: {
      PATH: `${programs}:${process.env["PATH"]}`,
      PARLEY: address,
      PARLEY_URL: address,
      PARLEY_TOKEN: token,
      TOKEN: token,
      SERVER: model.baseUrl,
      APP: `http://127.0.0.1:${builder.port}`,
      ...environment,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [printed, wrong, exitCode] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
    shell.exited,
  ]);
  remove();
  const failure = exitCode === 0 && !wrong.includes("curl failed") ? "" : `${wrong}\n${printed.slice(-1_500)}`;
  expect(failure).toBe("");
  return printed;
}

/**
 * Creates the variables that readers set themselves: a published bot with one completed result in a separate workspace,
 * as in the README.
 */
async function makeBot(): Promise<Record<string, string>> {
  const { client } = api;
  const workspace = await client.post("/api/v1/workspaces", { token, body: { name: "Surveys" } });
  const workspaceId = workspace.text("workspace.id");
  const bot: unknown = await Bun.file(join(root, "test/flows/nps.json")).json();
  const made = await client.post("/api/v1/bots", { token, body: { workspaceId, bot } });
  const botId = made.text("bot.id");
  const published = await client.post(`/api/v1/bots/${botId}/publish`, { token, body: {} });
  const started = await start(client, published.text("publicId"));
  const sessionId = started.text("sessionId");
  await say(client, sessionId, "9");
  const results = await client.get(`/api/v1/bots/${botId}/results`, { token });
  return { BOT: botId, WORKSPACE: workspaceId, RESULT: results.text("results.0.id"), SESSION: sessionId };
}

/** Returns the last shell example below a heading. */
function sectionWalk(path: string, heading: string): string {
  const [, section = ""] = readText(path).split(`## ${heading}\n`);
  const walk = examplesOf(section.split("\n## ")[0] ?? "").at(-1)?.code;
  if (walk === undefined) throw new Error(`${path} has no walk`);
  return walk;
}

test("the README's curl examples lead to a completed result", async () => {
  const walk = sectionWalk("README.md", "First chat");
  const printed = await run(walk);

  expect(walk.trim().split("\n").length).toBeLessThanOrEqual(10);
  expect(printed).toContain("Noted, dear fan.");
  expect(printed).toContain('"isCompleted":true');
});

test("the tutorial for a first answer ends with a working page", async () => {
  const walk = sectionWalk("docs/models.md", "A first answer");
  const printed = await run(walk);
  const [address = "", publicId = ""] = /http:\S+\/([\w-]+)/.exec(printed) ?? [];
  const page = await fetch(address);
  const sessionId = (await start(api.client, publicId)).text("sessionId");
  const answer = await say(api.client, sessionId, "Hello there");

  expect(await page.text()).toContain("Ask me anything.");
  expect(answer.text("messages.0.content.plainText")).toStartWith("You said: Hello there");
  expect(answer.at("input.id")).toBe("question");
});

test.each(
  pages.filter(({ path, text }) => path !== "README.md" && examplesOf(text).some(({ reason }) => reason === undefined)),
)(
  "the examples of $path run, from top to bottom",
  async ({ text }) => {
    const code = examplesOf(text)
      .filter(({ reason }) => reason === undefined)
      .map(({ code }) => code);

    await run(code.join("\n"), await makeBot());
  },
  60_000,
);

test("more than half of the examples run, and each skipped example gives a reason", () => {
  const examples = pages.flatMap(({ text }) => examplesOf(text));
  const skipped = examples.filter(({ reason }) => reason !== undefined);

  expect(examples.length).toBeGreaterThan(60);
  expect(skipped.filter(({ reason = "" }) => reason.length < 10)).toEqual([]);
  expect(skipped.length).toBeLessThan(examples.length / 2);
});

test("every page defines the variables of its examples in the same way", () => {
  const problems = pages.flatMap(({ path, text }) => {
    const code = examplesOf(text).map((example) => example.code);
    const all = code.join("\n");
    const used = Object.keys(definitions).filter((name) =>
      /^[A-Z]/.test(name) ? all.includes(`$${name}`) : new RegExp(`(?:^|[|(;] ?)${name} `, "m").test(all),
    );
    // The README creates the bot and the workspace of the other pages.
    const own = used.filter((name) =>
      path === "README.md" || /models|signing-in/.test(path) ? !/BOT|WORKSPACE/.test(name) : true,
    );
    return own.filter((name) => !all.split("\n").includes(definitions[name] ?? "")).map((name) => `${path}: ${name}`);
  });

  expect(problems).toEqual([]);
});

test("every shell example is in a fenced code block", () => {
  const indented = pages.flatMap(({ path, text }) =>
    [...text.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/(?:^|\n)\n {4}\S.*/g)].map(
      ([line]) => `${path}: ${line.trim()}`,
    ),
  );

  expect(indented).toEqual([]);
});
