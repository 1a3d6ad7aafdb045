import { afterAll, beforeAll, expect, test } from "bun:test";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says, start } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const begin = (publicId: string, prefilledVariables: object = {}) =>
  start(host.api.client, publicId, { prefilledVariables });
const suggesting = (followUps: object, more: object = {}) =>
  asks("text input", { followUps, ...more }, { id: "topic" });
const topics = suggesting({ texts: ["What does it cost?", "Returns"] });
const flow = flowOf([says("Hello"), topics, says("Bye"), asks("text input", {}, { id: "last" })]);

inBrowser("a click on a suggested answer sends it instead of the typed text", async ({ page, problems }) => {
  const { address } = await host.publish(flow);
  await openChat(page, address);
  await page.locator("[name=text]").fill("Something");
  const suggestions = page.getByRole("group", { name: "Suggested answers" });
  expect(await suggestions.getByRole("button").allTextContents()).toEqual(["What does it cost?", "Returns"]);
  const { height = 0 } = (await suggestions.getByRole("button").first().boundingBox()) ?? {};

  await suggestions.getByRole("button", { name: "Returns" }).click();
  await page.getByText("Bye").waitFor();

  expect(height).toBeGreaterThanOrEqual(44);
  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Returns"]);
  expect(await page.getByRole("group", { name: "Suggested answers" }).count()).toBe(0);
  expect(await page.locator("[name=text]").inputValue()).toBe("");
  expect(problems).toEqual([]);
});

inBrowser("a visitor can type another answer instead of a suggestion", async ({ page, problems }) => {
  const both = suggesting({ texts: ["Returns"] }, { attachments: { isEnabled: true } });
  const { address } = await host.publish(flowOf([says("Hello"), both, says("Bye"), asks("text input")]));
  await openChat(page, address);
  expect(await page.getByRole("group", { name: "Suggested answers" }).getByRole("button").count()).toBe(1);

  await answer(page, "Something else");
  await page.getByText("Bye").waitFor();

  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Something else"]);
  expect(problems).toEqual([]);
});

inBrowser("suggestions are hidden while the bot answers", async ({ page, problems }) => {
  const { address } = await host.publish(
    flowOf([says("Hello"), topics, says("Bye"), { ...topics, id: "more" }, says("That is all")]),
  );
  await openChat(page, address);
  const gate = Promise.withResolvers<void>();
  await page.route("**/continueChat", (route) => gate.promise.then(() => route.continue()));
  const suggestions = page.getByRole("group", { name: "Suggested answers" });
  await suggestions.getByRole("button", { name: "Returns" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".is-under-way").waitFor();

  expect(await suggestions.count()).toBe(0);
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "text");
  await page.keyboard.type("Something");
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "Your message is sent" }).waitFor();
  gate.resolve();
  await page.getByText("That is all").waitFor();
  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Returns", "Something"]);
  expect(problems).toEqual([]);
});

inLongRun(
  "without scripts a suggestion is a button of the form",
  async ({ page }) => {
    const { address } = await host.publish(flow);
    await page.goto(address);

    await page.getByRole("button", { name: "What does it cost?" }).click();
    await page.getByText("Bye").waitFor();

    expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["What does it cost?"]);
  },
  { javaScriptEnabled: false },
);

test("a visitor is offered at most six distinct suggestions", async () => {
  const long = "🦜".repeat(100);
  const texts = [" a ", "a", "", "{{Name}}", long, "b", "c", "d", "e", "f"];
  const { publicId } = await host.publish(flowOf([suggesting({ texts })]));

  const started = await begin(publicId);

  expect(started.at("input.options.followUps")).toEqual(["a", "🦜".repeat(80), "b", "c", "d", "e"]);
});

test("a list in a variable replaces the configured suggestions", async () => {
  const { publicId } = await host.publish(flowOf([suggesting({ texts: ["Prices"], listVariableId: idOf("Name") })]));

  const listed = await begin(publicId, { Name: ["Why?", null, "How?"] });
  const other = await begin(publicId, { Name: "Ana" });
  const empty = await begin(publicId, { Name: [] });

  expect(listed.at("input.options.followUps")).toEqual(["Why?", "How?"]);
  expect(other.at("input.options.followUps")).toEqual(["Prices"]);
  expect(empty.at("input.options")).toEqual({});
});
