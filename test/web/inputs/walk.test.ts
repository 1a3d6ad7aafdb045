import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { common, kindName, rare } from "../../../src/web/components/inputs/index.ts";
import { more } from "../../../src/web/components/inputs/more.ts";
import { at, isObject } from "../../../src/web/conversation/read.ts";
import { browserTests } from "../../support/browser.ts";
import { flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { type ScriptedSteps, scriptSteps } from "../../support/scripted-steps.ts";
import { type Station, stations, walkedElsewhere } from "./stations.ts";

// A visitor without a mouse answers every kind of input. The bot's message after each answer grows in pieces, like a
// model's.

const folder = temporaryFolder();
let host: ChatHost;
let scripted: ScriptedSteps;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost({ config: { DATA_DIR: folder.path } });
  scripted = scriptSteps(host.api);
});
afterAll(async () => {
  await scripted.close();
  await host.close();
  folder.remove();
});

test("each type of input has a keyboard test that uses this type", () => {
  const kinds = [...common.keys(), ...rare.keys(), ...more.keys()];
  expect([...Object.keys(stations), ...Object.keys(walkedElsewhere)].toSorted()).toEqual(kinds.toSorted());
  for (const [kind, walked] of Object.entries(stations))
    expect(walked.map(({ block }) => kindName(asked(block)))).toEqual(walked.map(() => kind));
});

/** Returns a block as the service sends it, with the suggestions as a list. */
function asked(block: Station["block"]) {
  const options = at(block, "options");
  return { ...block, options: { ...(isObject(options) && options), followUps: at(options, "followUps", "texts") } };
}

/** Waits until the focus is in the form of the input with the id, on Stop, or at the end. */
async function isFocused(page: Page, place: { input: string } | "stop" | "end", station: string): Promise<void> {
  const found = await page
    .waitForFunction(
      (wanted) => {
        const { activeElement: active } = document;
        if (wanted === "stop") return active?.matches(".stop-button");
        if (wanted === "end") return active?.matches(".chat-note[data-focus]");
        // Groups have the focus for a moment before their first field gets it.
        if (!(active instanceof HTMLElement) || active.tabIndex < 0 || active.matches(".stop-button")) return false;
        return active.closest("form")?.querySelector(`[name=block][value="${wanted.input}"]`) != null;
      },
      place,
      { timeout: 20_000 },
    )
    .then(
      () => place,
      () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300)),
    );
  expect({ station, focus: found }).toEqual({ station, focus: place });
  // The page moves the focus after it has rendered the question, even if the focus is already there.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
}

async function walk(page: Page, walked: readonly (readonly [name: string, Station])[]): Promise<string[]> {
  const blocks = walked.flatMap(([, { block }], index) => [
    says(`Question ${index + 1}?`),
    block,
    { ...says(`Noted: answer ${index + 1}.`), id: `noted${index}` },
  ]);
  const { publicId } = await host.publish(flowOf(blocks));
  await page.goto(`${scripted.origin}/${publicId}`);
  await page.locator("body.is-live form").waitFor();
  for (const [index, [name, { block, answer, keepsFocus }]] of walked.entries()) {
    const station = `${name}: ${block.id}`;
    await isFocused(page, { input: block.id }, station);
    await answer(page);
    const step = await scripted.next().catch(async (cause: unknown) => {
      throw new Error(`Nothing was sent by ${station}: ${await page.locator("form").textContent()}`, { cause });
    });
    step.send("delta", { blockId: `noted${index}`, text: "Noted:" }, `${index}.6`);
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await isFocused(page, keepsFocus ? { input: block.id } : "stop", `${station}, while the bot writes`);
    await step.finish();
  }
  await isFocused(page, "end", "the end");
  const said = await page.locator(".typebot-guest-bubble:not(.is-under-way)").allTextContents();
  // Browser versions use different narrow spaces.
  return said.map((text) => text.replaceAll(/[\u2009\u202f]/g, " "));
}

inBrowser(
  "every type of input can be answered by keyboard only",
  async ({ page, outside, problems }) => {
    const walked = Object.entries(stations).flatMap(([name, all]) => all.map((one) => [name, one] as const));
    expect(await walk(page, walked)).toEqual(walked.map(([, { shown }]) => shown));
    expect({ outside, problems }).toEqual({ outside: [], problems: [] });
  },
  { locale: "en-US" },
);
