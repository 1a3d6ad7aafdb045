import { afterAll, beforeAll, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type AppHost, openAppHost } from "../../../support/app-host.ts";
import { axeProblems } from "../../../support/axe.ts";
import { browserTests } from "../../../support/browser.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../../support/chat.ts";
import { saved } from "../../../support/flow-page.ts";
import { layoutProblems } from "../../../support/layout-problems.ts";
import { countAll, shoot } from "./insight-world.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost({ config: { RATE_LIMITS: "off" } });
});
afterAll(() => host.close());

/** Returns a flow that asks for an e-mail address before it has offered anything. */
function leadFlow() {
  const roofs = [
    { id: "flat", content: "Flat" },
    { id: "steep", content: "Steep" },
  ];
  const flow = flowOf(
    [
      says("What does your roof look like?"),
      asks("choice input", {}, { id: "roof", items: roofs, outgoingEdgeId: idOf("e1") }),
    ],
    [
      says("Your e-mail, please", "ask"),
      asks("email input", { variableId: idOf("Email") }, { id: "mail", outgoingEdgeId: idOf("e2") }),
    ],
    [says("Thank you")],
  );
  const titles = ["Roof", "Contact", "End"];
  const at = (index: number) => ({ x: 320 + index * 420, y: 80 });
  const groups = flow.groups.map((group, index) => ({ ...group, title: titles[index], graphCoordinates: at(index) }));
  return { ...flow, groups };
}

/** Runs chats of the given numbers of visitors: some only look, some leave at the address, and others enter it. */
async function haveChats(publicId: string, counts: Readonly<Record<"silent" | "leaving" | "done", number>>) {
  const said = { silent: [], leaving: ["Flat"], done: ["Steep", "a@example.com"] } as const;
  for (const kind of ["silent", "leaving", "done"] as const) {
    for (let count = 0; count < counts[kind]; count++) {
      const started = await start(host.api.client, publicId);
      for (const reply of said[kind]) await say(host.api.client, started.text("sessionId"), reply);
    }
  }
  await countAll(host);
}

/** Performs and counts the actions of an author, who only presses and types. */
function handsOn(page: Page) {
  const counts = { presses: 0, keys: 0, texts: 0 };
  return {
    counts,
    async press(target: Locator): Promise<void> {
      counts.presses++;
      await target.click();
    },
    async key(key: string): Promise<void> {
      counts.keys++;
      await page.keyboard.press(key);
    },
    async type(text: string): Promise<void> {
      counts.texts++;
      await page.keyboard.type(text);
    },
    async choose(name: string, label: string): Promise<void> {
      // One press opens the list, and another selects the line.
      counts.presses += 2;
      await page.getByLabel(name, { exact: true }).selectOption(label);
    },
    async back(): Promise<void> {
      counts.presses++;
      await page.goBack();
    },
  };
}

inBrowser(
  "an author finds a drop-off, fixes the flow and compares versions",
  async ({ page, context, problems }) => {
    const { api, owner, workspaceId } = host;
    const { token } = owner;
    const place = { token, workspaceId };
    const { botId, publicId } = await publish(api.client, place, { name: "Solar leads", ...leadFlow() });
    await haveChats(publicId, { silent: 5, leaving: 24, done: 16 });
    const tom = await api.makeUser({ name: "Tom" });
    await api.deps
      .sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${tom.userId}, 'MEMBER')`;
    const text = `Too early? <@${owner.userId}>`;
    const body = { text, place: { kind: "block", id: "mail" } };
    expect((await api.client.post(`/api/v1/bots/${botId}/comments`, { token: tom.token, body })).status).toBe(200);
    await host.signIn(context);
    const hands = handsOn(page);
    const tab = (name: string) => page.getByRole("navigation", { name: "Bot pages" }).getByRole("link", { name });
    const worst = page.locator(".insight-drops > li").first();

    await page.goto(`${host.builder}/w/${workspaceId}`);
    await hands.press(page.getByRole("link", { name: "Solar leads" }).first());
    await hands.press(tab("Insight"));
    await worst.waitFor();
    expect(await worst.textContent()).toContain("Contact · Email24 of 40 left here (60%)");
    // A first version is compared only with the period before it.
    expect(await page.locator("tr.insight-beside").count()).toBe(0);
    await hands.press(worst.getByRole("link", { name: "See on the flow" }));
    await page.locator(".canvas-rate", { hasText: "40 · −24" }).waitFor();
    expect(await page.getByText("Left here").count()).toBeGreaterThan(0);
    await shoot(page, "walk-on-flow", { isWhole: false });
    await hands.back();

    await hands.press(worst.getByRole("link", { name: "See the chats" }));
    await page.getByText("24 results").waitFor();
    await page.getByRole("button", { name: "Remove filter: Left at Contact · Email" }).waitFor();
    await hands.press(page.getByRole("row").nth(1).getByRole("link").first());
    const sheet = page.getByRole("dialog");
    const chat = page.frameLocator("iframe.results-seen");
    const read = new Set<string>();
    for (let count = 0; count < 10; count++) {
      if (count > 0) await hands.press(sheet.getByRole("button", { name: "Older result" }));
      await page.waitForFunction((known) => !known.includes(location.pathname), [...read]);
      await chat.getByText("Your e-mail, please").waitFor();
      await page.locator("iframe.results-seen[aria-busy=false]").waitFor();
      await chat.getByText("Not answered").waitFor();
      read.add(new URL(page.url()).pathname);
    }
    expect(read.size).toBe(10);
    await shoot(page, "walk-as-seen", { isWhole: false });
    await hands.key("Escape");

    await hands.press(tab("Flow"));
    await hands.press(page.getByRole("button", { name: "Comments: 1 new" }));
    const thread = page.locator(".comment-thread");
    await hands.press(thread.getByRole("button", { name: "Show Contact · Email" }));
    await hands.press(thread.getByRole("button", { name: "Reply" }));
    await page.waitForFunction(() => document.activeElement?.classList.contains("comment-field"));
    await hands.type("Yes. I say what it is for.");
    await hands.key("Control+Enter");
    await thread.getByText("Yes. I say what it is for.").waitFor();
    await shoot(page, "walk-comment", { isWhole: false });

    await hands.press(page.locator(`[id^="card-row-ask-"] .canvas-text`));
    await page.locator(".on-card-text").getByRole("textbox").waitFor();
    await hands.key("Control+a");
    await hands.type("Where may we send your offer?");
    await hands.key("Escape");
    await saved(page);
    await hands.press(page.getByRole("button", { name: /^Publish/ }));
    await hands.press(page.getByRole("dialog").getByRole("button", { name: "Publish" }));
    await page.getByText("Version 2 is live").first().waitFor();
    await hands.key("Escape");
    await haveChats(publicId, { silent: 0, leaving: 8, done: 32 });

    await hands.press(tab("Insight"));
    // Both versions are shown next to all chats, without being selected.
    await worst.getByText("Version 2: 8 of 40 left here (20%)").waitFor();
    await worst.getByText("Version 1: 24 of 40 left here (60%)").waitFor();
    const figure = (name: string) => page.locator(".insight-figure", { hasText: name }).first().locator("dd");
    expect(await figure("Completion").textContent()).toBe("60%Version 2: 80%Version 1: 40%");
    await shoot(page, "walk-all");
    // The changed question is hatched on the flow, because part of its figures are older.
    await hands.press(worst.getByRole("link", { name: "See on the flow" }));
    await page.locator(".canvas-card.is-hatched", { hasText: "Contact" }).waitFor();
    await page.getByText("changed since version 1, so the numbers partly refer to the earlier state").waitFor();
    await shoot(page, "walk-hatched", { isWhole: false });
    await hands.back();
    await worst.waitFor();
    await hands.choose("Version", "Version 2");
    await worst.getByText("8 of 40 left here (20%)", { exact: true }).waitFor();
    await worst.getByText("Version 1: 24 of 40 left here (60%)").waitFor();
    expect(await figure("Completion").textContent()).toBe("80%Version 1: 40%");

    expect(hands.counts.presses).toBeLessThan(40);

    // The numbers equal the numbers of the API for each version.
    for (const number of [1, 2]) {
      const query = { timeFilter: "last30Days", version: String(number) };
      const { insight } = Object((await api.client.get(`/api/v1/bots/${botId}/insight`, { token, query })).body);
      const shown = page.getByRole("table", { name: "Questions" }).locator("tbody tr");
      const rows =
        number === 2 ? shown.and(page.locator(":not(.insight-beside)")) : shown.and(page.locator(".insight-beside"));
      const numbers = await Promise.all(
        (await rows.all()).map(async (row) =>
          (await row.locator("td").allTextContents()).map((cell) => Number.parseInt(cell, 10)),
        ),
      );
      const { views, starts, blocks } = insight;
      const asked = blocks.filter(({ type }: { readonly type: string }) => type.endsWith(" input"));
      const questions = asked.map(({ reached, answered, left, silent }: Readonly<Record<string, number>>) => [
        Number(reached) - Number(silent),
        answered,
        Number(left) - Number(silent),
      ]);
      expect(numbers).toEqual([[views, starts, views - starts], ...questions]);
      expect(await figure("Opened").textContent()).toContain(String(views));
    }
    for (const scheme of ["light", "dark"]) {
      await page.evaluate((name) => document.documentElement.setAttribute("data-scheme", name), scheme);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
        await shoot(page, `walk-beside-${width}-${scheme}`);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel("Compare with", { exact: true }).selectOption("Previous period");
    await page.locator("tr.insight-beside").first().waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?version=2&beside=before");
    expect(await figure("Opened").textContent()).toStartWith("40previously: 0");
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } },
);
