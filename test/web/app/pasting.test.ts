import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { flowOf, says } from "../../support/chat.ts";
import { type FlowHost, openFlow, openFlowHost, saved } from "../../support/flow-page.ts";

let host: FlowHost;
let ada: TestUser;
let workspaceId: string;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openFlowHost();
  ada = await host.api.makeUser({ name: "Ada" });
  workspaceId = await host.api.makeWorkspace(ada);
});
afterAll(() => host.close());

/** As a browser hands on what lies on the clipboard. */
const paste = (page: Page, text: string) =>
  page.evaluate((given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", given);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);

inBrowser(
  "what is pasted from elsewhere becomes parts of the flow, or a text where its author says so; two variables of one name become one",
  async ({ context, problems }) => {
    const flow = {
      ...flowOf([says("Hello {{Name}}", "hello")]),
      variables: [
        { id: "v1", name: "Name" },
        { id: "v2", name: "Name" },
      ],
    };
    const botId = await host.makeBot(ada, workspaceId, flow);
    const page = await openFlow(context, host, { user: ada, botId });
    const row = page.locator('[data-key="block:hello"]');
    await row.click();

    const other = { bot: { ...flowOf([says("From elsewhere")]), name: "Other" } };
    await paste(page, JSON.stringify(other));
    await page.getByRole("row", { name: /^Text, From elsewhere/ }).waitFor();

    await row.click();
    await paste(page, '<p>Prices</p>\n{"groups": 7');
    const asking = page.getByRole("dialog", { name: "Make a text of what you paste?" });
    expect(await axeProblems(page)).toEqual([]);
    await asking.getByRole("button", { name: "Add the text" }).click();
    await page.getByRole("row", { name: /^Text, <p>Prices<\/p>/ }).waitFor();
    await row.click();
    await paste(page, "[1, null, {}]");
    await page.keyboard.press("Escape");
    await asking.waitFor({ state: "detached" });
    await saved(page);

    await page.getByRole("button", { name: "Variables" }).click();
    const twins = page.getByText("2 variables are called “Name”");
    await twins.waitFor();
    await page.getByRole("button", { name: "Make one of them" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click();
    await twins.waitFor({ state: "detached" });
    await saved(page);

    const { groups, variables } = await host.draft(ada, botId);
    expect(groups.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([["text", "text"], ["text"]]);
    expect(groups[0]?.blocks[1]?.["content"]).toEqual({
      richText: [
        { type: "p", children: [{ text: "<p>Prices</p>" }] },
        { type: "p", children: [{ text: '{"groups": 7' }] },
      ],
    });
    expect(variables.map(({ name }) => name)).toEqual(["Name", "Email"]);
    expect(problems).toEqual([]);

    // Much that cannot be sent is a risk, which its author is told of.
    await page.route("**/changes", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
    await row.click();
    const blocks = Array.from({ length: 21 }, (_, index) => says("x".repeat(100_000), `big${index}`));
    await paste(page, JSON.stringify({ id: "big", title: "Big", blocks }));
    await page.getByRole("alert").filter({ hasText: "More than 2 MB wait to be saved" }).waitFor();
  },
);
