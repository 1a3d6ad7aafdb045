import { expect } from "bun:test";
import type { BrowserContext, Locator, Page, Route } from "playwright-core";
import { sizeOf } from "../../support/campaigns.ts";
import { flowTests, openFlow, saved } from "../../support/flow-page.ts";
import { waitFor } from "../../support/wait.ts";

// Two people edit one text. Each has a separate browser, and one of them is offline temporarily.

const tests = flowTests();
const { inBrowser, inLongRun } = tests;

const paragraph = "Welcome to our shop.";
const flow = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: "g",
      title: "Group",
      graphCoordinates: { x: 200, y: 0 },
      blocks: [
        { id: "says", type: "text", content: { richText: [{ type: "p", children: [{ text: paragraph }] }] } },
        { id: "asks", type: "text input", options: { labels: { placeholder: paragraph } } },
      ],
    },
  ],
  edges: [{ id: "e", from: { eventId: "start" }, to: { groupId: "g" } }],
  variables: [],
};

/** The number of letters that each author types while both are online, and again while one is offline. */
const half = sizeOf({ short: 30, long: 250 });
/** Letters that no other author types. */
const lower = Array.from(
  { length: (2 * half) / 5 },
  (_, index) => `${String.fromCharCode(97 + (index % 26)).repeat(4)} `,
).join("");
const upper = lower.toUpperCase();

async function openTwo(context: BrowserContext, at: string) {
  const { host, ada, workspaceId } = tests;
  const grace = await host.api.makeUser({ name: "Grace" });
  await host.api.deps.sql`
    insert into members (workspace_id, user_id, role) values (${workspaceId}, ${grace.userId}, 'MEMBER')`;
  const botId = await host.makeBot(ada, workspaceId, flow);
  const other = await context.browser()?.newContext();
  if (!other) throw new Error("There is no browser");
  await other.clock.install();
  const first = await openFlow(context, host, { user: ada, botId, at });
  const second = await openFlow(other, host, { user: grace, botId, at });
  return { botId, first, second, close: () => other.close() };
}

/** Blocks all network traffic until the returned function is called. */
async function cut(page: Page): Promise<() => Promise<void>> {
  const refuse = (route: Route) => route.abort();
  await page.context().setOffline(true);
  await page.route("**/api/v1/**", refuse);
  return async () => {
    await page.context().setOffline(false);
    await page.unroute("**/api/v1/**", refuse);
  };
}

async function type(page: Page, field: Locator, letters: string): Promise<void> {
  await field.focus();
  await page.keyboard.type(letters);
}

const own = (text: string, letter: RegExp) => (text.match(letter) ?? []).join("");

async function writeTogether(
  { first, second }: { readonly first: Page; readonly second: Page },
  fieldOf: (page: Page) => Locator,
  read: (field: Locator) => Promise<string>,
): Promise<string> {
  const [one, two] = [fieldOf(first), fieldOf(second)];
  await one.press("Control+End");
  await two.press("Control+Home");
  await Promise.all([type(first, one, lower.slice(0, half)), type(second, two, upper.slice(0, half))]);
  await waitFor(async () => (await read(one)).includes(upper.slice(half - 50, half - 10)));
  const restore = await cut(second);
  await Promise.all([type(first, one, lower.slice(half)), type(second, two, upper.slice(half))]);
  await second.clock.fastForward(60_000);
  await second.locator(".saving-state.is-offline").waitFor();
  await saved(first);
  await restore();
  await second.clock.fastForward(60_000);
  await saved(second);
  await saved(first);
  await waitFor(async () => (await read(one)) === (await read(two)));
  return read(one);
}

function expectAll(text: string): void {
  // The text contains the letters of each author once and in their order, and the original letters.
  const rest = text.replace(paragraph, "");
  expect(own(rest, /[a-z]/g)).toBe(own(lower, /[a-z]/g));
  expect(own(rest, /[A-Z]/g)).toBe(own(upper, /[A-Z]/g));
  expect(text.length).toBe(paragraph.length + 4 * half);
}

inBrowser("two people who type into one paragraph lose no letter", async ({ context }) => {
  const both = await openTwo(context, "says");
  const text = await writeTogether(
    both,
    (page) => page.locator("[data-panel-body] .app-text-editor"),
    async (field) => (await field.textContent()) ?? "",
  );
  expectAll(text);
  const draft = await tests.draft(both.botId);
  expect(draft.groups[0]?.blocks[0]?.["content"]).toEqual({ richText: [{ type: "p", children: [{ text }] }] });
  await both.close();
});

inLongRun(
  "two people who type into one plain field, one of them offline for a minute, lose no letter",
  async ({ context }) => {
    const both = await openTwo(context, "asks");
    const text = await writeTogether(
      both,
      (page) => page.getByLabel("Placeholder", { exact: true }),
      (field) => field.inputValue(),
    );
    expectAll(text);
    const draft = await tests.draft(both.botId);
    expect(draft.groups[0]?.blocks[1]?.["options"]).toEqual({ labels: { placeholder: text } });
    await both.close();
  },
);
