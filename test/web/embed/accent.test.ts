import { expect, test } from "bun:test";
import { paintFrame } from "../../../src/web/embed/accent.ts";

type Painted = Parameters<typeof paintFrame>[0];

/** Creates the parts of an element on which its button's colours depend. */
function elementOf(bot: string): { bot: string } & Painted {
  return Object.assign(Object.create({ hasAttribute: () => false }), { bot, host: "" });
}

test("a button ignores colours of an earlier bot that arrive late", async () => {
  const answers = new Map<string, (loaded: unknown) => void>();
  const painted: unknown[] = [];
  const frame = { place: Object.create(null), refresh() {}, setAccent: (accent: unknown) => void painted.push(accent) };
  const element = elementOf("first");
  const connected = new AbortController();
  const paint = () =>
    paintFrame(element, frame, (_, path) => new Promise((resolve) => answers.set(path, resolve)), connected.signal);

  paint();
  element.bot = "second";
  paint();
  const answered = (bot: string, color: string) =>
    answers.get(`/${bot}/launcher.js`)?.({ default: { color, ink: "#fff" } });
  answered("second", "#00f");
  await Promise.resolve();
  answered("first", "#f00");
  await Promise.resolve();
  await Promise.resolve();
  connected.abort();

  expect(painted).toEqual([{ color: "#00f", ink: "#fff" }]);
});
