import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { asks, flowOf, nameAndEmail, publish, start } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { visitor } from "../support/web-page.ts";

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

const published = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);

async function resultsOf(botId: string): Promise<readonly unknown[]> {
  const answer = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token });
  return answer.list("results");
}

test("a page that contains a session is not cached", async () => {
  const { publicId } = await published(nameAndEmail);
  const browser = visitor(api);
  const first = await browser.visit(`/${publicId}`);

  const page = await browser.post(first, { text: "Ana" });

  expect(first.headers.get("cache-control")).toBe("private, no-cache");
  expect(page.headers.get("cache-control")).toBe("private, no-store");
});

test("a session of another bot is not accepted by a bot's page", async () => {
  const [one, other] = [await published(nameAndEmail), await published(flowOf([asks("text input")]))];
  const browser = visitor(api);
  const page = await browser.post(await browser.visit(`/${one.publicId}`), { text: "Ana" });
  const form = {
    ...page.form,
    action: `/${other.publicId}`,
    hidden: page.form?.hidden ?? {},
    fields: [],
    buttons: [],
  };

  const strange = await browser.post({ ...page, form }, { text: "ana@example.com" });

  expect({ status: strange.status, said: strange.said }).toEqual({ status: 404, said: [] });
  expect(await resultsOf(one.botId)).toMatchObject([{ answers: [{ content: "Ana" }] }]);
});

test("a form posted by another site sends no answer", async () => {
  const { botId, publicId } = await published(nameAndEmail);
  const page = await visitor(api).visit(`/${publicId}`);
  const body = new URLSearchParams({ ...page.form?.hidden, text: "Ana" });
  const post = (site: string) =>
    api.handle(
      new Request(`http://localhost/${publicId}`, { method: "POST", body, headers: { "sec-fetch-site": site } }),
    );

  const [foreign, neighbour] = [await post("cross-site"), await post("same-site")];

  for (const answer of [foreign, neighbour]) {
    expect({ status: answer.status, to: answer.headers.get("location") }).toEqual({
      status: 303,
      to: `/${publicId}`,
    });
  }
  expect(await resultsOf(botId)).toEqual([]);
  expect((await post("same-origin")).status).toBe(200);
});

test("the history of a session is not cached", async () => {
  const { publicId } = await published(nameAndEmail);
  const begun = await start(api.client, publicId);

  const read = await api.handle(new Request(`http://localhost/api/v1/sessions/${begun.text("sessionId")}`));

  expect({ status: read.status, kept: read.headers.get("cache-control") }).toEqual({ status: 200, kept: "no-store" });
});
