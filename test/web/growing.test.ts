import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type ScriptedSteps, scriptSteps } from "../support/scripted-steps.ts";

// Tests how the page shows a step that is sent in pieces. The test sends the pieces, and the service sends the step
// itself.

let host: ChatHost;
let told: ScriptedSteps;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  host = await openChatHost();
  told = scriptSteps(host.api);
});
afterAll(async () => {
  await told.close();
  await host.close();
});

/** The test uses the visitor's text in place of a model's, because the service shows both as Markdown. */
const repeats = flowOf([
  says("What shall I say?"),
  asks("text input", { variableId: idOf("Name"), isLong: true }),
  says("Let me see.", "first"),
  says("{{Name}}", "words"),
  says("Anything else?"),
  asks("text input", {}, { id: "else" }),
]);
const first = {
  id: "first",
  type: "text",
  content: { type: "richText", richText: [{ type: "p", children: [{ text: "Let me see." }] }] },
};

const growing = (page: Page) => page.locator("[aria-busy=true]");
const bubbles = (page: Page) => page.locator(".typebot-host-bubble.text-bubble");
const stopButton = (page: Page) => page.getByRole("button", { name: "Stop" });

async function say(page: Page, text: string): Promise<void> {
  const { publicId } = await host.publish(repeats);
  await page.goto(`${told.origin}/${publicId}`);
  await page.locator("body.is-live form").waitFor();
  await page.getByRole("textbox").fill(text);
  await page.keyboard.press("Control+Enter");
}

const markdown =
  "# Tea\n\nThere are **three** kinds, and `water`:\n\n1. Green, from [Uji](https://example.com/uji)\n2. Black\n   - Assam\n   - *Ceylon*\n\n> Drink it warm.\n\n```\nlet tea = 3;\n```\n\nThat is all there is to say about tea in a paragraph that is long enough for a second line of it.";

inBrowser("a growing answer keeps its content when it is complete", async ({ page, problems, outside }) => {
  await say(page, markdown);
  const step = await told.next();
  step.send("said", { messages: [first] });
  await page.getByText("Let me see.").waitFor();
  expect(await stopButton(page).count()).toBe(0);
  step.send("delta", { blockId: "words", text: "" }, "7.0");
  await stopButton(page).waitFor();
  expect(await growing(page).count()).toBe(0);
  expect(await page.locator(".typebot-guest-bubble.is-under-way").count()).toBe(0);
  await page.evaluate(() => {
    const added: string[] = [];
    const watch = (records: MutationRecord[]): void => {
      for (const { target, addedNodes } of records) {
        const isSilent = target instanceof Element && target.closest("[aria-live=off]") !== null;
        for (const node of isSilent ? [] : addedNodes)
          if (!(node instanceof Element && node.matches("[aria-live=off], :has([aria-live=off])")))
            added.push(node.textContent ?? "");
      }
    };
    const log = document.querySelector("[role=log]");
    if (log) new MutationObserver(watch).observe(log, { childList: true, subtree: true });
    Object.assign(window, { added });
  });

  let length = 0;
  for (const piece of markdown.match(/[\s\S]{1,7}/g) ?? []) {
    length += piece.length;
    step.send("delta", { blockId: "words", text: piece }, `7.${length}`);
    if (length === 49) {
      await growing(page).getByText("water").waitFor();
      expect(await axeProblems(page)).toEqual([]);
    }
  }
  await growing(page).getByText("second line of it.").waitFor();
  expect(await axeProblems(page)).toEqual([]);
  const drawn = await growing(page).innerHTML();
  const top = (await growing(page).boundingBox())?.height;
  await step.finish();
  await page.getByText("Anything else?").waitFor();

  expect(await growing(page).count()).toBe(0);
  expect(await stopButton(page).count()).toBe(0);
  expect(await bubbles(page).nth(2).innerHTML()).toBe(drawn);
  expect((await bubbles(page).nth(2).boundingBox())?.height).toBeCloseTo(top ?? 0, 2);
  expect(await bubbles(page).locator("a").getAttribute("href")).toBe("https://example.com/uji");
  const heard: unknown = await page.evaluate(() => Reflect.get(window, "added"));
  expect(heard).toEqual([expect.stringContaining("Drink it warm."), "Anything else?"]);
  await page.locator("textarea:focus, input:focus").waitFor();
  expect(await axeProblems(page)).toEqual([]);
  expect({ problems, outside }).toEqual({ problems: [], outside: [] });
});

inBrowser("a lost connection resumes at its position, and invalidated text is removed", async ({ page }) => {
  await say(page, "One two three");
  const lost = await told.next();
  lost.send("said", { messages: [first] });
  lost.send("delta", { blockId: "words", text: "One " }, "7.4");
  await growing(page).waitFor();
  lost.cut();
  const waits = page.getByText("The answer continues when it is back.");
  await waits.waitFor();
  expect(await growing(page).textContent()).toBe("One");

  const second = await told.next();
  expect(second.headers.get("last-event-id")).toBe("7.4");
  expect(second.headers.get("idempotency-key")).toBe(lost.headers.get("idempotency-key"));
  await waits.waitFor({ state: "detached" });
  second.send("delta", { blockId: "words", text: "two" }, "7.7");
  await growing(page).getByText("One two").waitFor();
  second.send("restart", { blockId: "words" });
  await growing(page).waitFor({ state: "detached" });
  expect(await bubbles(page).allTextContents()).toEqual(["What shall I say?", "Let me see."]);
  second.send("delta", { blockId: "words", text: "Uno" }, "8.3");
  await growing(page).getByText("Uno").waitFor();
  // The page retries if the service fails temporarily.
  second.send("error", { code: "server.unavailable", status: 503, message: "Not now", requestId: "r" });
  const third = await told.next();
  expect(third.headers.get("last-event-id")).toBe("8.3");
  await third.finish();
  await page.getByText("Anything else?").waitFor();

  expect(await bubbles(page).allTextContents()).toEqual([
    "What shall I say?",
    "Let me see.",
    "One two three",
    "Anything else?",
  ]);
  expect(await page.locator(".typebot-guest-bubble").count()).toBe(1);
});

inBrowser("a permanent error removes the growing answer and restores the typed text", async ({ page }) => {
  await say(page, "One two");
  const step = await told.next();
  const stops = told.stops.length;
  told.answerStops(503);
  step.send("delta", { blockId: "words", text: "" }, "7.0");
  await stopButton(page).waitFor();
  // No text has arrived yet, so the dots are next to the avatar, at the position of the first bubble.
  expect(await page.locator(".typebot-loading-chunk.is-new").count()).toBe(1);
  await stopButton(page).click();
  await stopButton(page).waitFor({ state: "detached" });
  step.send("delta", { blockId: "words", text: "One" }, "7.3");
  await growing(page).waitFor();
  told.answerStops(200);
  step.send("delta", { blockId: "words", text: " two" }, "7.7");
  await stopButton(page).click();
  step.send("delta", { blockId: "words", text: " thr" }, "7.11");
  await growing(page).getByText("thr").waitFor();
  expect(await stopButton(page).count()).toBe(0);
  expect(told.stops.slice(stops)).toEqual([
    expect.stringMatching(/^\/api\/v1\/sessions\/[a-z\d]{26}\/stopAnswer$/),
    told.stops.at(-1) ?? "",
  ]);

  step.send("error", { code: "step.over_budget", status: 422, message: "Too much", requestId: "r" });
  await page.getByText("Too much").waitFor();
  expect(await page.getByRole("textbox").inputValue()).toBe("One two");
  expect(await growing(page).count()).toBe(0);
  expect(await page.locator(".typebot-guest-bubble").count()).toBe(0);
});

const hostile = [
  "<script>document.title = 'run'</script><img src=x onerror=\"document.title='run'\">",
  "[click](javascript:document.title='run') [data](data:text/html,x) <javascript:alert(1)> [ok](https://example.com)",
  "![picture](https://pictures.example/?what=it-knows) <b>bold?</b>",
  "`<i>` **<u>x</u>** # [a]( javascript:alert(1) )",
].join("\n\n");

inBrowser("the text of a model is rendered without its HTML and scripts", async ({ page, outside, problems }) => {
  await say(page, hostile);
  const step = await told.next();
  step.send("delta", { blockId: "words", text: hostile }, "7.1");
  await growing(page).getByText("bold?").waitFor();
  const look = async (): Promise<unknown> => ({
    title: await page.evaluate(() => document.title === "run"),
    elements: await bubbles(page).locator("script, img, b, i, u, iframe, style").count(),
    links: await bubbles(page)
      .locator("a")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href"))),
  });

  const harmless = {
    title: false,
    elements: 0,
    links: ["https://example.com", "https://pictures.example/?what=it-knows"],
  };
  expect(await look()).toEqual(harmless);
  await step.finish();
  await page.getByText("Anything else?").waitFor();
  expect(await look()).toEqual(harmless);
  expect(outside).toEqual([]);
  expect(problems).toEqual([]);
});

inLongRun(
  "with reduced motion, the page scrolls with a long answer, but not past the beginning of the answer",
  async ({ page }) => {
    await say(page, "x");
    const step = await told.next();
    const line = "Words of an answer that goes on and on.\n\n";
    step.send("delta", { blockId: "words", text: line.repeat(4) }, "7.1");
    await growing(page).locator("div").nth(6).waitFor();
    await page.waitForFunction(() => innerHeight + scrollY >= document.documentElement.scrollHeight - 2);
    step.send("delta", { blockId: "words", text: line.repeat(40) }, "7.2");
    await growing(page).locator("div").nth(80).waitFor();
    await page.waitForFunction(() => {
      const top = document.querySelector("[aria-busy]")?.getBoundingClientRect().top ?? -1;
      return top >= 0 && top < 60;
    });
    await step.finish();
    await page.getByRole("textbox").waitFor();
  },
  { viewport: { width: 390, height: 700 }, reducedMotion: "reduce" },
);
