import { afterAll, beforeAll, expect, test } from "bun:test";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

const secret = "planted-zendesk-secret-4711-planted-zendesk-secret";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let credentialsId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token: owner.token,
    body: {
      type: "zendesk",
      name: "Zendesk",
      data: { conversationsKeyId: "app_1", conversationsSecretKey: secret },
    },
  });
  credentialsId = made.text("credentials.id");
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const signedIn = { webWidgetKey: "widget", userId: "{{Name}}", name: "{{Name}} A.", email: "{{Name}}@b.co" };

function published(options: object) {
  const block = {
    id: idOf("widget"),
    type: "zendesk",
    options: { action: "Open Web Widget", credentialsId, ...options },
  };
  const flow = flowOf([asks("text input", { variableId: idOf("Name") }), block, says("Thanks")]);
  return publish(api.client, { token: owner.token, workspaceId }, flow);
}

async function answered(options: object) {
  const { publicId } = await published(options);
  const started = await start(api.client, publicId);
  const answer = await say(api.client, started.text("sessionId"), "ana");
  expect(answer.at("messages.*.content.plainText")).toEqual(["Thanks"]);
  expect(JSON.stringify(answer.body)).not.toContain(secret);
  return answer;
}

const argsOf = (answer: { at(path: string): unknown }) => answer.at("clientSideActions.0.codeToExecute.args.*.value");

test("the Zendesk widget signs in a visitor with an id for five minutes", async () => {
  const answer = await answered(signedIn);

  expect(answer.at("clientSideActions.*.type")).toEqual(["codeToExecute"]);
  expect(argsOf(answer)).toEqual(["widget", expect.any(String)]);
  const token = answer.text("clientSideActions.0.codeToExecute.args.1.value");
  const { payload } = await jwtVerify(token, new TextEncoder().encode(secret));
  expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "JWT", kid: "app_1" });
  const { exp = 0, ...claims } = payload;
  expect(claims).toEqual({ scope: "user", external_id: "ana", name: "ana A.", email: "ana@b.co" });
  expect(exp * 1_000 - Date.now()).toBeGreaterThan(4 * 60_000);
  expect(exp * 1_000 - Date.now()).toBeLessThanOrEqual(5 * 60_000 + 1_000);
});

test("the Zendesk widget opens anonymously for a visitor without an id", async () => {
  const answer = await answered({ ...signedIn, userId: "", credentialsId: "" });
  expect(argsOf(answer)).toEqual(["widget", null]);
  expect(answer.at("logs")).toEqual([]);
});

test.each([
  ["without credentials", { ...signedIn, credentialsId: "" }, "Could not find credentials for block zendesk"],
  [
    "with unknown credentials",
    { ...signedIn, credentialsId: idOf("none") },
    "Could not find credentials for block zendesk",
  ],
  ["without a widget key", { ...signedIn, webWidgetKey: "{{Email}}" }, "The Zendesk block has no widget key"],
])("the Zendesk widget is not opened %s, and the log contains the reason", async (_, options, description) => {
  const answer = await answered(options);
  expect(answer.at("clientSideActions")).toEqual([]);
  expect(answer.at("logs.*.description")).toEqual([description]);
});

test("a preview does not open the Zendesk widget", async () => {
  const { botId } = await published(signedIn);
  const started = await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { token: owner.token, body: {} });
  const answer = await say(api.client, started.text("sessionId"), "ana");
  expect(answer.at("clientSideActions")).toEqual([]);
  expect(answer.at("logs.*.description")).toEqual(["Zendesk is not called in preview mode"]);
});
