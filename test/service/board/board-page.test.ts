import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { createTestBoard, type TestBoard } from "../../support/board.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";

const browserTest = browserTests();
const inLongRun = longBrowserTests();
let board: TestBoard;
let server: Bun.Server<undefined>;
/** Mails that are rejected while they are in this set. */
const refused = new Set<string>();
const delivered: string[] = [];

beforeAll(async () => {
  board = await createTestBoard();
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => board.api.handle(request) });
  board.work("email", async ({ data }) => {
    const mailId = data !== null && typeof data === "object" && "mailId" in data ? String(data.mailId) : "";
    if (refused.has(mailId)) return { kind: "failed", message: "550 No such mailbox", isRetryable: false };
    delivered.push(mailId);
    return { kind: "done", message: "Delivered" };
  });
});
afterAll(async () => {
  await server.stop(true);
  await board.close();
});

async function put(mailId: string): Promise<string> {
  const id = await board.queue.boss.send("email", { mailId });
  if (id === null) throw new Error("The job was not taken.");
  return id;
}

async function putRefused(mailId: string): Promise<string> {
  refused.add(mailId);
  const id = await put(mailId);
  await board.jobIn("failed", "email", id);
  return id;
}

const address = (path = "") => new URL(`/admin/queues${path}`, server.url).href;
const field = (page: Page) => page.getByLabel("Administrator's API token");

async function open(page: Page, path = "", token = board.token): Promise<void> {
  await page.goto(address(path));
  await field(page).fill(token);
  await page.keyboard.press("Enter");
  await page.getByPlaceholder("Filter queues").waitFor();
}

browserTest("the job board reports an invalid token at the field", async ({ page }) => {
  const { token } = await board.api.makeUser();
  await page.goto(address());

  for (const [text, sentence] of [
    ["", "Enter a token."],
    ["parley_unknown", "This token is unknown, expired or revoked."],
    ["tökén", "This token is unknown, expired or revoked."],
    [token, "This token may not open the job board. It needs the scope admin and an administrator of the instance."],
  ] as const) {
    await field(page).fill(text);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("alert").getByText(sentence).waitFor();
    expect(await field(page).getAttribute("aria-invalid")).toBe("true");
    expect(await field(page).evaluate((input) => document.activeElement === input)).toBe(true);
  }
  expect(await page.getByPlaceholder("Filter queues").count()).toBe(0);
});

inLongRun("the token of the job board can be entered with only the keyboard", async ({ page }) => {
  await page.goto(address());

  await page.keyboard.type("not this one");
  await page.keyboard.press("Escape");
  expect(await field(page).inputValue()).toBe("");
  await page.keyboard.type(board.token);
  expect(await field(page).getAttribute("type")).toBe("password");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");

  expect(await page.getByRole("button", { name: "Show", pressed: true }).count()).toBe(1);
  expect(await field(page).getAttribute("type")).toBe("text");
  await page.keyboard.press("Enter");
  await page.getByPlaceholder("Filter queues").waitFor();
});

inLongRun(
  "the page that requests the token fits the width of a small screen",
  async ({ page, problems }) => {
    await page.goto(address());
    await field(page).waitFor();

    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(problems).toEqual([]);
  },
  { viewport: { width: 320, height: 480 }, colorScheme: "dark" },
);

browserTest("the job board shows its queues without internet", async ({ page, outside, problems }) => {
  await open(page);

  for (const name of ["email", "events", "clean-up", "email-dead", "events-dead"]) {
    await page.getByRole("link", { name, exact: true }).first().waitFor();
  }
  expect(outside).toEqual([]);
  expect(problems).toEqual([]);
});

browserTest("the browser does not store the token of the job board", async ({ page, context }) => {
  await open(page);

  const kept = await page.evaluate(
    "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML])",
  );
  expect(String(kept)).not.toContain(board.token);
  expect(await context.cookies()).toEqual([]);
  await page.reload();
  await field(page).waitFor();
  expect(await field(page).inputValue()).toBe("");
});

inLongRun("a failed job shows its error and its history", async ({ page, problems }) => {
  const id = await putRefused("why");

  await open(page, `/queue/email/${id}`);

  await page.getByRole("button", { name: "Error" }).click();
  await page.getByText("550 No such mailbox").first().waitFor();
  await page.getByRole("button", { name: "Logs" }).click();
  await page.getByText("Attempt 1 failed, no more retries: 550 No such mailbox").waitFor();
  await page.getByRole("button", { name: "Data" }).click();
  await page.getByText('"why"').waitFor();
  expect(problems).toEqual([]);
});

browserTest("two clicks retry a failed job", async ({ page }) => {
  const id = await putRefused("again");
  await open(page, `/queue/email/${id}`);
  refused.delete("again");

  // Bull Board's buttons are pictures, and the first button retries.
  await page.locator("ul[class*=jobActions] button").first().click();
  await page.getByRole("button", { name: "Confirm" }).click();

  await board.jobIn("completed", "email", id);
  expect(delivered).toContain("again");
});

inLongRun("clicks on Retry all and Confirm retry a dead letter", async ({ page }) => {
  const id = await putRefused("dead");
  await open(page, "/queue/email-dead?status=failed");
  refused.clear();

  await page.getByRole("button", { name: "Retry all" }).click();
  await page.getByRole("button", { name: "Confirm" }).click();

  await board.jobIn("completed", "email", id);
  expect(delivered).toContain("dead");
});

inLongRun("clicks pause a queue and resume it", async ({ page }) => {
  await open(page, "/queue/email");
  const choose = async (name: string) => {
    await page.locator("section button[aria-haspopup=menu]").click();
    await page.getByRole("menuitem", { name }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
  };

  await choose("Pause");

  await page.getByText("[ Paused ]").waitFor();
  const id = await put("later");
  expect(await board.jobIn("waiting", "email", id)).toMatchObject({ data: { mailId: "later" } });
  await choose("Resume");
  await board.jobIn("completed", "email", id);
});

inLongRun("an impossible request on the job board shows the reason", async ({ page }) => {
  await open(page, "/queue/email");

  await page.locator("section button[aria-haspopup=menu]").click();
  await page.getByRole("menuitem", { name: "Obliterate" }).click();
  await page.getByRole("button", { name: "Confirm" }).click();

  await page.getByRole("alert").getByText("Queue must be paused before obliteration.").waitFor();
});

inLongRun(
  "after its token is revoked, the open job board requests a token again and shows the reason",
  async ({ page }) => {
    const { userId, token } = await board.api.makeUser({ scope: "admin" });
    await open(page, "", token);
    await board.api.deps.sql`
    delete from api_tokens
    where user_id = ${userId}`;

    // Bull Board polls every few seconds.
    await page.getByRole("alert").getByText("This token is unknown, expired or revoked.").waitFor();

    expect(await field(page).inputValue()).toBe("");
    expect(await page.getByPlaceholder("Filter queues").count()).toBe(0);
  },
);
