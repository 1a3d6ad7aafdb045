import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { publish, say, start } from "../support/chat.ts";
import { computingFlow, figures, idShapes } from "../support/code-ids.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { publishTypebot } from "./bot.ts";
import { openPage } from "./existing-client.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

describe.each([...idShapes])("twelve expressions with ids that are %s", (_shape, ids) => {
  test("expressions with ids of each shape have equal results on the server", async () => {
    const flow = computingFlow(ids, { isExecutedOnClient: false });
    const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const started = await start(api.client, publicId);
    const said = await say(api.client, started.text("sessionId"), "go");

    expect(said.at("messages.*.content.plainText")).toEqual([figures, "Inline 7 4"]);
    expect(said.at("logs")).toEqual([]);
  });

  test("expressions with ids of each shape have equal results in an existing client", async () => {
    const flow = computingFlow(ids, { isExecutedOnClient: true });
    const { publicId } = await publishTypebot(api.client, { token: owner.token, workspaceId }, flow);
    const page = await openPage({ handle: api.handle, publicId });
    await page.answer({ type: "text", text: "go" });

    expect(page.seen()).toEqual([figures, "Inline 7 4"]);
    expect(page.logs).toEqual([]);
  });
});
