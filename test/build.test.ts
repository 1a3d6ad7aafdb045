import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { boardFiles } from "../src/routes/board/files.ts";
import { createEmptyDatabase } from "./support/database.ts";
import { temporaryFolder } from "./support/folder.ts";
import { endService, runCommand, type Service, startService } from "./support/service.ts";

setDefaultTimeout(120_000);

const root = join(import.meta.dir, "..");
const token = "the operator's own token";
const folder = temporaryFolder();
const database = await createEmptyDatabase();
const binary = join(folder.path, "parley");
// A folder with nothing in it, so that whatever the binary finds it brought along.
const empty = temporaryFolder();
const inEmptyFolder = { command: [binary], cwd: empty.path };
let service: Service;

beforeAll(async () => {
  const build = Bun.spawn([process.execPath, join(root, "src/build.ts"), binary], { stdout: "ignore", stderr: "pipe" });
  const [exitCode, problems] = await Promise.all([build.exited, build.stderr.text()]);
  if (exitCode !== 0) throw new Error(problems);
  service = await startService({
    ...inEmptyFolder,
    environment: { DATABASE_URL: database.url, ADMIN_TOKEN: token, PROCESSES: "2", WORKER_THREADS: "2" },
  });
});

afterAll(async () => {
  await endService(service);
  await database.close();
  folder.remove();
  empty.remove();
});

/** Asks for a name and answers with what a script made of it: the engine for scripts is a file of its own. */
const flow = {
  version: "6.1",
  name: "Greeter",
  events: [{ id: "start", type: "start", outgoingEdgeId: "edge", graphCoordinates: { x: 0, y: 0 } }],
  edges: [{ id: "edge", from: { eventId: "start" }, to: { groupId: "group" } }],
  variables: [
    { id: "name", name: "Name" },
    { id: "loud", name: "Loud" },
  ],
  groups: [
    {
      id: "group",
      title: "Greeting",
      graphCoordinates: { x: 0, y: 0 },
      blocks: [
        { id: "ask", type: "text input", options: { variableId: "name" } },
        {
          id: "shout",
          type: "Set variable",
          options: {
            variableId: "loud",
            expressionToEvaluate: "[...{{Name}}].map((letter) => letter.toUpperCase()).join('-')",
          },
        },
        { id: "greet", type: "text", content: { richText: [{ type: "p", children: [{ text: "Hello {{Loud}}" }] }] } },
      ],
    },
  ],
};

const Answer = Type.Object({
  workspace: Type.Optional(Type.Object({ id: Type.String() })),
  bot: Type.Optional(Type.Object({ id: Type.String() })),
  publicId: Type.Optional(Type.String()),
  sessionId: Type.Optional(Type.String()),
  messages: Type.Optional(Type.Array(Type.Object({ content: Type.Object({ plainText: Type.String() }) }))),
});

async function send(path: string, body: object): Promise<Static<typeof Answer>> {
  const response = await fetch(`${service.url}/api/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return Value.Decode(Answer, answer);
}

test("the binary knows no path of the machine that built it", async () => {
  const content = Buffer.from(await Bun.file(binary).arrayBuffer());

  expect(content.includes(root)).toBe(false);
});

test("the binary starts itself for each process that serves", async () => {
  const metrics = await (
    await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  ).text();

  expect(metrics).toContain("\nparley_processes 2\n");
});

test("the binary migrates an empty database and holds a conversation", async () => {
  const { workspace } = await send("workspaces", { name: "Greetings" });
  const { bot } = await send("bots", { workspaceId: workspace?.id, bot: flow });
  const { publicId } = await send(`bots/${bot?.id}/publish`, {});
  const { sessionId } = await send(`bots/${publicId}/startChat`, {});

  const { messages } = await send(`sessions/${sessionId}/continueChat`, { message: "Ada" });

  expect(messages?.map(({ content }) => content.plainText)).toEqual(["Hello A-D-A"]);
});

test("the binary draws a chat page and serves what that loads", async () => {
  const { workspace } = await send("workspaces", { name: "Pages" });
  const { bot } = await send("bots", { workspaceId: workspace?.id, bot: flow });
  const { publicId } = await send(`bots/${bot?.id}/publish`, {});

  const page = await (await fetch(`${service.url}/${publicId}`)).text();

  expect(page).toContain('name="text"');
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
  expect(page).toContain(".typebot-host-bubble{");
  expect(files.length).toBe(1);
  for (const file of files) expect((await fetch(service.url + file)).status).toBe(200);
});

test("the binary serves its documentation with its own files", async () => {
  const page = await fetch(`${service.url}/docs`);
  expect(page.status).toBe(200);

  const files = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? "");

  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const response = await fetch(`${service.url}${file}`);
    expect({ file, status: response.status }).toEqual({ file, status: 200 });
    expect((await response.text()).length).toBeGreaterThan(0);
  }
});

test("the binary serves the job board with its own files", async () => {
  const page = await (await fetch(`${service.url}/admin/queues`)).text();
  const list = await fetch(`${service.url}/admin/queues/api/queues`, { headers: { authorization: `Bearer ${token}` } });

  expect(await list.text()).toContain("email-dead");
  const files = [...boardFiles].map(([path, file]) => ({ path: `/admin/queues/${path}`, size: Bun.file(file).size }));
  expect(files.length).toBeGreaterThan(100);
  expect(page).toContain("/assets/board/start.js");
  for (const { path, size } of files) {
    const response = await fetch(`${service.url}${path}`);
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    expect({ path, size: (await response.bytes()).byteLength }).toEqual({ path, size });
  }
});

test("without DATABASE_URL the binary says what it needs", async () => {
  const { exitCode, stderr } = await runCommand(["serve"], inEmptyFolder);

  expect(exitCode).toBe(1);
  expect(stderr).toBe("There is no embedded PostgreSQL here: set DATABASE_URL to a PostgreSQL 15 or newer.\n");
});
