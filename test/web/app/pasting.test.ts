import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { mostPastedText } from "../../../src/core/editing/references/foreign-parts.ts";
import { axeProblems } from "../../support/axe.ts";
import { idOf } from "../../support/builder-ids.ts";
import { flowOf, says } from "../../support/chat.ts";
import { flowTests, saved } from "../../support/flow-page.ts";

const tests = flowTests();
const { inBrowser } = tests;

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Pastes a text with the event that browsers send. */
const paste = (page: Page, text: string) =>
  page.evaluate((given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", given);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);

inBrowser("a pasted flow becomes blocks in the outline", async ({ context, problems }) => {
  const flow = {
    ...flowOf([says("Hello {{Name}}", "hello")]),
    variables: [
      { id: idOf("v1"), name: "Name" },
      { id: idOf("v2"), name: "Name" },
    ],
  };
  const { botId, page } = await tests.open(context, flow);
  const row = page.locator('[data-key="block:hello"]');
  await row.click();

  const other = { bot: { ...flowOf([says("From elsewhere")]), name: "Other" } };
  await paste(page, JSON.stringify(other));
  await page.getByRole("row", { name: /^Text, From elsewhere/ }).waitFor();

  await row.click();
  await paste(page, '<p>Prices</p>\n{"groups": 7');
  const asking = page.getByRole("dialog", { name: "Paste as text?" });
  await asking.waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await asking.getByRole("button", { name: "Add text" }).click();
  await page.getByRole("row", { name: /^Text, <p>Prices<\/p>/ }).waitFor();
  await row.click();
  await paste(page, "[1, null, {}]");
  await page.keyboard.press("Escape");
  await asking.waitFor({ state: "detached" });
  await saved(page);

  await page.getByRole("button", { name: "Variables" }).click();
  const twins = page.getByText("2 variables are called “Name”");
  await twins.waitFor();
  await page.getByRole("button", { name: "Merge the variables" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click();
  await twins.waitFor({ state: "detached" });
  await saved(page);

  const { groups, variables } = await tests.draft(botId);
  expect(groups.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([["text", "text"], ["text"]]);
  expect(groups[0]?.blocks[1]?.["content"]).toEqual({
    richText: [
      { type: "p", children: [{ text: "<p>Prices</p>" }] },
      { type: "p", children: [{ text: '{"groups": 7' }] },
    ],
  });
  expect(variables.map(({ name }) => name)).toEqual(["Name", "Email"]);
  expect(problems).toEqual([]);

  // Many unsaved changes are a risk, so a message warns their author.
  await page.route("**/changes", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await row.click();
  const blocks = Array.from({ length: 21 }, (_, index) => says("x".repeat(100_000), `big${index}`));
  await paste(page, JSON.stringify({ id: "big", title: "Big", blocks }));
  await page.getByRole("alert").filter({ hasText: "More than 2 MB of changes are waiting to be saved" }).waitFor();
});

inBrowser("flows and pictures can be pasted on the canvas", async ({ context, problems }) => {
  const { botId, page } = await tests.open(context, flowOf([says("Hello", "hello")]), { shown: "canvas" });
  await page.locator(".canvas").focus();
  const undoOf = (title: string) => page.getByRole("button", { name: `Undo: ${title}` }).waitFor();
  const other = { bot: { ...flowOf([says("From elsewhere")], [says("And on")]), name: "Other" } };
  await paste(page, JSON.stringify(other));
  await undoOf("Paste 2 parts");
  await page.keyboard.press("Escape");
  // A press starts editing. After Escape only the row is selected.
  await page.locator('[id^="card-row-hello-"]').click();
  await page.locator(".on-card-text").getByRole("textbox").press("Escape");
  await page.locator(".canvas").focus();
  await paste(page, "https://files.example/house.png?size=2");
  await page
    .getByRole("group", { name: /^Image/ })
    .first()
    .waitFor();
  await page.locator(".canvas").focus();
  await paste(page, "Opening hours\n9 to 5");
  const asking = page.getByRole("dialog", { name: "Paste as text?" });
  await asking.getByRole("button", { name: "Add text" }).click();
  await page
    .getByRole("group", { name: /Opening hours/ })
    .first()
    .waitFor();
  await page.locator(".canvas").focus();
  await paste(page, "long ".repeat(mostPastedText / 5 + 1));
  await page
    .getByText(/^This text is too long/)
    .first()
    .waitFor();
  expect(await asking.count()).toBe(0);
  await saved(page);
  const { groups } = await tests.draft(botId);
  expect(groups.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([
    ["text", "image", "text"],
    ["text"],
    ["text"],
  ]);
  expect(groups[0]?.blocks[1]?.["content"]).toEqual({ url: "https://files.example/house.png?size=2" });

  // A pasted picture is stored with the workspace's files. A file that is not a picture is rejected with a reason.
  const pastePicture = (content: string) =>
    page.evaluate((given) => {
      const bytes = Uint8Array.from(atob(given), (letter) => letter.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], "house.png", { type: "image/png" }));
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    }, content);
  await page.locator(".canvas").focus();
  await pastePicture(btoa("<script>"));
  await page
    .getByText(/^The image was not stored: /)
    .first()
    .waitFor();
  await pastePicture(pixel);
  await page
    .getByRole("group", { name: /^Image/ })
    .nth(1)
    .waitFor();
  await saved(page);
  const kept = (await tests.draft(botId)).groups[0]?.blocks.find(
    ({ type, content }) => type === "image" && !String(Object(content).url).includes("example"),
  );
  expect(kept).toBeDefined();
  // The pictures themselves are on another host.
  expect(problems.filter((one) => !one.startsWith("Failed to load resource"))).toEqual([]);
});
