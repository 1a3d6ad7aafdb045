import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { flowOf, nameAndEmail, publish, says, start } from "../../support/chat.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: { token: string; workspaceId: string };
let publicId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  const user = await api.makeUser();
  owner = { token: user.token, workspaceId: await api.makeWorkspace(user) };
  ({ publicId } = await publish(api.client, owner, nameAndEmail));
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

describe("logs of a client", () => {
  test("logs of a client are stored with the result, even after the chat's end", async () => {
    const { publicId: bubbles, botId: ofBot } = await publish(api.client, owner, flowOf([says("Only this")]));
    const started = await start(api.client, bubbles);
    const body = { clientLogs: [{ description: "A script failed", details: { line: 3 } }] };
    const answer = await api.client.post(`/api/v1/sessions/${started.text("sessionId")}/clientLogs`, { body });
    const logs = await api.client.get(`/api/v1/bots/${ofBot}/results/${started.text("resultId")}/logs`, {
      token: owner.token,
    });

    expect(answer.body).toEqual({ message: "Logs successfully saved." });
    expect(logs.at("logs")).toMatchObject([{ status: "error", description: "A script failed", details: '{"line":3}' }]);
  });

  test("logs of a client are rejected if missing, too many or for an unknown session", async () => {
    const started = await start(api.client, publicId);
    const path = `/api/v1/sessions/${started.text("sessionId")}/clientLogs`;
    const tooMany = Array.from({ length: 51 }, () => ({ description: "x" }));

    expect(await api.client.post(path, { body: {} })).toMatchObject({ status: 400 });
    expect(await api.client.post(path, { body: { clientLogs: tooMany } })).toMatchObject({ status: 400 });
    expect(
      await api.client.post("/api/v1/sessions/01m7wf8v32x7w29z2tsw3wwqgq/clientLogs", { body: { clientLogs: [] } }),
    ).toMatchObject({
      status: 404,
    });
  });

  test("logs of a client are stored up to the limit of their result", async () => {
    const started = await start(api.client, publicId);
    const path = `/api/v1/sessions/${started.text("sessionId")}/clientLogs`;
    const report = (entries: number) =>
      api.client.post(path, { body: { clientLogs: Array.from({ length: entries }, () => ({ description: "x" })) } });
    const count = async () => {
      const [row] = await api.deps.sql<{ count: number }[]>`
        select count(*)::int as count
        from logs
        where result_id = ${started.text("resultId")}`;
      return row?.count;
    };
    const { perResult, clientEntries } = limits.logs;
    for (let kept = 0; kept < perResult - clientEntries; kept += clientEntries) await report(clientEntries);
    await report(clientEntries - 1);
    expect(await count()).toBe(perResult - 1);

    for (const _ of [1, 2]) expect((await report(3)).status).toBe(200);
    expect(await count()).toBe(perResult);
  });
});
