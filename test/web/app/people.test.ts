import { describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import type { Present } from "../../../src/web/app/editor/index.ts";
import { colorOf, colorPeople, personColors } from "../../../src/web/app/editor/person-colors.ts";
import { followed, followPeople, peopleByCard } from "../../../src/web/app/presence/people.ts";
import { axeProblems } from "../../support/axe.ts";
import { flowTests, openFlow } from "../../support/flow-page.ts";
import { waitFor } from "../../support/wait.ts";

const tests = flowTests();
const { inBrowser, inLongRun } = tests;

describe("present people", () => {
  test("up to eight present people have different colours", () => {
    const ids = Array.from({ length: personColors }, () => crypto.randomUUID());
    colorPeople(ids);
    const colors = ids.map(colorOf);
    expect(new Set(colors).size).toBe(personColors);
    const ninth = crypto.randomUUID();
    colorPeople([...ids, ninth]);
    const all = [...ids, ninth].map(colorOf);
    expect(all.slice(0, -1)).toEqual(colors);
    colorPeople([ninth, ...ids.toReversed()]);
    expect([...ids, ninth].map(colorOf)).toEqual(all);
  });

  test("a person who arrives later gets the colour of the person who left first", () => {
    const ids = Array.from({ length: personColors }, () => crypto.randomUUID());
    colorPeople(ids);
    const [first = "", second = "", ...rest] = ids;
    const freed = colorOf(second);
    colorPeople([first, ...rest]);
    colorPeople(rest);
    const next = crypto.randomUUID();
    colorPeople([...rest, next]);
    expect(colorOf(next)).toBe(freed);
    colorPeople([...rest, next, first]);
    expect(new Set([...rest, next, first].map(colorOf)).size).toBe(personColors);
  });

  test("present people are shown at the card that they edit", () => {
    const at = (id: string, userId: string, place: string | null) => ({ id, userId, name: userId, at: place });
    const present = [at("1", "grace", "block"), at("2", "grace", "card"), at("3", "lin", "card"), at("4", "ida", null)];
    const people = peopleByCard(present, (place) => (place === "block" ? "card" : place));
    expect([...people].map(([id, there]) => [id, there.map(({ userId }) => userId)])).toEqual([
      ["card", ["grace", "lin"]],
    ]);
  });
});

test("the view of a follower moves only when the followed view changes", () => {
  const camera = { x: 1, y: 2, zoom: 1 };
  const grace = { id: "tab", userId: "grace", name: "Grace", at: null, camera };
  const present = signal<readonly Present[]>([grace]);
  const seen: object[] = [];
  const stop = followPeople({
    present: () => present.value,
    reveal: () => {},
    lookAt: (one) => void seen.push(one),
    element: () => undefined,
    onEnd: () => {},
  });
  followed.value = "tab";
  expect(seen).toEqual([camera]);
  present.value = [{ ...grace, pointer: { x: 8, y: 8 } }];
  present.value = [{ ...grace, camera: { ...camera }, pointer: { x: 16, y: 8 } }];
  expect(seen).toEqual([camera]);
  present.value = [{ ...grace, camera: { ...camera, x: 5 } }];
  expect(seen).toEqual([camera, { ...camera, x: 5 }]);
  stop();
  expect(followed.value).toBeUndefined();
});

type Said = { readonly camera?: object };

const text = (id: string, words: string) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text: words }] }] },
});

inBrowser(
  "a click on an avatar follows the person until Escape",
  async ({ context, problems }) => {
    const { host, ada, workspaceId } = tests;
    const grace = await host.api.makeUser({ name: "Grace" });
    await host.api.deps.sql`
      insert into members (workspace_id, user_id, role) values (${workspaceId}, ${grace.userId}, 'MEMBER')`;
    const groups = Array.from({ length: 30 }, (_, index) => ({
      id: `g${index}`,
      title: `Step ${index}`,
      graphCoordinates: { x: index * 400, y: 0 },
      blocks: [text(`t${index}`, `Hello ${index}`)],
    }));
    const events = [{ id: "start", type: "start", graphCoordinates: { x: 0, y: -200 } }];
    const botId = await host.makeBot(ada, workspaceId, { version: "6.1", events, groups, edges: [], variables: [] });
    const page = await openFlow(context, host, { user: ada, botId, shown: "canvas" });
    const other = await context.browser()?.newContext();
    if (!other) throw new Error("There is no browser");
    try {
      const theirs = await openFlow(other, host, { user: grace, botId, at: "g0" });
      const ring = page.locator(".person-ring", { hasText: "Grace" });
      await ring.waitFor();
      // Elements far outside the view are not in the document.
      const boxOf = (selector: string) =>
        page.evaluate((wanted) => {
          const { x = 0, y = 0, width = 0, height = 0 } = document.querySelector(wanted)?.getBoundingClientRect() ?? {};
          return { x, y, width, height };
        }, selector);
      const [card, around] = [await boxOf("#card-g0"), await boxOf(".person-ring")];
      expect(around.x).toBeLessThan(card.x);
      expect(around.x + around.width).toBeGreaterThan(card.x + card.width);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeProblems(page)).toEqual([]);
      }

      await page.getByRole("group", { name: "Here now: Grace" }).getByRole("button", { name: "Follow Grace" }).click();
      await page.locator(".person-followed", { hasText: "You are following Grace" }).waitFor();
      expect(await axeProblems(page)).toEqual([]);
      const isSeen = async (id: string): Promise<boolean> => {
        const [box, canvas] = [await boxOf(`#card-${id}`), await boxOf(".canvas")];
        return box.width > 0 && box.x >= canvas.x && box.x + box.width <= canvas.x + canvas.width;
      };
      expect(await isSeen("g29")).toBe(false);
      await theirs.locator('[data-key="group:g0"]').click();
      await theirs.keyboard.press("End");
      await waitFor(() => isSeen("g29"));
      await page.keyboard.press("Escape");
      await page.locator(".person-followed").waitFor({ state: "detached" });
      await theirs.keyboard.press("Home");
      await page.locator(".person-ring").waitFor({ state: "attached" });
      await waitFor(async () => (await boxOf(".person-ring")).x < 0);
      expect(await isSeen("g29")).toBe(true);
      expect(problems).toEqual([]);
    } finally {
      await other.close();
    }
  },
  { reducedMotion: "reduce", viewport: { width: 1_440, height: 900 } },
);

inLongRun(
  "another person's pointer is visible in the flow, and a click on the avatar follows the person's view",
  async ({ context, problems }) => {
    const { host, ada, workspaceId } = tests;
    const grace = await host.api.makeUser({ name: "Grace" });
    await host.api.deps.sql`
      insert into members (workspace_id, user_id, role) values (${workspaceId}, ${grace.userId}, 'MEMBER')`;
    const group = {
      id: "g0",
      title: "Step",
      graphCoordinates: { x: 400, y: 0 },
      blocks: [text("t0", "Hello")],
    };
    const events = [{ id: "start", type: "start", graphCoordinates: { x: 0, y: 0 } }];
    const flow = { version: "6.1", events, groups: [group], edges: [], variables: [] };
    const botId = await host.makeBot(ada, workspaceId, flow);
    const page = await openFlow(context, host, { user: ada, botId, shown: "canvas" });
    const other = await context.browser()?.newContext({ viewport: { width: 1_440, height: 900 } });
    if (!other) throw new Error("There is no browser");
    try {
      const theirs = await openFlow(other, host, { user: grace, botId, shown: "canvas" });
      const boxOf = (where: typeof page, selector: string) =>
        where.evaluate((wanted) => {
          const { x = 0, y = 0, width = 0 } = document.querySelector(wanted)?.getBoundingClientRect() ?? {};
          return { x, y, width };
        }, selector);
      await page.locator(".flow-here").waitFor();
      await theirs.locator(".flow-here").waitFor();
      const canvas = await boxOf(theirs, ".canvas");
      const point = { x: canvas.x + canvas.width / 2, y: canvas.y + 300 };
      await theirs.mouse.move(point.x, point.y);
      await page.locator(".person-pointer", { hasText: "Grace" }).waitFor();
      // With forced colours, a name has a border.
      const rim = () =>
        page.locator(".person-pointer > .person-name").evaluate((name) => getComputedStyle(name).borderTopWidth);
      expect(await rim()).toBe("0px");
      await page.emulateMedia({ forcedColors: "active" });
      expect(await rim()).toBe("1px");
      await page.emulateMedia({ forcedColors: "none" });

      const said: Said[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith("/presence")) said.push(request.postDataJSON());
      });
      const sayAnything = async (): Promise<Said> => {
        const before = said.length;
        await page.mouse.move(point.x + 8 * (said.length + 2), point.y + 40);
        await waitFor(() => said.length > before);
        return said.at(-1) ?? {};
      };
      expect(await sayAnything()).toHaveProperty("camera");
      await page.getByRole("button", { name: "Follow Grace" }).click();
      await page.locator(".person-followed", { hasText: "You are following Grace" }).waitFor();
      const isSeenAlike = async (): Promise<boolean> => {
        const [mine, hers] = [await boxOf(page, "#card-g0"), await boxOf(theirs, "#card-g0")];
        return Math.hypot(mine.x - hers.x, mine.y - hers.y, mine.width - hers.width) < 3;
      };
      await theirs.mouse.wheel(120, 160);
      await theirs.keyboard.down("Control");
      await theirs.mouse.wheel(0, 200);
      await theirs.keyboard.up("Control");
      await waitFor(isSeenAlike);
      // The pointer is snapped to the grid, at the point's position in the flow.
      await theirs.mouse.move(point.x + 80, point.y + 40);
      await waitFor(async () => {
        const seen = await boxOf(page, ".person-pointer");
        return Math.hypot(seen.x - point.x - 80, seen.y - point.y - 40) < 12;
      });
      expect(await axeProblems(page)).toEqual([]);
      // If two people followed each other, their views would move in a loop.
      expect(await sayAnything()).not.toHaveProperty("camera");
      await page.locator(".canvas").focus();
      await page.keyboard.press("+");
      await page.locator(".person-followed").waitFor({ state: "detached" });
      await waitFor(async () => (await sayAnything()).camera !== undefined);
      await page.getByRole("button", { name: "Follow Grace" }).click();
      await waitFor(isSeenAlike);
      await page.mouse.move(point.x, point.y);
      await page.mouse.wheel(0, 40);
      await page.locator(".person-followed").waitFor({ state: "detached" });
      expect(await isSeenAlike()).toBe(false);
      await theirs.mouse.move(2, 2);
      await page.locator(".person-pointer").waitFor({ state: "detached" });
      expect(problems).toEqual([]);
    } finally {
      await other.close();
    }
  },
  { reducedMotion: "reduce", viewport: { width: 1_440, height: 900 } },
);
