import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { asks, flowOf, publish, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";

let threads: Threads;
let outside: OutsideServer;
let api: TestApi;
let client: Client;
let publicId: string;
const lines: { readonly traceId?: string }[] = [];

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  outside = await startOutside(({ path }, response) => {
    if (path === "/moved") response.writeHead(302, { Location: "/there" });
    response.end("{}");
  });
  api = await createTestApi({ threads, safeFetch: outsideFetch() });
  const log = { ...api.deps.log, info: (_message: string, facts: object = {}) => void lines.push(facts) };
  const app = createApp({ ...api.deps, log });
  client = createClient({ handle: (request) => app.handle(request) });
  const user = await api.makeUser();
  const headers = [
    { id: "h1", key: "Traceparent", value: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` },
    { id: "h2", key: "tracestate", value: "author=1" },
  ];
  const webhook = { url: outside.url("/moved"), method: "GET", headers };
  const calls = { id: "calls", type: "Webhook", options: { isAdvancedConfig: true, isCustomBody: false, webhook } };
  const owner = { ...user, workspaceId: await api.makeWorkspace(user) };
  ({ publicId } = await publish(client, owner, flowOf([calls, asks("text input")])));
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(async () => {
  await outside.close();
  await threads.close();
  await api.close();
});

async function told(headers: Readonly<Record<string, string>>): Promise<readonly (readonly string[])[]> {
  const before = outside.requests.length;
  expect((await start(client, publicId, {}, { headers })).status).toBe(200);
  const asked = outside.requests.slice(before);
  expect(asked.map(({ path }) => path)).toEqual(["/moved", "/there"]);
  for (const request of asked) expect(request.headers["tracestate"]).toBeUndefined();
  return asked.map((request) => String(request.headers["traceparent"]).split("-"));
}

test.each(["00", "01"])("a trace with the flags %s continues in the calls of the chat", async (flags) => {
  const calls = await told({ traceparent: `00-${traceId}-${parentId}-${flags}`, tracestate: "client=1" });

  for (const call of calls) {
    expect(call).toEqual(["00", traceId, expect.stringMatching(/^[0-9a-f]{16}$/), flags]);
    expect(call[2]).not.toBe(parentId);
  }
  expect(lines).toEqual([expect.objectContaining({ traceId })]);
});

test("a trace header of a later version is parsed like the supported version", async () => {
  const calls = await told({ traceparent: `01-${traceId}-${parentId}-03-more` });
  expect(calls[0]).toMatchObject(["00", traceId, expect.any(String), "01"]);
});

const nonsense = [
  "nonsense",
  `ff-${traceId}-${parentId}-01`,
  `00-${traceId}-${parentId}-01-more`,
  `00-${traceId.toUpperCase()}-${parentId}-01`,
  `00-${"0".repeat(32)}-${parentId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
];

test.each([...nonsense, undefined])(
  "a chat starts another trace, without sampling, if its trace header is %p",
  async (header) => {
    const calls = await told(header === undefined ? {} : { traceparent: header });

    const [call = []] = calls;
    expect(call).toEqual([
      "00",
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
      "00",
    ]);
    expect(call[1]).not.toBe(traceId);
    expect(calls[1]).toEqual(call);
    expect(lines).toEqual([expect.objectContaining({ traceId: call[1] })]);
  },
);

test("a request without calls and without a trace header has no trace", async () => {
  await client.get("/api/v1/workspaces");
  expect(lines).toEqual([expect.not.objectContaining({ traceId: expect.anything() })]);
});
