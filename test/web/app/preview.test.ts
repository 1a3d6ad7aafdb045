import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

let host: AppHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openAppHost({
    config: { ENCRYPTION_KEY: "k".repeat(32) },
    safeFetch: async () => ({ status: 200, text: '{ "city": "Lyon" }' }),
  });
});
afterAll(() => host.close());

const call = {
  id: "call",
  type: "Webhook",
  options: {
    webhook: { url: "https://api.example.com/city?name={{Name}}", method: "GET" },
    isCustomBody: true,
    responseVariableMapping: [{ id: "m", variableId: idOf("Email"), bodyPath: "data.city" }],
  },
};
const flow = (question: string, ...between: readonly object[]) =>
  flowOf([
    says("Your name?", "hi"),
    asks("text input", { variableId: idOf("Name") }),
    ...between,
    says(question, "question"),
    { id: "choose", type: "choice input", items: [{ id: "yes", content: "Yes" }] },
    says("Bye {{Name}}", "bye"),
  ]);

const edit = (botId: string, bot: object) =>
  host.api.client.patch(`/api/v1/bots/${botId}`, { token: host.owner.token, body: { bot } });
const frameOf = (page: Page) => page.frameLocator("iframe");

inBrowser(
  "a preview shows each step and returns to its position after an edit",
  async ({ page, context, problems, outside }) => {
    await host.signIn(context);
    const { botId } = await host.publish(flow("Shall we, {{Name}}?"));
    await page.goto(`${host.builder}/bots/${botId}/preview`);
    await frameOf(page).getByRole("textbox").fill("Ada");
    await frameOf(page).getByRole("textbox").press("Enter");
    await frameOf(page).getByText("Shall we, Ada?").waitFor();
    const steps = page.getByRole("region", { name: "What happened" });
    await steps.getByRole("heading", { name: "You: Ada" }).waitFor();
    expect(await steps.getByRole("button").allTextContents()).toEqual([
      "Text: Your name?",
      "Text input: Name",
      "Text: Shall we, {{Name}}?",
      "Buttons: YesWaiting here",
    ]);
    expect(await axeProblems(page)).toEqual([]);

    // Changes of other authors arrive by themselves, and the preview repeats the replies.
    await edit(botId, flow("Do we, {{Name}}?"));
    await frameOf(page).getByText("Do we, Ada?").waitFor();

    await page.getByRole("tab", { name: "Variables" }).click();
    await page.getByRole("button", { name: "Set Name" }).click();
    await page.getByRole("textbox", { name: "Set Name" }).fill("Grace");
    await page.getByRole("textbox", { name: "Set Name" }).press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Grace").first().waitFor();
    await frameOf(page).getByRole("button", { name: "Yes" }).click();
    await frameOf(page).getByText("Bye Grace").waitFor();

    await edit(botId, flow("In {{Email}}?", call));
    await frameOf(page).getByText("In Lyon?").waitFor();
    await page.getByRole("tab", { name: /Calls/ }).click();
    await page.getByText("https://api.example.com/city?name=Ada").waitFor();
    await page.getByText("200").waitFor();
    await edit(botId, flow("From {{Email}}?", call));
    await page.getByText("A replay repeats your answers").waitFor();
    expect(await frameOf(page).getByText("In Lyon?").count()).toBe(1);
    await page.getByRole("button", { name: "Replay to this point" }).last().click();
    await frameOf(page).getByText("From Lyon?").waitFor();

    expect(outside).toEqual([]);
    expect(problems).toEqual([]);
  },
);

inBrowser(
  "results are found, read and deleted, and an empty list links to the chat",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { client } = host.api;
    const { token } = host.owner;
    const bot = await host.publish(flow("Shall we, {{Name}}?"));
    await page.goto(`${host.builder}/bots/${bot.botId}/results`);
    await page.getByRole("heading", { name: "No results yet" }).waitFor();
    expect(await page.getByRole("link", { name: "Open the chat" }).getAttribute("href")).toBe(bot.address);
    await page.getByRole("link", { name: "Share" }).last().click();
    await page.getByRole("textbox", { name: "Address" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Address" }).inputValue()).toBe(bot.address);
    expect(await page.getByText("Unpublished changes").count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "HTML" }).inputValue()).toContain(`bot="${bot.publicId}"`);
    expect(await axeProblems(page)).toEqual([]);

    const hostile = `<img src=x onerror="window.hacked=1">`;
    for (const name of ["Ada", "Grace", hostile]) {
      const started = await client.post(`/api/v1/bots/${bot.publicId}/startChat`, { body: {} });
      const at = `/api/v1/sessions/${started.text("sessionId")}/continueChat`;
      await client.post(at, { body: { message: name } });
      if (name === "Ada") await client.post(at, { body: { message: "Yes" } });
    }
    await page.getByRole("link", { name: "Results" }).click();
    const rows = page.getByRole("table").getByRole("row");
    await page.getByText("Grace").waitFor();
    expect(await rows.count()).toBe(4);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("combobox", { name: "State" }).selectOption("completed");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
    expect(new URL(page.url()).search).toBe("?state=completed");

    await rows.last().getByRole("link").press("Enter");
    const sheet = page.getByRole("dialog");
    await sheet.getByText("As text").click();
    await sheet.getByText("Bye Ada").waitFor();
    expect(await sheet.locator("li.is-user").allTextContents()).toEqual(["Visitor: Ada", "Visitor: Yes"]);
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "State" }).selectOption("all");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 3);

    await rows.filter({ hasText: "Grace" }).getByRole("checkbox").press("Space");
    await page.getByRole("button", { name: "Delete 1 result" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete 1 result" }).click();
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 2);
    const left = await client.get(`/api/v1/bots/${bot.botId}/results`, { token });
    expect(left.at("results.*.answers.0.content")).toEqual([hostile, "Ada"]);
    expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();
    expect(problems).toEqual([]);
  },
  { viewport: { width: 390, height: 844 } },
);

inLongRun(
  "a previewed chat continues if the window gets narrower or wider, and restarts on request",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    const { botId } = await host.publish(flow("Shall we, {{Name}}?", call));
    const wide = { width: 1280, height: 800 };
    await page.setViewportSize(wide);
    await page.goto(`${host.builder}/bots/${botId}`);
    const ask = () => page.getByRole("button", { name: "Preview", exact: true }).click();
    await ask();
    await frameOf(page).getByRole("textbox").fill("Ada");
    await frameOf(page).getByRole("textbox").press("Enter");
    await frameOf(page).getByText("Shall we, Ada?").waitFor();
    await page.getByRole("heading", { name: "You: Ada" }).waitFor();

    await page.setViewportSize({ width: 880, height: 800 });
    const sheet = page.getByRole("dialog", { name: "Preview" });
    await sheet.getByRole("heading", { name: "You: Ada" }).waitFor();
    await frameOf(page).getByText("Shall we, Ada?").waitFor();
    await frameOf(page).getByRole("button", { name: "Yes" }).click();
    await frameOf(page).getByText("Bye Ada").waitFor();
    await sheet.getByRole("heading", { name: "You: Yes" }).waitFor();

    await page.setViewportSize(wide);
    await sheet.waitFor({ state: "detached" });
    await frameOf(page).getByText("Bye Ada").waitFor();
    await page.getByRole("heading", { name: "You: Yes" }).waitFor();
    // A call that was made once is not repeated.
    await page.getByRole("tab", { name: "Calls" }).click();
    expect(await page.locator(".preview-calls > li").count()).toBe(1);

    await ask();
    await page.locator("iframe").waitFor({ state: "detached" });
    await ask();
    await frameOf(page).getByRole("textbox").waitFor();
    expect(await page.getByRole("heading", { name: "You: Ada" }).count()).toBe(0);
    expect(problems).toEqual([]);
  },
);

inLongRun(
  "on a phone a bot's name has a separate line, and the stage of its preview is higher than 300 pixels",
  async ({ page, context }) => {
    await host.signIn(context);
    const bot = await host.publish(flow("Shall we, {{Name}}?"));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${host.builder}/bots/${bot.botId}`);
    const name = await page.getByRole("textbox", { name: "Bot name" }).boundingBox();
    const parts = await page.getByRole("navigation", { name: "Bot pages" }).boundingBox();
    expect(parts?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0));
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    const stage = page.locator(".preview-stage");
    await stage.waitFor();
    expect((await stage.boundingBox())?.height).toBeGreaterThan(300);
  },
);

inBrowser("a preview marks a block whose expression could not be evaluated", async ({ page, context }) => {
  await host.signIn(context);
  const sets = { variableId: idOf("Email"), expressionToEvaluate: "{{Name}}.length + bonus" };
  const { botId } = await host.publish(
    flowOf([{ id: "set", type: "Set variable", options: sets }, says("Next", "next"), asks("text input")]),
  );
  await page.goto(`${host.builder}/bots/${botId}/preview`);
  const steps = page.getByRole("region", { name: "What happened" });
  await steps.getByText("Expression used as text, because it could not be evaluated").waitFor();

  expect((await steps.getByRole("button").allTextContents())[0]).toEndWith(
    "Expression used as text, because it could not be evaluated",
  );
});

/**
 * Presses a button by keys once it is enabled, wherever the focus is. The frame may show a step before the author's
 * controls are enabled again.
 */
async function press(page: Page, name: string) {
  await page.getByRole("button", { name, disabled: false }).focus();
  await page.keyboard.press("Enter");
}

for (const [screen, viewport, inThisRun] of [
  ["a wide screen", { width: 1_280, height: 800 }, inBrowser],
  ["a phone", { width: 390, height: 844 }, inLongRun],
] as const)
  inThisRun(
    `on ${screen} the author advances the time, calls the chat as an external program, and simulates the payment`,
    async ({ page, context, problems }) => {
      await host.signIn(context);
      const made = await host.api.client.post(`/api/v1/workspaces/${host.workspaceId}/credentials`, {
        token: host.owner.token,
        body: { type: "stripe", name: "Live", data: { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_planted" } },
      });
      const credentialsId = made.text("credentials.id");
      const listens = {
        ...{ id: "paid", type: "webhook" },
        options: { responseVariableMapping: [{ id: "m", variableId: idOf("Email"), bodyPath: "data.order" }] },
      };
      const { botId } = await host.publish(
        flowOf(
          [says("Your name?"), asks("text input", { timeout: { after: 86_400, outgoingEdgeId: idOf("e1") } })],
          [
            ...[says("Nobody there"), listens, says("Order {{Email}}")],
            ...[{ id: "wait", type: "Wait", options: { secondsToWaitFor: "90", shouldPause: true } }, says("Pay now")],
            asks("payment input", { credentialsId, amount: "12.50", currency: "EUR" }),
            ...[says("Thank you"), asks("number input")],
          ],
        ),
      );
      await page.goto(`${host.builder}/bots/${botId}/preview`);
      const steps = page.getByRole("region", { name: "What happened" });
      await page.getByRole("button", { name: "Skip the wait" }).waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await press(page, "Skip the wait");
      await frameOf(page).getByText("Nobody there").waitFor();

      const opens = steps.getByRole("button", { name: "Body of the call (JSON)" });
      await opens.waitFor();
      await page.waitForFunction(() => document.activeElement?.matches(".preview-inspector"));
      // A folded section leaves its space to the steps.
      const heightOf = async (selector: string) => (await steps.locator(selector).boundingBox())?.height ?? 0;
      expect(await heightOf(".app-tab-panel")).toBeGreaterThan(2 * (await heightOf(".preview-goes-on")));
      await opens.press("Enter");
      const body = steps.getByRole("textbox", { name: "Body of the call (JSON)" });
      expect(await body.inputValue()).toBe("{}");
      expect(await page.getByRole("button", { name: "Skip the wait" }).count()).toBe(0);
      await body.fill("[1]");
      await body.press("Tab");
      await page.keyboard.press("Enter");
      await steps.getByText("Enter a JSON object, such as {}.").waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await body.fill('{"order":"A-17"}');
      await body.press("Tab");
      await page.keyboard.press("Enter");
      await frameOf(page).getByText("Order A-17").waitFor();

      await press(page, "Skip the wait");
      await frameOf(page).getByText("Pay now").waitFor();
      expect(await frameOf(page).getByText("Order A-17").count()).toBe(1);
      await frameOf(page).locator(".payment").getByRole("button").first().press("Enter");
      await frameOf(page).getByText("Thank you").waitFor();

      await steps.getByRole("heading", { name: "You: Success" }).waitFor();
      expect(await steps.getByRole("heading", { level: 3 }).allTextContents()).toEqual([
        ...["Step 1", "Time ran out", "A call was received", "Time ran out"],
        "You: Success",
      ]);
      expect(problems).toEqual([]);
    },
    { viewport },
  );
