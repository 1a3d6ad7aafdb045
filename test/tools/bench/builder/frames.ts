import type { Page } from "playwright-core";
import { sizes } from "../../../../src/web/app/canvas/scene/geometry.ts";
import { type CanvasStage, fifty } from "./canvas-stage.ts";
import { costOf } from "./cost.ts";
import { placeOf as placeOfGroup } from "./flows.ts";
import type { Follower, Stage, View } from "./stage.ts";

/** A flow on several pages: the builder's canvas, which is the leader, and the other stages. */
export type Playing = {
  readonly leader: { readonly stage: CanvasStage; readonly page: Page };
  readonly followers: readonly { readonly stage: Follower; readonly page: Page }[];
};

/** The measured values of each page, starting with the leader. */
export type Measured = { readonly name: string; readonly values: readonly (readonly number[])[] };

/** The number of consecutive frames of a page before the next page has its turn. */
const framesATurn = 8;
/** The exponent of e in the factor of a zoom step. */
const zoomStep = 0.04;

type Frame = (place: Place, frame: number) => Promise<void>;
type Place = { readonly stage: Stage; readonly page: Page; readonly corner: Point };
type Point = { readonly x: number; readonly y: number };
type Act = {
  readonly name: string;
  readonly keys: readonly string[];
  readonly isOfFifty?: boolean;
  /** The index of the group that is dragged. */
  readonly drags?: number;
  readonly frame: Frame;
};

const zoom: Frame = ({ stage, page }, frame) =>
  turn(page, stage, { deltaY: stage.pinchPixels(frame % 40 < 20 ? -zoomStep : zoomStep), ctrlKey: true });
const step: Frame = ({ page, corner }, frame) =>
  page.mouse.move(corner.x + 10 + (frame % 20) * 6, corner.y + 10 + (frame % 15) * 4);

/**
 * The keys that show the first group, in the centre and at full size. The keys first show all groups, so that the path
 * is always the same.
 */
export const toFirst = ["1", "Home", "ArrowDown", "2"];

const acts: readonly Act[] = [
  { name: "in which nothing happens", keys: toFirst, frame: ({ page, stage }) => turn(page, stage, undefined) },
  { name: "of panning, near", keys: [], frame: ({ page, stage }) => turn(page, stage, { deltaX: 20, deltaY: 12 }) },
  { name: "of zooming, near", keys: toFirst, frame: zoom },
  { name: "of dragging one group, near", keys: toFirst, drags: 0, frame: step },
  { name: "of dragging fifty groups, near", keys: ["2", "+"], isOfFifty: true, drags: 52, frame: step },
  { name: "of panning, far", keys: ["1"], frame: ({ page, stage }) => turn(page, stage, { deltaX: 10, deltaY: 6 }) },
  { name: "of zooming, far", keys: ["1"], frame: zoom },
  { name: "of dragging fifty groups, far", keys: ["2", "-", "-"], isOfFifty: true, drags: 52, frame: step },
];

/**
 * Measures the costs of frames on each page alternately, so that other work of the machine affects all pages equally.
 */
export async function measureFrames(playing: Playing, rounds: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const act of acts) measured.push(await measureAct(playing, act, rounds));
  return measured;
}

async function measureAct(playing: Playing, act: Act, rounds: number): Promise<Measured> {
  const { leader, followers } = playing;
  if (act.isOfFifty) await leader.stage.chooseFifty(leader.page);
  await leader.stage.press(leader.page, act.keys);
  const view = await follow(playing, act.isOfFifty ? fifty : []);
  const corner = act.drags === undefined ? { x: 0, y: 0 } : titleOf(act.drags, view);
  const places = await Promise.all([leader, ...followers].map((each) => placeOf(each, corner)));
  const isDrag = act.drags !== undefined;
  if (isDrag) for (const place of places) await press(place);
  const values = await inTurns(places, act.frame, rounds);
  if (isDrag) for (const place of places) await letGo(place);
  return { name: `a frame ${act.name}`, values };
}

async function inTurns(places: readonly Place[], frame: Frame, rounds: number): Promise<number[][]> {
  const values: number[][] = places.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, place] of places.entries()) {
      for (let count = 0; count < framesATurn; count++) {
        const { cpu } = await costOf(place.page, () => frame(place, round * framesATurn + count));
        values[index]?.push(cpu);
      }
    }
  }
  return values;
}

/** Measures selecting and deselecting everything, once per round. */
export async function measureChoosing(playing: Playing, rounds: number): Promise<Measured> {
  const { leader, followers } = playing;
  await leader.stage.press(leader.page, [...toFirst, "Escape"]);
  await follow(playing, []);
  const pages = [leader, ...followers];
  const values: number[][] = pages.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { stage, page }] of pages.entries()) {
      await page.locator(stage.ground).focus();
      values[index]?.push((await costOf(page, () => stage.chooseAll(page))).cpu);
      await stage.chooseNone(page);
    }
  }
  return { name: "choose all", values };
}

/** Counts the elements on each page after these keys on the leader. */
export async function countElements(playing: Playing, name: string, keys: readonly string[]): Promise<Measured> {
  const { leader, followers } = playing;
  await leader.stage.press(leader.page, keys);
  await follow(playing, []);
  const counts = [leader, ...followers].map(({ page }) => page.evaluate(() => [document.querySelectorAll("*").length]));
  return { name, values: await Promise.all(counts) };
}

async function follow({ leader, followers }: Playing, chosen: readonly string[]): Promise<View> {
  const view = await leader.stage.view(leader.page, chosen);
  for (const { stage, page } of followers) await stage.show(page, view);
  return view;
}

/** Performs a turn of the wheel in the centre, as a trackpad does. */
function turn(
  page: Page,
  { ground }: Stage,
  wheel: { deltaX?: number; deltaY?: number; ctrlKey?: boolean } | undefined,
): Promise<void> {
  return page.evaluate(
    ([selector, init]) => {
      const element = document.querySelector(selector);
      if (!init || !element) return;
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = { clientX: left + width / 2, clientY: top + height / 2 };
      element.dispatchEvent(new WheelEvent("wheel", { ...init, ...at, cancelable: true, bubbles: true }));
    },
    [ground, wheel] as const,
  );
}

/** Returns the point at which a group is dragged: the centre of its title, relative to the corner of the canvas. */
function titleOf(group: number, { camera: { x, y, zoom } }: View): Point {
  const at = placeOfGroup(group);
  return { x: (at.x + sizes.card / 2 - x) * zoom, y: (at.y + sizes.title / 2 - y) * zoom };
}

async function placeOf({ stage, page }: { stage: Stage; page: Page }, corner: Point): Promise<Place> {
  const { x = 0, y = 0 } = (await page.locator(stage.ground).boundingBox()) ?? {};
  return { stage, page, corner: { x: x + corner.x, y: y + corner.y } };
}

async function press({ page, corner: { x, y } }: Place): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 5, y + 5);
}

/** Ends a drag. Escape cancels it on the builder's canvas. The other stages are reset before the next action. */
async function letGo({ page }: Place): Promise<void> {
  await page.keyboard.press("Escape");
  await page.mouse.up();
}
