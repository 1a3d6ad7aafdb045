import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { followWalk, restMs } from "../../../src/web/app/canvas/following.ts";
import { createCamera } from "../../../src/web/app/canvas/scene/camera.ts";
import { setFollowing } from "../../../src/web/app/session/following.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf } from "../../support/chat.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterEach(() => setFollowing(true));
afterAll(() => host.close());

describe("a camera that follows a preview", () => {
  function follow({ movedMsAgo, waitsAt }: { movedMsAgo: number; waitsAt: string | undefined }) {
    const seen: unknown[] = [];
    const card = { id: "g", kind: "group", title: "", box: { x: 10, y: 20, width: 240, height: 90 } } as const;
    const row = { kind: "block", blockId: "b", y: 30, height: 20, lines: 1, text: "" } as const;
    const whole = { ...card, rows: [row], ports: [] };
    followWalk({
      source: { editor: { walked: signal({ waitsAt }) } },
      scene: { peek: () => ({ rowOf: (id) => (id === "b" ? { card: whole, row } : undefined) }) },
      camera: { restedMs: () => movedMsAgo, reveal: (target, part) => seen.push([target, part]) },
    });
    return seen;
  }

  test("a camera that follows a preview shows the waiting row and its card", () => {
    expect(follow({ movedMsAgo: restMs, waitsAt: "b" })).toEqual([["g", { x: 10, y: 50, width: 240, height: 20 }]]);
  });

  test("a following camera does not move right after the author's move", () => {
    expect(follow({ movedMsAgo: restMs - 1, waitsAt: "b" })).toEqual([]);
    expect(follow({ movedMsAgo: restMs, waitsAt: undefined })).toEqual([]);
    expect(follow({ movedMsAgo: restMs, waitsAt: "gone" })).toEqual([]);
  });

  test("a camera that follows a preview does not move once following is off", () => {
    setFollowing(false);
    expect(follow({ movedMsAgo: restMs, waitsAt: "b" })).toEqual([]);
  });

  test("a camera counts as moved only after a move by the author", () => {
    let now = 1_000;
    const frames = { now: () => now, next: () => () => {}, isMotionReduced: () => true };
    const camera = createCamera(
      () => undefined,
      () => [],
      frames,
    );
    camera.reveal({ x: 900, y: 900, width: 10, height: 10 });
    expect(camera.restedMs()).toBe(Number.POSITIVE_INFINITY);
    for (const move of [
      () => camera.panBy({ x: 1, y: 1 }),
      () => camera.zoomTo(2),
      () => camera.lookAt({ x: 0, y: 0, zoom: 1 }),
    ]) {
      now += 5_000;
      move();
      now += 10;
      expect(camera.restedMs()).toBe(10);
    }
  });
});

inBrowser("the canvas shows where the chat of a preview waits", async ({ page, context }) => {
  await host.signIn(context);
  await page.setViewportSize({ width: 1_440, height: 900 });
  const flow = flowOf([
    asks("text input", { variableId: idOf("Name") }),
    {
      id: "is-ada",
      type: "Condition",
      outgoingEdgeId: "otherwise",
      items: [
        {
          id: "ada",
          outgoingEdgeId: "to-far",
          content: {
            logicalOperator: "AND",
            comparisons: [{ id: "c", variableId: idOf("Name"), comparisonOperator: "Equal to", value: "Ada" }],
          },
        },
      ],
    },
  ]);
  const { botId } = await host.publish({
    ...flow,
    groups: [
      ...flow.groups,
      {
        id: "far",
        title: "Far away",
        graphCoordinates: { x: 9_000, y: 6_000 },
        blocks: [{ id: "mail", type: "email input", options: { variableId: idOf("Email") } }],
      },
    ],
    edges: [
      ...flow.edges,
      { id: "to-far", from: { blockId: "is-ada", itemId: "ada" }, to: { groupId: "far" } },
      { id: "otherwise", from: { blockId: "is-ada" }, to: { groupId: "far" } },
    ],
  });
  await page.goto(`${host.builder}/bots/${botId}`);
  await page.getByRole("button", { name: "Preview" }).click();
  const frame = page.frameLocator("iframe");
  await frame.getByRole("textbox").fill("Ada");
  const name = await page.getByRole("textbox", { name: "Bot name" }).inputValue();
  expect(await frame.locator("html").evaluate(() => document.title)).toBe(name);
  await frame.getByRole("textbox").press("Enter");
  const waiting = page.locator(".canvas-row.is-waiting");
  await waiting.filter({ hasText: "Email" }).waitFor();
  await page.waitForFunction(() => {
    const box = document.querySelector(".canvas-row.is-waiting")?.getBoundingClientRect();
    return box !== undefined && box.x > 0 && box.right < innerWidth && box.y > 0 && box.bottom < innerHeight;
  });
  expect(
    await page.locator(".preview-line.is-block", { hasText: "Condition" }).locator(".app-badge").textContent(),
  ).toBe("→ Name = Ada");

  // The other branch leads to the same group, and was not followed.
  expect(await page.locator(".canvas-edge:not(.is-walked)").count()).toBe(1);

  const follow = page.getByRole("button", { name: "Follow on the canvas" });
  expect(await follow.getAttribute("aria-pressed")).toBe("true");
  await follow.press("Enter");
  expect(await follow.getAttribute("aria-pressed")).toBe("false");
  await page.getByRole("button", { name: "Restart" }).click();
  await frame.getByRole("textbox").fill("Bob");
  expect(await waiting.count()).toBe(0);
  await page.reload();
  await page.getByRole("button", { name: "Preview" }).click();
  await follow.waitFor();
  expect(await follow.getAttribute("aria-pressed")).toBe("false");
});
