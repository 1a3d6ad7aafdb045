import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { providerUrls } from "../../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../../fake-providers/stripe.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { countByHand, lengthByHand } from "./by-hand.ts";
import { haveVisited, type Visited } from "./visited-bot.ts";
import { windows, zone } from "./visited-flow.ts";
import type { Visit } from "./visitors.ts";

let api: TestApi;
let threads: Threads;
let stripe: FakeStripe;
let owner: TestUser;
let workspaceId: string;
let bot: Visited;

const chats = sizeOf({ short: 42, long: 300, variable: "PARLEY_COUNTED_CHATS" });

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  stripe = await startFakeStripe();
  const config = { PROVIDER_URLS: providerUrls([stripe]), ENCRYPTION_KEY: "k".repeat(32), RATE_LIMITS: "off" };
  api = await createTestApi({ threads, config });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  bot = await haveVisited({ api, owner, workspaceId, stripe }, chats);
}, 600_000);
afterAll(async () => {
  await threads.close();
  await api.close();
  await stripe.close();
});

type Query = Readonly<Record<string, string | number>>;

const times: readonly (readonly [name: string, query: Query, days: readonly string[] | undefined])[] = [
  ["all time", { timeFilter: "allTime", timeZone: zone }, undefined],
  ...Object.entries(windows).map(
    ([name, { days, ...window }]) => [`the ${name}`, { ...window, timeZone: zone }, days] as const,
  ),
];
const versions = [undefined, 1, 2, 3];

function get(path: string, query: Query) {
  return api.client.get(path, { token: owner.token, query });
}

/** Returns the visits that are neither erased nor deleted, and that began on the days with the version. */
function visitsOf(days: readonly string[] | undefined, version: number | undefined): readonly Visit[] {
  return bot.visits.filter(
    (visit) =>
      !visit.isGone &&
      (days === undefined || days.includes(visit.moment.day)) &&
      (version === undefined || visit.version === version),
  );
}

const totalsOf = ({ views, starts, completions }: ReturnType<typeof countByHand>) => ({ views, starts, completions });

describe("the figures of chats over two clock changes", () => {
  test("the counted chats include loops, time-outs and late payments", () => {
    const { visits } = bot;
    const having = (has: (visit: Visit) => boolean) => visits.filter(has).length;
    expect(new Set(visits.map(({ version }) => version))).toEqual(new Set([1, 2, 3, undefined]));
    expect(visits).toHaveLength(chats + 4);
    expect(having(({ isGone }) => isGone)).toBeGreaterThan(3);
    expect(having(({ answers }) => answers.filter(({ blockId }) => blockId === "plan").length > 1)).toBeGreaterThan(2);
    expect(having(({ timedOut }) => timedOut.length > 0)).toBeGreaterThan(3);
    expect(having(({ timedOut, payments }) => timedOut.length > 0 && payments > 0)).toBeGreaterThan(0);
    expect(having(({ hasAnswered }) => !hasAnswered)).toBeGreaterThan(2);
  });

  test("the counted payments have two currencies and three versions", async () => {
    const { visits } = bot;
    const having = (has: (visit: Visit) => boolean) =>
      visits.filter((visit) => visit.payments > 0 && has(visit)).length;
    expect(countByHand(visitsOf(undefined, undefined)).payments.map(({ currency }) => currency)).toEqual([
      "EUR",
      "JPY",
    ]);
    for (const version of [1, 2, 3]) expect(having((visit) => visit.version === version)).toBeGreaterThan(0);
    expect(having(({ paysNextDay, isGone }) => paysNextDay && !isGone)).toBeGreaterThan(0);
    expect(having(({ isGone, name }) => isGone && name === "Bob")).toBeGreaterThan(0);
    expect(having(({ isGone, name }) => isGone && name !== "Bob")).toBeGreaterThan(0);
    // The payments come from the counts, and are no longer read one by one.
    expect(await api.deps.sql`select from counted_kinds where kind = 'paid'`).toHaveLength(1);
  });

  describe.each(times)("the figures for %s", (_, query, days) => {
    test.each(versions)("the figures equal a manual count if the filter for the version is %p", async (version) => {
      const visits = visitsOf(days, version);
      const byHand = countByHand(visits);
      const asked = { ...query, ...(version !== undefined && { version }) };
      const figures = Object((await get(`/api/v1/bots/${bot.botId}/insight`, asked)).at("insight"));
      expect(figures).toMatchObject({ ...totalsOf(byHand), payments: byHand.payments });
      expect(figures.asOf).not.toBeNull();
      expect(figures.pageViews).toBe(
        bot.pages.filter(
          (page) =>
            (days === undefined || days.includes(page.moment.day)) &&
            (version === undefined || page.version === version),
        ).length,
      );
      const nothing = { reached: 0, answered: 0, answers: 0, left: 0, silent: 0, values: {} };
      for (const { blockId, values, ...block } of figures.blocks) {
        const { reached, answered, answers, left, silent } = block;
        const counted = { reached, answered, answers, left, silent, values: valuesOf(values) };
        expect({ blockId, ...counted }).toEqual({ blockId, ...(byHand.blocks.get(blockId) ?? nothing) });
      }
      const listed = figures.blocks.map(({ blockId }: { blockId: string }) => blockId);
      expect([...byHand.blocks.keys()].filter((id) => !listed.includes(id))).toEqual([]);
      expect(
        Object.fromEntries(
          figures.edges.map(({ edgeId, chats, times }: Record<string, unknown>) => [edgeId, { chats, times }]),
        ),
      ).toEqual({ ...byHand.edges });
      expectLength(figures.medianSeconds, lengthByHand(visits, 0.5));
      expectLength(figures.p90Seconds, lengthByHand(visits, 0.9));

      const series = Object(
        (await get(`/api/v1/bots/${bot.botId}/insight/series`, { ...asked, step: "day" })).at("series"),
      );
      expect(series.asOf).not.toBeNull();
      expectDays(series.points, days, version);
      for (const blockId of ["plan", "why", "mail", "name", "stars", "word"]) {
        const left = { ...asked, leftAt: blockId, limit: 100 };
        const found = await get(`/api/v1/bots/${bot.botId}/results`, left);
        const ids = found.list("results").map((result) => String(Object(result).id));
        expect([blockId, ids.toSorted()]).toEqual([
          blockId,
          visits
            .flatMap(({ waitsAt, isEnded, resultId }) => (!isEnded && waitsAt === blockId ? [resultId] : []))
            .toSorted(),
        ]);
      }
    });

    test("the figures of the workspace equal a manual count", async () => {
      const path = `/api/v1/workspaces/${workspaceId}/insight`;
      const figures = Object((await get(path, { ...query, step: "day" })).at("insight"));
      const totals = totalsOf(countByHand(visitsOf(days, undefined)));
      expect(figures).toMatchObject({ ...totals, failedChats: 0, bots: [{ botId: bot.botId, ...totals }] });
      expect(figures.asOf).not.toBeNull();
      expectDays(figures.points, days, undefined);
      expect(figures.bots[0].trend).toEqual(figures.points.map(({ views }: { views: number }) => views));
    });
  });

  test("the previous period has the same number of days in the time zone", async () => {
    const before = { from: "2026-03-31T00:00:00+02:00", to: "2026-04-03T00:00:00+02:00", timeZone: zone };
    const path = `/api/v1/bots/${bot.botId}/insight`;
    const figures = Object((await get(path, { ...before, withBefore: "true" })).at("insight"));
    const byHand = countByHand(visitsOf(windows.spring.days, undefined));
    expect(figures.before).toMatchObject({
      ...{ from: "2026-03-27T23:00:00.000Z", to: "2026-03-30T22:00:00.000Z" },
      ...totalsOf(byHand),
      payments: byHand.payments,
    });
  });

  test("hourly figures equal a manual count on days with a missing or repeated hour", async () => {
    const hours = async (day: string, next: string) => {
      const query = { from: day, to: next, timeZone: zone, step: "hour" };
      return Object((await get(`/api/v1/bots/${bot.botId}/insight/series`, query)).at("series")).points;
    };
    const spring = await hours("2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00");
    const autumn = await hours("2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00");
    expect([spring.length, autumn.length]).toEqual([23, 25]);
    const beginning = (from: string, to: string) =>
      bot.visits.filter(({ isGone, moment }) => !isGone && moment.at >= from && moment.at < to).length;
    for (const { from, to, views } of [...spring, ...autumn]) {
      expect([from, views]).toEqual([from, beginning(`${from.slice(0, 19)}Z`, `${to.slice(0, 19)}Z`)]);
    }
  });
});

function valuesOf(values: readonly { value: string; chats: number; answers: number }[]) {
  return Object.fromEntries(values.map(({ value, chats, answers }) => [value, { chats, answers }]));
}

/** Expects a duration within the bounds, with a tolerance of two per cent. */
function expectLength(found: number | null, byHand: ReturnType<typeof lengthByHand>): void {
  if (byHand === undefined) expect(found).toBeNull();
  else {
    expect(found).toBeGreaterThanOrEqual(byHand.least * 0.98);
    expect(found).toBeLessThanOrEqual(byHand.most * 1.02);
  }
}

type Point = { readonly from: string; readonly views: number; readonly starts: number; readonly completions: number };

/** Expects that each day of the window contains its visits, and that all other points contain none. */
function expectDays(points: readonly Point[], days: readonly string[] | undefined, version: number | undefined): void {
  const dayOf = ({ from }: Point) => new Date(from).toLocaleDateString("sv", { timeZone: zone });
  if (days) expect(points.map(dayOf)).toEqual([...days]);
  const all = new Set(visitsOf(days, version).map(({ moment }) => moment.day));
  for (const point of points) {
    const day = dayOf(point);
    const { views, starts, completions } = point;
    expect({ day, views, starts, completions }).toEqual({ day, ...totalsOf(countByHand(visitsOf([day], version))) });
    all.delete(day);
  }
  expect([...all]).toEqual([]);
}

test("a question that a later version removed keeps its figures", async () => {
  const figures = Object(
    (await get(`/api/v1/bots/${bot.botId}/insight`, { timeFilter: "allTime", timeZone: zone })).at("insight"),
  );
  const why = figures.blocks.find(({ blockId }: { blockId: string }) => blockId === "why");
  const byHand = countByHand(visitsOf(undefined, undefined)).blocks.get("why");
  expect(why).toMatchObject({ groupId: null, type: null, reached: byHand?.reached, left: byHand?.left });
  // The welcome of each version is a separate block.
  const welcomes = [1, 2, 3].map(
    (version) =>
      figures.blocks.find(({ blockId }: { blockId: string }) => blockId === idOf(`says Welcome ${version}`)).reached,
  );
  expect(welcomes.reduce((sum, reached) => sum + reached, 0)).toBe(
    visitsOf(undefined, undefined).filter(({ name }) => name !== "").length,
  );
});
