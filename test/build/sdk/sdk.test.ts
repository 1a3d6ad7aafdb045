import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { buildSdk } from "../../../src/build/sdk/index.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";
import { temporaryFolder } from "../../support/folder.ts";

// A user's program: an empty folder, the packed package, and a file that imports the package.
const program = `
import { Chat, ParleyClient, ParleyError, type Result, type Told } from "parley-client";
declare const process: { readonly argv: readonly string[] };
const [baseUrl = "", token = "", workspaceId = "", botId = "", publicId = ""] = process.argv.slice(2);
const told: Record<string, unknown> = {};

const parley = new ParleyClient({ baseUrl, token });
const names: string[] = [];
for await (const bot of parley.allBots({ workspaceId, limit: 1, sort: "name" })) names.push(bot.name);
told["names"] = names.length;

// The response to a reply is lost twice after the server accepted the reply. The test counts the requests by their key.
const keys: (string | null)[] = [];
const forgetful = async (url: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(url, init);
  if (!url.endsWith("/continueChat")) return response;
  keys.push(new Headers(init.headers).get("idempotency-key"));
  if (keys.length < 3) throw new TypeError("connection lost");
  return response;
};
const visitor = new ParleyClient({ baseUrl, fetch: forgetful, retries: 1 });
const chat = await Chat.start(visitor, publicId, { prefilledVariables: { Name: "Ana" } });
const asked = chat.input;
if (asked?.type === "text input") told["placeholder"] = asked.options?.labels?.placeholder;
// @ts-expect-error: buttons have no placeholder
if (asked?.type === "choice input") asked.options?.labels;
told["lost"] = await chat.reply("Ben").catch((error: unknown) => error instanceof ParleyError && error.code);
const step = await chat.reply("Ben");
told["said"] = step.messages.map((message) =>
  message.type === "text" && message.content.type === "richText" ? message.content.plainText : message.type,
);
told["keys"] = [keys.length, new Set(keys).size];
told["ended"] = [chat.isEnded, chat.messages.length];
told["resumed"] = (await Chat.resume(visitor, chat.sessionId)).messages.length;

const answers: string[] = [];
const results: AsyncIterable<Result> = parley.allResults({ botId });
for await (const result of results) answers.push(...result.answers.map(({ content }) => content));
told["answers"] = answers;
const exported = await parley.exportResults({ botId, format: "ndjson" });
told["exported"] = (await exported.text()).trim().split("\\n").length;

const failed = async (act: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ParleyError)) return error;
    return [error.code, error.status, error.requestId !== undefined, error.data?.issues?.[0]?.path];
  }
};
// Two clients show the same chat. The first client must receive the new steps, and must not answer a question that it
// does not show.
const here = await Chat.start(visitor, publicId);
const there = await Chat.resume(visitor, here.sessionId);
await there.reply("Cem");
told["older"] = await failed(() => here.reply("Dan"));
told["caughtUp"] = [here.isEnded, here.messages.length];
told["missing"] = await failed(() => parley.getBot({ botId: "06ey3k2m5q8r1t4v7x0z9w2b5d" }));
told["visitor"] = await failed(() => visitor.getBot({ botId }));
// @ts-expect-error: there is no such field
told["strict"] = await failed(() => parley.createWorkspace({ body: { name: "Strict", icno: "x" } }));
// @ts-expect-error: there is no such parameter
told["query"] = await failed(() => parley.listBots({ workspaceId, limt: 1 }));
const nobody = new ParleyClient({ baseUrl: "http://127.0.0.1:1", retries: 0 });
told["unreachable"] = await failed(() => nobody.getHealth());
const stopped = await failed(() => parley.listWorkspaces({}, { signal: AbortSignal.abort(new Error("stop")) }));
told["stopped"] = stopped instanceof Error && stopped.message;

// A step that is read while it streams. The connection breaks once, and reading resumes after the last received word.
const parts = [
  'event: said\\ndata: {"messages":[]}\\n\\nevent: delta\\nid: 7.4\\ndata: {"blockId":"b","text":"You "}\\n\\n',
  ': under way\\n\\nevent: delta\\nid: 7.8\\ndata: {"blockId":"b","text":"said"}\\n\\nevent: step\\ndata: {"messages":[],"progress":50}\\n\\n',
  'event: error\\ndata: {"code":"session.busy","status":409,"message":"Busy","requestId":"r"}\\n\\n',
];
const sent: (string | null)[][] = [];
const streaming = async (_url: string, init: RequestInit): Promise<Response> => {
  const headers = new Headers(init.headers);
  sent.push([headers.get("last-event-id"), headers.get("idempotency-key")]);
  return new Response(parts[sent.length - 1] ?? "", { headers: { "content-type": "text/event-stream" } });
};
const reader = new ParleyClient({ baseUrl, fetch: streaming });
const heard: string[] = [];
const onTold = (one: Told) => void heard.push(one.event === "delta" ? one.text : one.event);
const read = await reader.continueChat({ sessionId: "s", body: { message: "x" } }, { onTold });
told["read"] = [heard, read.progress, sent.map(([after]) => after), new Set(sent.map(([, key]) => key)).size];
told["broken"] = await failed(() => reader.continueChat({ sessionId: "s" }, { onTold }));
// @ts-expect-error: an operation that is not there
told["absent"] = typeof parley.listTypebots;
console.log(JSON.stringify(told));
`;

let service: ChatHost;
const folder = temporaryFolder();
const project = folder.path;
const root = join(import.meta.dir, "../../..");

beforeAll(async () => {
  service = await openChatHost();
  await Bun.write(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await buildSdk(join(project, "built"));
  run(["npm", "pack", "./built", "--silent"]);
  const { version } = await Bun.file(join(root, "package.json")).json();
  run(["npm", "install", `./parley-client-${version}.tgz`, "--offline", "--no-audit", "--no-fund", "--silent"]);
  await Bun.write(join(project, "program.ts"), program);
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

test("a program that uses the SDK gives the same result in Node and Bun", async () => {
  const { api, owner } = service;
  const flow = flowOf([says("Hello"), asks("text input", { labels: { placeholder: "Your name" } }), says("Thank you")]);
  const bots = [await service.publish(flow), await service.publish(flow)];
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const target = { module: "nodenext", target: "es2022", lib: ["es2023", "dom"], types: [] };
  const config = { compilerOptions: { ...strict, ...target }, files: ["program.ts"] };
  await Bun.write(join(project, "tsconfig.json"), JSON.stringify(config));
  run([process.execPath, compiler, "-p", "."]);

  const workspaceId = (await api.client.get("/api/v1/workspaces", { token: owner.token })).text("workspaces.0.id");
  const told = ["node", process.execPath].map(async (runtime, index) => {
    const { botId = "", publicId = "" } = bots[index] ?? {};
    const given = [service.origin, owner.token, workspaceId, botId, publicId];
    const running = Bun.spawn([runtime, "program.js", ...given], { cwd: project, stdout: "pipe", stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([running.stdout.text(), running.stderr.text()]);
    return stderr === "" ? JSON.parse(stdout) : stderr;
  });

  const expected = {
    names: 2,
    placeholder: "Your name",
    lost: "network.failed",
    said: ["Thank you"],
    keys: [3, 1],
    ended: [true, 2],
    resumed: 2,
    answers: ["Ben"],
    exported: 1,
    older: ["session.moved_on", 409, true, undefined],
    caughtUp: [true, 2],
    missing: ["bot.not_found", 404, true, undefined],
    visitor: ["token.missing", 401, true, undefined],
    strict: ["request.invalid", 400, true, "icno"],
    query: ["request.invalid", 400, true, "limt"],
    unreachable: ["network.failed", 0, false, undefined],
    stopped: "stop",
    read: [["said", "You ", "said"], 50, [null, "7.4"], 1],
    broken: ["session.busy", 409, true, undefined],
    absent: "undefined",
  };
  // JSON turns an undefined entry of a list into null.
  const asJson: unknown = JSON.parse(JSON.stringify(expected));
  expect(await Promise.all(told)).toEqual([asJson, asJson]);
});

function run(command: readonly string[]): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: project });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}\n${stdout}${stderr}`);
}
