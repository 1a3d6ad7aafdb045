import { afterAll, beforeAll, expect } from "bun:test";
import { noteChangedResults } from "../../../src/management/counts/counted-results.sql.ts";
import { createCounting } from "../../../src/management/insight/count-results.ts";
import { type FakeModel, startFakeModel } from "../../fake-model/server.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";

let host: AppHost;
let model: FakeModel;
let credentialsId: string;
const inBrowser = browserTests();

beforeAll(async () => {
  model = await startFakeModel();
  host = await openAppHost({ config: { ENCRYPTION_KEY: testKey, MODEL_SERVERS: model.origin } });
  const { api, owner, workspaceId } = host;
  const data = { apiKey: "sk-test-0123456789", baseUrl: model.baseUrl };
  const body = { type: "openai", name: "Ours", data };
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, { token: owner.token, body });
  credentialsId = made.text("credentials.id");
});
afterAll(async () => {
  await host.close();
  await model.close();
});

/** Publishes a bot whose visitors rate the answers of a model, and starts a chat with one answer. */
async function answered(name: string) {
  const options = {
    action: "Create chat completion",
    ...{ credentialsId, model: name, messages: [{ id: "m", role: "user", content: "{{Name}}" }] },
    responseMapping: [{ id: "r", variableId: idOf("Email") }],
  };
  const answering = [{ id: "model", type: "openai", options }, says("{{Email}}", "answer")];
  const first = asks("text input", { variableId: idOf("Name") });
  const flow = flowOf([says("Yes?"), first, ...answering, asks("text input", {}, { id: "else" })]);
  const bot = await host.publish({ ...flow, settings: { answers: { isRated: true } } });
  const chat = async () => {
    const started = await start(host.api.client, bot.publicId);
    const sessionId = started.text("sessionId");
    await say(host.api.client, sessionId, "Tell me");
    return { sessionId, resultId: started.text("resultId") };
  };
  return { bot, chat };
}

/** Rates the answer of a chat, and counts the rating as the job of results does. */
async function rate({ sessionId, resultId }: { sessionId: string; resultId: string }, isGood: boolean): Promise<void> {
  const body = { blockId: "answer", revision: 2, isGood };
  const rated = await host.api.client.post(`/api/v1/sessions/${sessionId}/rating`, { body });
  expect(rated.status).toBe(200);
  await noteChangedResults(host.api.deps.sql, [resultId]);
}

inBrowser("the conversation of a result shows where an answer was interrupted", async ({ page, context, problems }) => {
  const { bot, chat } = await answered("cut");
  await chat();
  await host.signIn(context);
  await page.goto(`${host.builder}/bots/${bot.botId}/results`);
  await page.locator("tbody tr").first().getByRole("link").first().click();
  const dialog = page.getByRole("dialog");
  const seen = dialog.frameLocator(".results-seen").locator(".answer-mark");
  await seen.waitFor();
  await dialog.getByText("As text").click();
  const mark = dialog.locator(".results-unfinished");
  await mark.waitFor();

  expect(await mark.allTextContents()).toEqual(["The answer was cut off here."]);
  expect(await axeProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
});

inBrowser(
  "ratings of answers are counted above the results, in total and by block",
  async ({ page, context, problems }) => {
    const { bot, chat } = await answered("echo");
    for (const isGood of [true, true, false]) await rate(await chat(), isGood);
    const count = createCounting(host.api.deps.sql);
    while ((await count(100)) > 0);
    await host.signIn(context);
    await page.goto(`${host.builder}/bots/${bot.botId}/results`);
    const counts = page.locator(".results-rated");
    await counts.locator("summary").click();
    await counts.locator("dd").waitFor();

    expect(await counts.locator("summary").textContent()).toBe("Answers rated: 2 good, 1 bad");
    expect(await counts.locator("dl > div").allTextContents()).toEqual(["Group 0Answers rated: 2 good, 1 bad"]);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("searchbox").fill("nothing");
    await counts.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  },
);
