import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, says } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { type SeenPage, visitor } from "../../support/web-page.ts";

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
afterEach(() => moveClock(api.deps.sql, 0));
afterAll(async () => {
  await threads.close();
  await api.close();
});

const moved = "The conversation has moved on. Please answer here.";
const published = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);
const sets = (type: string, more: object = {}) => ({
  ...{ id: `sets ${type}`, type: "Set variable" },
  options: { variableId: idOf("Name"), type, ...more },
});
const answers = async (botId: string) => {
  const { token } = owner;
  const results = await api.client.get(`/api/v1/bots/${botId}/results`, { token });
  return results.at("results.*.answers.*.content");
};
const yesOrNo = { ...asks("choice input"), items: ["Yes", "No"].map((content) => ({ id: content, content })) };
const accepts = (question: string) => flowOf([says(question, "question"), yesOrNo, says("Done"), asks("url input")]);
const say = (botId: string, bot: object) =>
  api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot } });
async function publishAgain(botId: string, bot: object) {
  await say(botId, bot);
  await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
}
async function publishCanary(botId: string, percent: number) {
  const body = { force: true, percent };
  const started = await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body });
  expect(started.status).toBe(200);
}
const yes = { choice: "Yes" };
/** Returns the value with another first character. */
const forged = (sealed = "") => `${sealed.startsWith("A") ? "B" : "A"}${sealed.slice(1)}`;

const post = (page: SeenPage, values: Record<string, string>, hidden: Record<string, string> = {}) =>
  visitor(api).post(page, { ...hidden, ...values });

describe("an answer from a rendered page without scripts", () => {
  test("a visitor accepts exactly the random price that the page has shown", async () => {
    const price = sets("Custom", { expressionToEvaluate: "return Math.floor(Math.random() * 1000)", isCode: true });
    const { botId, publicId } = await published(
      flowOf([price, says("It costs {{Name}}."), asks("text input"), says("You pay {{Name}}."), asks("email input")]),
    );
    for (let shopper = 0; shopper < 3; shopper++) {
      const page = await visitor(api).visit(`/${publicId}`);
      const [shown = ""] = page.said;
      const next = await post(page, { text: "I accept" });
      const amount = shown.replace(/\D/g, "");
      expect(next.said).toEqual([shown, "visitor: I accept", `bot: You pay ${amount}.`]);
    }
    expect(await answers(botId)).toEqual([["I accept"], ["I accept"], ["I accept"]]);
  });

  test("the displayed result id does not change when the chat starts", async () => {
    const { botId, publicId } = await published(
      flowOf([
        ...[sets("Result ID"), says("{{Name}}", "a"), sets("Now"), says("{{Name}}", "b")],
        ...[asks("text input"), says("Thanks")],
      ]),
    );
    const page = await visitor(api).visit(`/${publicId}`);
    await moveClock(api.deps.sql, 3_600);
    const next = await post(page, { text: "Ana" });
    expect(next.said).toEqual([...page.said, "visitor: Ana", "bot: Thanks"]);
    const results = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token });
    expect(`bot: ${results.text("results.0.id")}`).toBe(page.said[0] ?? "");
  });

  test("a chat keeps the path of an A/B test that its page has shown", async () => {
    const items = ["a", "b"].map((path) => ({ id: path, path, outgoingEdgeId: path }));
    const half = { id: "half", type: "AB test", items, options: { aPercent: 50 } };
    const flow = flowOf([half], ...["A", "B"].map((arm) => [says(`Arm ${arm}?`), { ...yesOrNo, id: `asks ${arm}` }]));
    const edge = (id: string, group: string) => ({ id, from: { blockId: "half" }, to: { groupId: idOf(group) } });
    const { publicId } = await published({ ...flow, edges: [...flow.edges, edge("a", "g1"), edge("b", "g2")] });
    for (let shopper = 0; shopper < 6; shopper++) {
      const page = await visitor(api).visit(`/${publicId}`);
      const next = await post(page, yes);
      expect(next.said).toEqual([...page.said, "visitor: Yes"]);
    }
  });

  test("an answer does not count for a newly published different question", async () => {
    const { botId, publicId } = await published(accepts("Accept the terms?"));
    const page = await visitor(api).visit(`/${publicId}`);
    await publishAgain(botId, accepts("Cancel your contract?"));
    const next = await post(page, yes);

    expect(next.said).toEqual(["bot: Cancel your contract?"]);
    expect(next.remarks).toEqual([moved]);
    expect(await answers(botId)).toEqual([[]]);
    const last = await visitor(api).post(next, yes);
    expect(last.said).toEqual(["bot: Cancel your contract?", "visitor: Yes", "bot: Done"]);
  });

  test("an answer counts for a newly published version that asks the same question", async () => {
    const { botId, publicId } = await published(accepts("Accept the terms?"));
    const page = await visitor(api).visit(`/${publicId}`);
    await publishAgain(botId, { ...accepts("Accept the terms?"), name: "Another" });
    expect((await post(page, yes)).said).toEqual(["bot: Accept the terms?", "visitor: Yes", "bot: Done"]);
  });

  test("a text typed for a changed question returns to the new field", async () => {
    const flow = (question: string) => flowOf([says(question, "question"), asks("text input"), says("Done")]);
    const { botId, publicId } = await published(flow("Your name?"));
    const page = await visitor(api).visit(`/${publicId}`);
    await publishAgain(botId, flow("Your boss?"));
    const next = await post(page, { text: "Ana Maria" });
    expect(next.remarks).toEqual([moved]);
    expect(next.form?.fields[0]).toMatchObject({ name: "text", value: "Ana Maria" });
  });

  test("an answer does not count for a question with a changed choice", async () => {
    const flow = (item: string) =>
      flowOf([
        says("Take it?"),
        {
          ...yesOrNo,
          items: [
            { id: "Yes", content: item },
            { id: "No", content: "No" },
          ],
        },
      ]);
    const { botId, publicId } = await published(flow("For 5 €"));
    const page = await visitor(api).visit(`/${publicId}`);
    await publishAgain(botId, flow("For 500 €"));
    expect((await post(page, yes)).remarks).toEqual([moved]);
    expect(await answers(botId)).toEqual([[]]);
  });

  test("visitors keep the displayed version after the canary's share has changed", async () => {
    const { botId, publicId } = await published(accepts("Live?"));
    await say(botId, accepts("Canary?"));
    const path = `/api/v1/bots/${botId}/canary`;
    await publishCanary(botId, 50);
    const pages = await Promise.all(Array.from({ length: 12 }, () => visitor(api).visit(`/${publicId}`)));
    const shown = pages.flatMap(({ said }) => said);
    expect(new Set(shown)).toEqual(new Set(["bot: Live?", "bot: Canary?"]));
    await api.client.patch(path, { token: owner.token, body: { percent: 99 } });
    for (const page of pages) {
      expect((await post(page, yes)).said).toEqual([...page.said, "visitor: Yes", "bot: Done"]);
    }
  });

  test("an answer to a canary that was ended in the meantime does not count", async () => {
    const { botId, publicId } = await published(accepts("Live?"));
    await say(botId, accepts("Canary?"));
    await publishCanary(botId, 99);
    let page = await visitor(api).visit(`/${publicId}`);
    for (let tries = 0; tries < 9 && page.said[0] !== "bot: Canary?"; tries++)
      page = await visitor(api).visit(`/${publicId}`);
    await api.client.post(`/api/v1/bots/${botId}/canary/rollback`, { token: owner.token, body: {} });
    const next = await post(page, yes);
    expect([next.said, next.remarks]).toEqual([["bot: Live?"], [moved]]);
  });
});

describe("the sealed data of a form about its page", () => {
  const flow = (question: string) =>
    flowOf([
      sets("Random ID"),
      says(`${question} {{Name}}`, "question"),
      asks("text input"),
      says("Done"),
      asks("url input"),
    ]);
  async function answered(hidden: (page: SeenPage, other: SeenPage) => Record<string, string>) {
    const { publicId } = await published(flow("Who?"));
    const others = await published(flow("Who?"));
    const page = await visitor(api).visit(`/${publicId}`);
    const other = await visitor(api).visit(`/${others.publicId}`);
    const next = await post(page, { text: "Ana" }, hidden(page, other));
    return { shown: page.said[0], next };
  }

  test.each<[what: string, hidden: (page: SeenPage, other: SeenPage) => Record<string, string>]>([
    ["is missing, as on a page of the previous release", () => ({ shown: "" })],
    ["is forged", ({ form }) => ({ shown: forged(form?.hidden["shown"]) })],
    ["is plain text", () => ({ shown: "not sealed" })],
    ["is too long", ({ form }) => ({ shown: `${form?.hidden["shown"]}${"A".repeat(1_200)}` })],
    [
      "belongs to another bot",
      (_, { form }) => ({ shown: form?.hidden["shown"] ?? "", key: form?.hidden["key"] ?? "" }),
    ],
    ["belongs to another key", () => ({ key: crypto.randomUUID() })],
  ])("sealed page data that %s is ignored, and the answer counts by its block in a new chat", async (_what, hidden) => {
    const { shown, next } = await answered(hidden);
    expect(next.said.slice(1)).toEqual(["visitor: Ana", "bot: Done"]);
    expect(next.said[0]).not.toBe(shown);
    expect(next.remarks).toEqual([]);
  });

  test("the sealed page data of a form is valid for a day", async () => {
    const { publicId } = await published(flow("Who?"));
    const page = await visitor(api).visit(`/${publicId}`);
    await moveClock(api.deps.sql, 24 * 3_600 - 60);
    expect((await post(page, { text: "Ana" })).said[0]).toBe(page.said[0] ?? "");
    const old = await visitor(api).visit(`/${publicId}`);
    await moveClock(api.deps.sql, 2 * 24 * 3_600);
    const next = await post(old, { text: "Ana" });
    expect(next.said[0]).not.toBe(old.said[0]);
    expect(next.said.slice(1)).toEqual(["visitor: Ana", "bot: Done"]);
  });

  test("sealed page data is refused if its block no longer exists", async () => {
    const { botId, publicId } = await published(flow("Who?"));
    const page = await visitor(api).visit(`/${publicId}`);
    await publishAgain(botId, flowOf([says("Your mail?"), asks("email input")]));
    const next = await post(page, { text: "a@b.co" });
    expect([next.said, next.remarks]).toEqual([["bot: Your mail?"], [moved]]);
  });

  test("the sealed page data of a form starts only one chat", async () => {
    const { botId, publicId } = await published(flow("Who?"));
    const page = await visitor(api).visit(`/${publicId}`);
    const [first, second] = await Promise.all([post(page, { text: "Ana" }), post(page, { text: "Ana" })]);
    expect(second.said).toEqual(first.said);
    expect(await answers(botId)).toEqual([["Ana"]]);
  });

  test("sealed page data starts another result once its start key is deleted", async () => {
    const { botId, publicId } = await published(flow("Who?"));
    const page = await visitor(api).visit(`/${publicId}`);
    await post(page, { text: "Ana" });
    const { sql } = api.deps;
    await sql`delete from start_keys`;
    const next = await post(page, { text: "Bea" });
    expect(next.said[1]).toBe("visitor: Bea");
    expect(await answers(botId)).toEqual(expect.arrayContaining([["Ana"], ["Bea"]]));
  });
});

describe("a chat that the API starts from a rendered page", () => {
  test("only a start with the page's key runs the step that the page has shown", async () => {
    const { publicId } = await published(flowOf([sets("Random ID"), says("{{Name}}", "shown"), asks("text input")]));
    const page = await visitor(api).visit(`/${publicId}`);
    const data: { start: { key: string; shown: string } } = JSON.parse(
      /<script[^>]*id="chat-data"[^>]*>(.*?)<\/script>/s.exec(page.html)?.[1] ?? "",
    );
    const start = async (path: string, key: string) => {
      const headers = { "Idempotency-Key": key };
      const answer = await api.client.post(path, { body: { shown: data.start.shown }, headers });
      return `bot: ${answer.at("messages.0.content.plainText") ?? answer.at("messages.0.content.richText.0.children.0.text")}`;
    };
    const own = `/api/v1/bots/${publicId}/startChat`;
    const [shown = ""] = page.said;
    expect(await start(own, newId())).not.toBe(shown);
    expect(await start(`/api/v1/typebots/${publicId}/startChat`, data.start.key)).not.toBe(shown);
    await api.deps.sql`delete from start_keys`;
    expect(await start(own, data.start.key)).toBe(shown);
  });

  test("the time-out of a question begins when its chat starts", async () => {
    const { botId, publicId } = await published(flowOf([asks("text input", { timeout: { after: 60 } })]));
    const page = await visitor(api).visit(`/${publicId}`);
    await moveClock(api.deps.sql, 3_600);
    const next = await post(page, { text: "Ana" });
    expect(next.said).toEqual(["visitor: Ana"]);
    const [row] = await api.deps.sql<[{ inputs: string }]>`
      select inputs from steps where bot_id = ${botId} and revision = 1`;
    const [now, , more]: [number, string, { askedAt: number }] = JSON.parse(row.inputs);
    expect(more.askedAt - now).toBeGreaterThan(3_500_000);
  });
});
