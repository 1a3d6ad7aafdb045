import { expect } from "bun:test";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { announcementsOn, flowTests, openFlow, saved } from "../../support/flow-page.ts";
import { waitFor } from "../../support/wait.ts";

// Tests the carets and selections of another author. Each of the two authors has a separate browser.

const tests = flowTests();
const { inBrowser, inLongRun } = tests;

const words = "Welcome to our shop. We are open from nine to five.";
const script = "const one = 1;\nconst two = 2;\nreturn one + two;";
const flow = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: "g",
      title: "Group",
      graphCoordinates: { x: 200, y: 0 },
      blocks: [
        {
          id: "says",
          type: "text",
          content: {
            richText: [
              { type: "p", children: [{ text: "Hello {{Name}}, " }, { text: "dear", bold: true }, { text: " guest" }] },
              { type: "p", children: [{ text: words }] },
            ],
          },
        },
        { id: "asks", type: "text input", options: { labels: { placeholder: words } } },
        { id: "runs", type: "Code", options: { content: script } },
      ],
    },
  ],
  edges: [{ id: "e", from: { eventId: "start" }, to: { groupId: "g" } }],
  variables: [],
};

type Both = { readonly botId: string; readonly ada: Page; readonly grace: Page };

async function withBoth(context: BrowserContext, at: string, run: (both: Both) => Promise<void>): Promise<void> {
  const { host, workspaceId } = tests;
  const user = await host.api.makeUser({ name: "Grace" });
  await host.api.deps.sql`
    insert into members (workspace_id, user_id, role) values (${workspaceId}, ${user.userId}, 'MEMBER')`;
  const botId = await host.makeBot(tests.ada, workspaceId, flow);
  const other = await context
    .browser()
    ?.newContext({ viewport: { width: 1_440, height: 900 }, reducedMotion: "reduce" });
  if (!other) throw new Error("There is no browser");
  try {
    const ada = await openFlow(context, host, { user: tests.ada, botId, at });
    const grace = await openFlow(other, host, { user, botId, at });
    for (const page of [ada, grace]) await page.locator(".flow-here").waitFor();
    await run({ botId, ada, grace });
  } finally {
    await other.close();
  }
}

const caretOf = (page: Page, name: string) => page.locator(".person-caret", { hasText: name });
const left = async (locator: Locator) => (await locator.boundingBox())?.x ?? Number.NaN;

/** Returns the position of the first occurrence of the letters in a rich text. */
function lettersIn(page: Page, letters: string) {
  return page.evaluate((wanted) => {
    const walker = document.createTreeWalker(
      document.querySelector(".app-text-editor") ?? document,
      NodeFilter.SHOW_TEXT,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(wanted) ?? -1;
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      // If a line ends between the letters, the caret is at the end of the line, not at the beginning of the next.
      const rects = [...range.getClientRects()];
      return { left: rects[0]?.left ?? 0, right: rects.at(-1)?.right ?? 0, top: rects[0]?.top ?? 0 };
    }
    throw new Error(`No ${wanted}`);
  }, letters);
}

const isAt = async (caret: Locator, x: () => Promise<number>) => Math.abs((await left(caret)) - (await x())) < 2.5;

inBrowser(
  "another person's caret is shown with a name",
  async ({ context, problems }) => {
    await withBoth(context, "says", async ({ ada, grace, botId }) => {
      const [mine, hers] = [ada, grace].map((page) => page.locator("[data-panel-body] .app-text-editor"));
      if (!mine || !hers) throw new Error("There is no field");
      await hers.press("Control+End");
      for (let step = 0; step < 5; step++) await hers.press("ArrowLeft");
      const caret = caretOf(ada, "Grace");
      await caret.waitFor();
      await waitFor(() => isAt(caret, async () => (await lettersIn(ada, "five.")).left));
      // All marks of an author have one colour.
      const groundOf = (selector: string) =>
        ada.evaluate((name) => {
          const element = document.querySelector(name);
          return element && getComputedStyle(element).backgroundColor;
        }, selector);
      for (const selector of [".outline-here", ".person-flag"]) {
        // A caret that has moved is drawn at its new position.
        await waitFor(async () => (await groundOf(selector)) !== null);
        expect(await groundOf(selector)).toBe(await groundOf(".flow-face"));
      }

      // Screen readers announce nothing about the caret, and the caret changes no text.
      const told = await announcementsOn(ada);
      await hers.press("ArrowLeft");
      await waitFor(() => isAt(caret, async () => (await lettersIn(ada, " five.")).left));
      await hers.press("ArrowRight");
      await waitFor(() => isAt(caret, async () => (await lettersIn(ada, "five.")).left));
      expect(await announcementsOn(ada)).toEqual(told);
      expect((await tests.draft(botId)).revision).toBe(0);

      // Another author writes before the caret, and the caret stays between the same letters.
      await mine.press("Control+Home");
      await mine.focus();
      await ada.keyboard.type("Good day! ");
      await mine.press("Control+End");
      for (let step = 0; step < words.length; step++) await mine.press("ArrowLeft");
      await ada.keyboard.type("Dear all: ");
      await waitFor(() => isAt(caret, async () => (await lettersIn(ada, "five.")).left));
      await saved(ada);
      await waitFor(async () => (await hers.textContent())?.includes("Dear all: ") ?? false);
      await waitFor(() => isAt(caret, async () => (await lettersIn(ada, "five.")).left));
      // Grace's next letters follow at the same position, with her caret behind them.
      await hers.focus();
      await grace.keyboard.type("half past ");
      await waitFor(async () => (await mine.textContent())?.includes("half past five.") ?? false);
      await waitFor(() => isAt(caret, async () => (await lettersIn(ada, "five.")).left));

      for (let step = 0; step < 5; step++) await hers.press("Shift+ArrowRight");
      const tint = ada.locator(".person-selected");
      await tint.waitFor();
      await waitFor(async () => {
        const { left: from, right } = await lettersIn(ada, "five.");
        const box = await tint.boundingBox();
        return box !== null && Math.abs(box.x - from) < 2.5 && Math.abs(box.x + box.width - right) < 2.5;
      });
      expect(await tint.evaluate((one) => getComputedStyle(one).borderBlockEndStyle)).toBe("solid");
      await ada.emulateMedia({ forcedColors: "active" });
      expect(await tint.evaluate((one) => getComputedStyle(one).borderBlockEndStyle)).toBe("double");
      await ada.emulateMedia({ forcedColors: "none" });
      for (const colorScheme of ["light", "dark"] as const) {
        await ada.emulateMedia({ colorScheme });
        expect(await axeProblems(ada)).toEqual([]);
      }
      expect(await mine.textContent()).toBe(await hers.textContent());

      // The caret has a small flag once it rests, and shows the name when a pointer is near.
      const widthOf = async () => (await caret.locator(".person-flag").boundingBox())?.width ?? 0;
      await waitFor(async () => (await widthOf()) < 10);
      const box = await caret.boundingBox();
      await ada.mouse.move((box?.x ?? 0) + 3, (box?.y ?? 0) + 4);
      await waitFor(async () => (await widthOf()) > 30);

      await grace.locator(".outline-row").first().focus();
      await caret.waitFor({ state: "detached" });
      await tint.waitFor({ state: "detached" });
      expect(problems).toEqual([]);
    });
  },
  { reducedMotion: "reduce", viewport: { width: 1_440, height: 900 } },
);

inLongRun(
  "another person's caret is visible in a plain field, and stays between the same letters",
  async ({ context, problems }) => {
    await withBoth(context, "asks", async ({ ada, grace }) => {
      const [mine, hers] = [ada, grace].map((page) => page.getByLabel("Placeholder", { exact: true }));
      if (!mine || !hers) throw new Error("There is no field");
      await hers.press("Control+Home");
      for (let step = 0; step < 7; step++) await hers.press("ArrowRight");
      const caret = caretOf(ada, "Grace");
      await caret.waitFor();
      /** Returns the horizontal position after these letters at the field's beginning. */
      const widthOf = (letters: string) =>
        mine.evaluate((field, text) => {
          const style = getComputedStyle(field);
          const brush = document.createElement("canvas").getContext("2d");
          if (!brush) throw new Error("There is no brush");
          brush.font = style.font;
          const edge = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.borderLeftWidth);
          return field.getBoundingClientRect().left - field.scrollLeft + edge + brush.measureText(text).width;
        }, letters);
      await waitFor(() => isAt(caret, () => widthOf("Welcome")));
      await mine.press("Control+Home");
      await mine.focus();
      await ada.keyboard.type("Be ");
      await waitFor(() => isAt(caret, () => widthOf("Be Welcome")));
      await saved(ada);
      await waitFor(async () => (await hers.inputValue()).startsWith("Be Welcome"));
      await waitFor(() => isAt(caret, () => widthOf("Be Welcome")));
      for (let step = 0; step < 3; step++) await hers.press("Shift+ArrowLeft");
      await ada.locator(".person-selected").waitFor();
      await waitFor(() => isAt(caret, () => widthOf("Be Welc")));
      expect(await mine.evaluate((field) => field instanceof HTMLInputElement && field.selectionStart)).toBe(3);
      // A field without Grace's focus no longer shows her caret.
      await hers.blur();
      await caret.waitFor({ state: "detached" });
      expect(problems).toEqual([]);
    });
  },
  { reducedMotion: "reduce", viewport: { width: 1_440, height: 900 } },
);

inLongRun(
  "another person's caret is visible in code, and selected lines are tinted",
  async ({ context, problems }) => {
    await withBoth(context, "runs", async ({ ada, grace }) => {
      const [mine, hers] = [ada, grace].map((page) => page.locator(".app-code .cm-content").first());
      if (!mine || !hers) throw new Error("There is no field");
      await mine.waitFor();
      await hers.press("Control+End");
      const caret = caretOf(ada, "Grace");
      await caret.waitFor();
      const endOf = (index: number) =>
        mine
          .locator(".cm-line")
          .nth(index)
          .evaluate((line) => {
            const range = document.createRange();
            range.selectNodeContents(line);
            return range.getBoundingClientRect().right;
          });
      await waitFor(() => isAt(caret, () => endOf(2)));
      await mine.press("Control+Home");
      await mine.focus();
      await ada.keyboard.type("// A sum\n");
      await waitFor(() => isAt(caret, () => endOf(3)));
      await hers.press("Shift+Control+Home");
      await waitFor(async () => (await ada.locator(".person-selected").count()) >= 3);
      await saved(ada);
      await grace.locator(".outline-row").first().focus();
      await caret.waitFor({ state: "detached" });
      expect(problems).toEqual([]);
    });
  },
  { reducedMotion: "reduce", viewport: { width: 1_440, height: 900 } },
);
