import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { pointTexts } from "../../../../src/web/app/insight/texts.ts";
import { providerUrls } from "../../../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../../../fake-providers/stripe.ts";
import { countByHand } from "../../../management/insight/by-hand.ts";
import { haveVisited, type Visited } from "../../../management/insight/visited-bot.ts";
import { edgeOfPlan, noCodeEdge, noMoneyEdge, windows, zone } from "../../../management/insight/visited-flow.ts";
import { type AppHost, openAppHost } from "../../../support/app-host.ts";
import { axeProblems } from "../../../support/axe.ts";
import { browserTests } from "../../../support/browser.ts";
import { sizeOf } from "../../../support/campaigns.ts";
import { layoutProblems } from "../../../support/layout-problems.ts";
import { shoot } from "./insight-world.ts";

let host: AppHost;
let stripe: FakeStripe;
let bot: Visited;
const inBrowser = browserTests();

const chats = sizeOf({ short: 42, long: 300, variable: "PARLEY_COUNTED_CHATS" });

beforeAll(async () => {
  stripe = await startFakeStripe();
  const config = { PROVIDER_URLS: providerUrls([stripe]), ENCRYPTION_KEY: "k".repeat(32), RATE_LIMITS: "off" };
  host = await openAppHost({ config });
  bot = await haveVisited({ ...host, stripe }, chats);
}, 600_000);
afterAll(async () => {
  await host.close();
  await stripe.close();
});

const calm = { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } } as const;

type Shown = { readonly days?: readonly string[]; readonly version?: number };

/** Returns the query string for a period and a version. */
function addressOf({ days, version }: Shown): string {
  const query = new URLSearchParams({ zone });
  if (days) query.set("from", days[0] ?? "");
  if (days) query.set("to", days.at(-1) ?? "");
  else query.set("time", "allTime");
  if (version !== undefined) query.set("version", String(version));
  return String(query);
}

function byHandOf({ days, version }: Shown) {
  const visits = bot.visits.filter(
    (visit) =>
      !visit.isGone &&
      (days === undefined || days.includes(visit.moment.day)) &&
      (version === undefined || visit.version === version),
  );
  return countByHand(visits);
}

type ByHand = ReturnType<typeof byHandOf>;

/** Returns the figures of a question, without visitors who only opened the chat. */
function passing(byHand: ByHand, blockId: string) {
  const { reached = 0, answered = 0, left = 0, silent = 0 } = byHand.blocks.get(blockId) ?? {};
  return { reached: reached - silent, answered, left: left - silent };
}

const share = (part: number, whole: number) => {
  const value = whole === 0 ? 0 : part / whole;
  const digits = value > 0 && value < 0.1 ? 1 : 0;
  return value.toLocaleString("en", { style: "percent", maximumFractionDigits: digits });
};

/** Returns the questions in the order of the published version, followed by the questions that it lacks. */
const questionsOf = (version: number | undefined, byHand: ByHand) => {
  const aside = version === 1 ? "why" : "mail";
  const standing = ["plan", aside, "name", "code", "pay", ...(version === 3 ? ["size"] : []), "stars", "word"];
  const gone = ["size", "why"].filter((id) => {
    const { answered, left } = passing(byHand, id);
    return !standing.includes(id) && answered + left > 0;
  });
  return [...standing, ...gone];
};

const shownWindows: readonly Shown[] = [
  {},
  { days: windows.spring.days },
  { days: windows.autumn.days },
  { version: 1 },
  { version: 3 },
];

inBrowser(
  "the Insight screen shows the manually counted figures",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    for (const shown of shownWindows) {
      const byHand = byHandOf(shown);
      await page.goto(`${host.builder}/bots/${bot.botId}/insight?${addressOf(shown)}`);
      await page.getByRole("table", { name: "Questions" }).waitFor();
      await page.getByRole("slider").waitFor();
      expect(await numbersOf(page)).toEqual([
        ...[byHand.views, byHand.starts, byHand.completions].map(String),
        share(byHand.completions, byHand.starts),
      ]);
      const rows = await cellsOf(page, "Questions");
      const opening = [byHand.views, byHand.starts, byHand.views - byHand.starts];
      const others = questionsOf(shown.version, byHand).map((id) => passing(byHand, id));
      expect(rows.slice(0, 1)).toEqual([lineOf(opening)]);
      // A version that lacks a question has a row without figures.
      const own = rows.slice(1).filter(([reached]) => reached !== "–");
      expect(own.toSorted()).toEqual(
        others.map(({ reached, answered, left }) => lineOf([reached, answered, left])).toSorted(),
      );
      await versionsAreCounted(page, shown);
      const plans = Object.entries(byHand.blocks.get("plan")?.values ?? {}).map(([value, { chats }]) => [value, chats]);
      expect(await choicesOf(page, /^Answers to Group 0/)).toEqual(Object.fromEntries(plans));
      const payments = page.getByRole("table", { name: "Payments" });
      for (const { currency, count, amount } of byHand.payments) {
        const money = amount.toLocaleString("en", { style: "currency", currency });
        const cells = await payments.getByRole("row", { name: currency }).locator("td").allTextContents();
        expect(cells.join(" ")).toStartWith(`${count} ${money}`);
      }
      if (!shown.days) continue;
      await page.getByText("As a table").click();
      const days = shown.days.map((day) => {
        const { views, starts, completions } = byHandOf({ ...shown, days: [day] });
        return [views, starts, completions].map(String);
      });
      expect(await cellsOf(page, "Chats per day")).toEqual(days);
    }
    // The day of 25 hours is shown by hours, one of which occurs twice.
    await page.goto(`${host.builder}/bots/${bot.botId}/insight?from=2026-10-25&to=2026-10-25&zone=${zone}`);
    await page.getByText("As a table").click();
    const hours = page.getByRole("table", { name: "Chats per hour" });
    expect(await hours.getByRole("row").count()).toBe(26);
    expect(await hours.getByRole("row", { name: /2:00\sAM GMT\+[12]/ }).count()).toBe(2);
    expect(problems).toEqual([]);
  },
  calm,
);

inBrowser(
  "the flow shows the manually counted figures",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    for (const shown of [{}, { days: windows.autumn.days }, { version: 2 }] satisfies readonly Shown[]) {
      const byHand = byHandOf(shown);
      await page.goto(`${host.builder}/bots/${bot.botId}?insight=on&${addressOf(shown)}`);
      await page.locator(".canvas-rate").first().waitFor();
      for (const id of ["plan", "mail", "name", "code", "pay", "stars", "word"]) {
        const { reached, left } = passing(byHand, id);
        const sign = page.locator(`[id^="card-row-${id}--"] .canvas-rate`);
        expect([id, await sign.textContent()]).toEqual([id, left === 0 ? `${reached}` : `${reached} · −${left}`]);
        expect(await sign.getAttribute("title")).toContain(
          `${reached} reached, ${left} left (${share(left, reached)})`,
        );
      }
      const silent = byHand.views - byHand.starts;
      const opened = new RegExp(`${byHand.views} opened, ${silent} never answered`);
      expect(await page.getByRole("group", { name: opened }).count()).toBe(1);
      const mail = passing(byHand, "mail");
      const [free = "", pro = ""] = [...edgeOfPlan.values()];
      const counted = [free, pro, noCodeEdge, noMoneyEdge].map((id) => byHand.edges[id]?.chats ?? 0);
      const edges = [byHand.views, ...counted.filter((chats) => chats > 0), mail.reached - mail.left];
      expect((await page.locator(".insight-edge").allTextContents()).toSorted()).toEqual(edges.map(String).toSorted());
    }
    expect(problems).toEqual([]);
  },
  calm,
);

inBrowser(
  "axe and the layout check report no problem on the Insight screen",
  async ({ page, context, problems }) => {
    await host.signIn(context);
    await page.goto(`${host.builder}/bots/${bot.botId}/insight?time=yearToDate&zone=${zone}`);
    await page.getByRole("slider").waitFor();
    for (const scheme of ["light", "dark"]) {
      await page.evaluate((name) => document.documentElement.setAttribute("data-scheme", name), scheme);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect([...(await axeProblems(page)), ...(await layoutProblems(page))]).toEqual([]);
        await shoot(page, `visited-${width}-${scheme}`);
      }
    }
    expect(problems).toEqual([]);
  },
  { ...calm, locale: "de-DE" },
);

async function numbersOf(page: Page): Promise<readonly string[]> {
  const all = await page.locator(".insight-figure .insight-number").allTextContents();
  return all.slice(0, 4);
}

/** Checks that the figures of the compared versions also equal the expected counts. */
async function versionsAreCounted(page: Page, shown: Shown): Promise<void> {
  await page.locator("tr.insight-beside td", { hasText: "…" }).first().waitFor({ state: "detached" });
  const rows = page.locator("tr.insight-beside");
  const names = await rows.locator("th").allTextContents();
  const versions = [...new Set(names.map((name) => Number(/ersion (\d+)$/.exec(name)?.[1])))];
  // The canary is shown next to its base, and each version next to the previous version.
  if (shown.days === undefined) expect(versions).toEqual({ 1: [], 3: [2] }[shown.version ?? 0] ?? [3, 2]);
  for (const version of versions) {
    const byHand = byHandOf({ ...shown, version });
    const own = await rows.filter({ hasText: new RegExp(`ersion ${version}`) }).all();
    const cells = await Promise.all(own.map((row) => row.locator("td").allTextContents()));
    const opening = [byHand.views, byHand.starts, byHand.views - byHand.starts];
    expect(cells.slice(0, 1)).toEqual([[...lineOf(opening)]]);
    const others = questionsOf(version, byHand).map((id) => passing(byHand, id));
    const lines = others.map(({ reached, answered, left }) => [...lineOf([reached, answered, left])]);
    expect(
      cells
        .slice(1)
        .filter(([reached]) => reached !== "–")
        .toSorted(),
    ).toEqual(lines.toSorted());
    const completion = page.locator(".insight-figure", { hasText: "Completion" });
    const percent = byHand.starts === 0 ? "–" : share(byHand.completions, byHand.starts);
    expect(await completion.textContent()).toContain(`Version ${version}: ${percent}`);
  }
}

/** Returns the cells of a table's rows, without row names and without rows of other versions. */
async function cellsOf(page: Page, name: string): Promise<readonly (readonly string[])[]> {
  const rows = await page.getByRole("table", { name }).locator("tbody tr:not(.insight-beside)").all();
  return Promise.all(rows.map((row) => row.locator("td").allTextContents()));
}

function lineOf([reached = 0, answered = 0, left = 0]: readonly number[]): readonly string[] {
  return [String(reached), String(answered), left === 0 ? "0" : `${left} (${share(left, reached)})`];
}

async function choicesOf(page: Page, name: RegExp): Promise<Readonly<Record<string, number>>> {
  const rows = await page.getByRole("table", { name }).locator("tbody tr").all();
  const entries = await Promise.all(
    rows.map(async (row) => {
      const [value = ""] = await row.locator("th .insight-name").allTextContents();
      const [count = ""] = await row.locator("td").allTextContents();
      return [value, Number(count)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

test("an hour that occurs twice shows its offset from UTC, and other hours do not", () => {
  const from = ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"];
  const texts = pointTexts(
    from.map((at) => ({ from: at })),
    "hour",
    zone,
  );
  expect(texts.map((text) => text.replaceAll(/\s/g, " "))).toEqual([
    "Oct 25, 2:00 AM GMT+2",
    "Oct 25, 2:00 AM GMT+1",
    "Oct 25, 3:00 AM",
  ]);
  expect(new Set(pointTexts([{ from: from[0] ?? "" }, { from: from[1] ?? "" }], "day", zone)).size).toBe(1);
});
