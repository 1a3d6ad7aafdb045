import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeWorkFolder, root } from "../../../src/build/package.ts";
import { casesOf } from "../../support/campaigns.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";

// Code that users write with generated clients: the four chat operations, and a query with a record.
const beginning = `
import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript";
declare const process: { readonly argv: readonly string[] };
const [baseUrl = "", token = "", botId = "", publicId = ""] = process.argv.slice(2);
const headers = { authorization: "Bearer " + token };
const start = { prefilledVariables: { Name: "Ana" } };
const clientLogs = [{ status: "error", description: "A script failed" }];
const query = { variables: { Name: "Nobody" } };
`;

const byGenerator = {
  "openapi-typescript": `
async function byOpenapiFetch(): Promise<unknown[]> {
  const parley = createClient<paths>({ baseUrl });
  const started = await parley.POST("/api/v1/bots/{botId}/startChat", { params: { path: { botId: publicId } }, body: start });
  if (!started.data) throw new Error(started.error.code);
  const { data } = started;
  const path = { sessionId: data.sessionId };
  const at = { params: { path } };
  const step = (await parley.POST("/api/v1/sessions/{sessionId}/continueChat", { ...at, body: { message: "Ben" } })).data;
  const logged = (await parley.POST("/api/v1/sessions/{sessionId}/clientLogs", { ...at, body: { clientLogs } })).data;
  const bot = { path: { botId } };
  const preview = (await parley.POST("/api/v1/bots/{botId}/preview/startChat", { params: bot, headers })).data;
  const found = (await parley.GET("/api/v1/bots/{botId}/results", { params: { ...bot, query }, headers })).data;
  READ
}
console.log(JSON.stringify(await byOpenapiFetch()));
`,
  "hey-api": `
import * as hey from "./hey-api";
import { client as heyClient } from "./hey-api/client.gen";

async function byHeyApi(): Promise<unknown[]> {
  heyClient.setConfig({ baseUrl });
  const started = await hey.startChat({ path: { botId: publicId }, body: start });
  if (!started.data) throw new Error(started.error.code);
  const { data } = started;
  const path = { sessionId: data.sessionId };
  const step = (await hey.continueChat({ path, body: { message: "Ben" } })).data;
  const logged = (await hey.saveClientLogs({ path, body: { clientLogs } })).data;
  const preview = (await hey.startPreview({ path: { botId }, headers })).data;
  const found = (await hey.listResults({ path: { botId }, query, headers })).data;
  READ
}
console.log(JSON.stringify(await byHeyApi()));
`,
  orval: `
import * as orval from "./orval";

async function byOrval(): Promise<unknown[]> {
  const of = <Answer extends { status: number }>(answer: Answer) => {
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    return answer as Extract<Answer, { status: 200 }>;
  };
  const { data } = of(await orval.startChat(publicId, start));
  const step = of(await orval.continueChat(data.sessionId, { message: "Ben" })).data;
  const logged = of(await orval.saveClientLogs(data.sessionId, { clientLogs })).data;
  const preview = of(await orval.startPreview(botId, {}, { headers })).data;
  const found = of(await orval.listResults(botId, query, { headers })).data;
  READ
}
console.log(JSON.stringify(await byOrval()));
`,
};
/**
 * Type checking is slow, because each generator prints the types of all operations. A short run checks only one
 * generator.
 */
const generators = casesOf(byGenerator, ["openapi-typescript"]);

/** Shared by all clients: checks that every field has a type and that the \`type\` of a block determines its fields. */
const read = `
  const { input } = data;
  const placeholder = input?.type === "text input" ? input.options?.labels?.placeholder : undefined;
  // @ts-expect-error: buttons have no placeholder
  if (input?.type === "choice input") input.options?.labels;
  // @ts-expect-error: there is no such field
  step?.mesages;
  const [bubble] = step?.messages ?? [];
  const said = bubble?.type === "text" && bubble.content.type === "richText" ? bubble.content.plainText : undefined;
  return [placeholder, said, logged?.message, preview?.input?.type, found?.results.length];`;

let service: ChatHost;
let folder: string;

beforeAll(async () => {
  [service, folder] = await Promise.all([openChatHost(), makeWorkFolder()]);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

test("clients generated from the API document can run a chat", async () => {
  const flow = flowOf([says("Hello"), asks("text input", { labels: { placeholder: "Your name" } }), says("Thank you")]);
  const { botId, publicId } = await service.publish(flow);
  const document = await fetch(`${service.origin}/docs/json`);
  await Bun.write(join(folder, "openapi.json"), document);
  await run(
    join(import.meta.dir, "../../support/generate-clients.ts"),
    folder,
    service.origin,
    ...generators.map(([name]) => name),
  );

  await Bun.write(
    join(folder, "program.ts"),
    [beginning, ...generators.map(([, program]) => program)].join("").replaceAll("READ", () => read),
  );
  const modules = { module: "preserve", moduleResolution: "bundler", types: [] };
  const target = { target: "es2022", lib: ["es2023", "dom", "dom.iterable"], noEmit: true };
  const config = { compilerOptions: { strict: true, ...modules, ...target }, files: ["program.ts"] };
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(config));
  await run(join(root, "node_modules/typescript/bin/tsc"), "-p", folder);

  const said = await run(join(folder, "program.ts"), service.origin, service.owner.token, botId, publicId);
  const held = ["Your name", "Thank you", "Logs successfully saved.", "text input", 0];
  const heard = said.trim().split("\n");
  expect(heard.map((line): unknown => JSON.parse(line))).toEqual(generators.map(() => held));
});

test("the documented size of the API document is accurate to ten percent", async () => {
  const bytes = new Uint8Array(await (await fetch(`${service.origin}/docs/json`)).arrayBuffer());
  const [, megabytes, kilobytes] =
    /([\d.]+) MB, or (\d+) kB with gzip/.exec(readFileSync("docs/client.md", "utf8")) ?? [];
  const packed = Bun.gzipSync(bytes, { level: 9 }).length;
  expect(Math.abs(Number(megabytes) / (bytes.length / 1e6) - 1)).toBeLessThan(0.1);
  expect(Math.abs(Number(kilobytes) / (packed / 1e3) - 1)).toBeLessThan(0.1);
});

/** Runs the program asynchronously, because this process serves the requests of the program. */
async function run(...command: readonly string[]): Promise<string> {
  const running = Bun.spawn([process.execPath, ...command], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, exitCode] = await Promise.all([running.stdout.text(), running.stderr.text(), running.exited]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}
