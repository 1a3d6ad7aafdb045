import { expect, test } from "bun:test";
import { apart, begunName, matching, partsOf, stored, written } from "../../../src/web/app/comments/mentions.ts";
import { axeProblems } from "../../support/axe.ts";
import { flowOf, says } from "../../support/chat.ts";
import { flowTests, openFlow } from "../../support/flow-page.ts";

const tests = flowTests();
const { inBrowser } = tests;

const ids = ["06ey3k2m5q8r1t4v7x0z9w2b5d", "06ey3k2m5q8r1t4v7x0z9w2b5f", "06ey3k2m5q8r1t4v7x0z9w2b5g"] as const;
const people = [
  { userId: ids[0], name: "Ann" },
  { userId: ids[1], name: "Ann Marie" },
  { userId: ids[2], name: null },
];

test("a mention is written as a name and stored as an id", () => {
  const text = "Hello @Ann Marie and @Ann: a@b.example";
  const kept = stored(text, people);
  expect(kept).toBe(`Hello <@${ids[1]}> and <@${ids[0]}>: a@b.example`);
  expect(written(kept, people)).toBe(text);
  expect(partsOf(`<@${ids[2]}>, 👩‍👩‍👧 <@x>`, people)).toEqual([{ name: "?" }, ", 👩‍👩‍👧 <@x>"]);
});

test("two mentioned people with the same name are distinguished", () => {
  const [ann, other] = [
    { userId: ids[0], name: "Ann" },
    { userId: ids[1], name: "Ann" },
  ];
  expect(stored("me@Ann, @Anna, (@Ann)", [ann])).toBe(`me@Ann, @Anna, (<@${ids[0]}>)`);
  // The short name "0" is part of every id.
  const zero = { userId: ids[2], name: "0" };
  expect(stored("@Ann @0", [zero, ann])).toBe(`<@${ids[0]}> <@${ids[2]}>`);
  expect(stored("@A.B? @A+B", [{ userId: ids[0], name: "A.B?" }])).toBe(`<@${ids[0]}> @A+B`);
  const named = apart([ann, other, ann]);
  expect(named.map(({ name }) => name)).toEqual(["Ann", "Ann (2)"]);
  const kept = stored("@Ann (2) and @Ann", named);
  expect(kept).toBe(`<@${ids[1]}> and <@${ids[0]}>`);
  expect(written(kept, named)).toBe("@Ann (2) and @Ann");
});

test("a mention finds people by the start of any part of their name", () => {
  expect(begunName("Hi @ma")).toBe("ma");
  expect(begunName("@")).toBe("");
  expect(begunName("a@b")).toBeUndefined();
  expect(begunName("@Ann ")).toBeUndefined();
  expect(matching(people, "mar").map(({ userId }) => userId)).toEqual([ids[1]]);
  expect(matching(people, "").map(({ userId }) => userId)).toEqual([ids[0], ids[1]]);
});

inBrowser("a comment is written by keyboard, answered and resolved", async ({ context, problems }) => {
  const { host, ada, workspaceId } = tests;
  const grace = await host.api.makeUser({ name: "Grace Hopper" });
  const flow = flowOf([says("Hello")], [says("Bye")]);
  const botId = await host.makeBot(ada, workspaceId, flow);
  await host.api.deps.sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${grace.userId}, 'READ')`;
  const groupId = String(flow.groups[1]?.id);
  const page = await openFlow(context, host, { user: ada, botId, at: groupId, shown: "canvas" });
  await page.locator(".canvas").focus();
  await page.keyboard.press("m");
  const field = page.getByRole("textbox", { name: "Comment on Group 1" });
  await field.waitFor();
  await page.waitForFunction(() => document.activeElement?.classList.contains("comment-field"));
  await page.keyboard.type("Is this needed, @hop");
  await page.getByRole("option", { name: "Grace Hopper" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  const mark = page.locator(".comment-mark");
  await mark.waitFor();
  expect(await mark.textContent()).toBe("1");
  expect(await page.locator(".comment-text").textContent()).toBe("Is this needed, @Grace Hopper ".trim());
  expect(await axeProblems(page)).toEqual([]);

  const other = await context.browser()?.newContext();
  if (!other) throw new Error("There is no browser");
  const theirs = await openFlow(other, host, { user: grace, botId });
  await theirs.getByText("1 open comment").first().waitFor();
  await theirs.locator(".outline-row[tabindex='0']").focus();
  await theirs.keyboard.press("n");
  const thread = theirs.locator(".comment-thread");
  await thread.getByText("New").waitFor();
  await thread.getByRole("button", { name: "Reply" }).click();
  await theirs.getByRole("textbox", { name: "Write a reply" }).fill("No");
  await theirs.keyboard.press("Control+Enter");
  await thread.getByText("No", { exact: true }).waitFor();
  // The other comment belongs to another author.
  expect(await thread.getByRole("button", { name: "Edit" }).count()).toBe(1);

  await page.locator(".comment-thread").getByText("No", { exact: true }).waitFor();
  for (const width of [1440, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await axeProblems(page)).toEqual([]);
      if (process.env["SHOTS"]) await page.screenshot({ path: `/tmp/shot-comments-${width}-${colorScheme}.png` });
    }
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole("button", { name: "Resolve" }).click();
  await mark.waitFor({ state: "detached" });
  await thread.locator(".app-badge", { hasText: "Resolved" }).waitFor();
  await page.getByRole("combobox", { name: "Filter" }).selectOption("all");
  await page.getByRole("button", { name: "Reopen" }).click();
  await mark.waitFor();

  await page.locator(".canvas").focus();
  await page.keyboard.press("Delete");
  await page.getByRole("heading", { name: "Not placed in the flow" }).waitFor();
  expect(await mark.count()).toBe(0);
  expect(await page.locator(".comment-thread").count()).toBe(1);
  await page.keyboard.press("Control+z");
  await mark.waitFor();
  await other.close();
  // An open panel would immediately mark the comment as seen.
  await page.close();

  // The panel marks all new comments as seen, so it also shows a resolved thread with new comments.
  const begun = Object(await host.call(ada, "GET", `/api/v1/bots/${botId}/comments`)).comments.at(-1);
  await host.call(ada, "PATCH", `/api/v1/bots/${botId}/comments/${begun.id}`, { isResolved: true });
  await host.call(grace, "POST", `/api/v1/bots/${botId}/comments`, { threadId: begun.id, text: "Really?" });
  const later = await openFlow(context, host, { user: ada, botId });
  await later.getByRole("button", { name: "Comments: 1 new" }).click();
  await later.locator(".comment-thread").getByText("Really?").waitFor();
  await later.locator(".comment-thread .app-badge", { hasText: "Resolved" }).waitFor();
  expect(problems).toEqual([]);
});

inBrowser("an unfinished comment stays while another element is selected", async ({ context, problems }) => {
  const { host, ada, workspaceId } = tests;
  const made = flowOf([says("Hello")], [says("Bye")]);
  const at = (index: number) => ({ graphCoordinates: { x: 320, y: index * 260 } });
  const flow = { ...made, groups: made.groups.map((group, index) => ({ ...group, ...at(index) })) };
  const botId = await host.makeBot(ada, workspaceId, flow);
  const page = await openFlow(context, host, { user: ada, botId, at: String(flow.groups[1]?.id), shown: "canvas" });
  const isWriting = () => page.evaluate(() => document.activeElement?.classList.contains("comment-field") === true);
  const field = page.locator(".comment-field");
  await page.locator(".canvas").focus();
  await page.keyboard.press("m");
  await page.waitForFunction(() => document.activeElement?.classList.contains("comment-field"));
  await page.keyboard.type("Half a thou");
  const label = await field.getAttribute("placeholder");

  await page.locator(".canvas-card", { hasText: "Hello" }).locator(".canvas-title").click();
  await page.waitForFunction((before) => {
    const now = document.querySelector(".comment-field")?.getAttribute("placeholder");
    return typeof now === "string" && now !== before;
  }, label);
  expect([await field.inputValue(), await isWriting()]).toEqual(["", false]);
  await page.locator(".canvas-card", { hasText: "Bye" }).locator(".canvas-title").click();
  await page.getByPlaceholder(String(label), { exact: true }).waitFor();
  expect([await field.inputValue(), await isWriting()]).toEqual(["Half a thou", false]);

  // A panel that is opened again takes the focus again.
  await page.locator(".canvas").focus();
  await page.keyboard.press("m");
  await page.waitForFunction(() => document.activeElement?.classList.contains("comment-field"));
  await page.keyboard.press("End");
  await page.keyboard.type("ght");
  await page.keyboard.press("Control+Enter");
  await page.locator(".comment-text", { hasText: "Half a thought" }).waitFor();
  expect(await field.inputValue()).toBe("");

  // A deleted comment cannot be restored, so the deletion must be confirmed.
  await page.locator(".comment-thread").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.locator(".comment-text").count()).toBe(1);

  // On a phone the panel is a sheet, which would cover the position that the link shows.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("dialog").locator(".comment-place").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.locator(".comment-mark").isVisible()).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.locator(".comment-mark").click();
  await page.locator(".comment-thread").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.locator(".comment-mark").waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});
