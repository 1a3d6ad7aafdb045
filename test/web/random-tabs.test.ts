import { afterAll, beforeAll, expect, test } from "bun:test";
import { type DueSteps, startDueSteps } from "../../src/chat/due/due-steps.ts";
import { createChat, type LiveChat } from "../../src/web/browser/chat.ts";
import type { Remembered } from "../../src/web/browser/memory.ts";
import { createTransport } from "../../src/web/browser/transport.ts";
import { listAt } from "../../src/web/conversation/read.ts";
import { plainText } from "../../src/web/conversation/rich-text.ts";
import { pageSettings } from "../../src/web/conversation/settings.ts";
import { readStart } from "../../src/web/conversation/step.ts";
import { wordsOf } from "../../src/web/conversation/words.ts";
import { idOf } from "../support/builder-ids.ts";
import { sizeOf } from "../support/campaigns.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost, type PublishedBot } from "../support/chat-host.ts";
import { moveClock } from "../support/moved-clock.ts";
import { waitFor } from "../support/wait.ts";
import { type SeenPage, visitor } from "../support/web-page.ts";

let host: ChatHost;
let due: DueSteps;
let clockSeconds = 0;
const ownDocument = Object.getOwnPropertyDescriptor(globalThis, "document");

beforeAll(async () => {
  host = await openChatHost();
  due = startDueSteps(host.api.deps);
  // The page's script checks whether the page is visible.
  const value = { hidden: false, addEventListener() {}, removeEventListener() {} };
  Object.defineProperty(globalThis, "document", { value, configurable: true });
});
afterAll(async () => {
  if (ownDocument) Object.defineProperty(globalThis, "document", ownDocument);
  else Reflect.deleteProperty(globalThis, "document");
  await due.stop();
  await host.close();
});

const settings = { general: { isGoBackEnabled: true }, typingEmulation: { enabled: false } };

/**
 * Returns a flow with a first question, and then two questions in a loop. Both have a timeout and a different word at
 * each visit.
 */
function flowInVersion(version: number) {
  const visit = { id: idOf("visit"), type: "Set variable", options: { variableId: idOf("Name"), type: "Random ID" } };
  const timed = (edge: string) => ({ timeout: { after: 60, outgoingEdgeId: idOf(edge) } });
  return {
    ...flowOf(
      [says("Begin?", "begin-text"), asks("text input", {}, { id: "begin", outgoingEdgeId: idOf("e1") })],
      [
        visit,
        says(`Colour {{Name}} in ${version}?`, "colour-text"),
        asks("text input", timed("e1"), { id: "colour", outgoingEdgeId: idOf("e2") }),
      ],
      [
        { ...visit, id: idOf("visit-2") },
        says(`Mail {{Name}} in ${version}?`, "mail-text"),
        asks("email input", timed("e2"), { id: "mail", outgoingEdgeId: idOf("e1") }),
      ],
    ),
    settings,
  };
}

/** The seed of each conversation determines its acts. */
const conversations = Array.from({ length: sizeOf({ short: 10, long: 100 }) }, (_, index) => index + 1);
const actsOfEach = 14;

test.each(conversations)(
  "every stored answer belongs to the question that its visitor saw: conversation %d in two tabs, one of them without scripts",
  async (seed) => {
    const chat = await begin(randomOf(seed));
    for (let act = 0; act < actsOfEach; act++) await chat.next();
    expect(chat.countAnswers()).toBeGreaterThan(1);
  },
);

type Sent = { readonly word: string; readonly shown: string };

async function begin(random: (below: number) => number) {
  const bot = await host.publish(flowInVersion(1));
  const browser = visitor(host.api);
  const pages = [await browser.post(await browser.visit(`/${bot.publicId}`), { text: "yes" })];
  const sessionId = pages[0]?.form?.hidden["session"] ?? "";
  let tab = await openTab(bot, sessionId);
  let version = 1;
  const sent: Sent[] = [];
  const trail: string[] = [];
  const known = new Set([2]);

  /**
   * Returns the reply to the question of a tab. For a third of the e-mail questions, the service rejects the address.
   */
  const words = (block: string | undefined, shown: string): string => {
    const address = random(3) > 0 ? "@example.com" : "@nowhere";
    const word = `w${sent.length}${block === "mail" ? address : ""}`;
    sent.push({ word, shown });
    return word;
  };
  const formAnswer = async () => {
    const page = pages[Math.max(0, pages.length - 1 - random(3))];
    if (!page) return;
    const word = words(page.form?.hidden["block"], questionOf(page));
    const now = await browser.post(page, { text: word });
    expect(now.status).toBe(200);
    pages.push(now);
  };
  const scriptAnswer = async () => {
    const { input } = tab.state();
    if (!input) return;
    const form = new FormData();
    const word = words(input.id, questionIn(tab));
    form.set("block", input.id);
    form.set("text", word);
    tab.send(form);
    await settled(tab);
    const isStored = (await answersOf(sessionId)).some(({ content }) => content === word);
    expect(isStored ? word : tab.state().draft, `${trail.join(", ")}: the words are stored, or in the field`).toBe(
      word,
    );
  };
  const formBack = async () => {
    const page = pages[Math.max(0, pages.length - 1 - random(2))];
    if (page?.forms.some(({ buttons }) => buttons.some(({ label }) => label === "Change last answer")))
      pages.push(await browser.post(page, {}, "Change last answer"));
  };
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    formAnswer,
    scriptAnswer,
    bothAnswer: () => Promise.all([formAnswer(), scriptAnswer()]),
    formBack,
    async scriptBack() {
      await tab.control("goBack", "");
      await settled(tab);
    },
    async time() {
      clockSeconds += 61;
      await moveClock(host.api.deps.sql, clockSeconds);
      await waitFor(async () => {
        due.wake();
        return (await host.api.deps.sql`select from due_steps where held_until <= clock()`).length === 0;
      });
    },
    async publication() {
      version++;
      const { token } = host.owner;
      const { groups } = flowInVersion(version);
      await host.api.client.patch(`/api/v1/bots/${bot.botId}`, { token, body: { bot: { groups } } });
      const body = { force: true, runningChats: "move" };
      const published = await host.api.client.post(`/api/v1/bots/${bot.botId}/publish`, { token, body });
      expect(published.status).toBe(200);
    },
    async reload() {
      tab = await openTab(bot, sessionId);
    },
  };
  const often = ["formAnswer", "scriptAnswer", "formAnswer", "scriptAnswer", "time", "formBack", "scriptBack"];
  const drawn = [...often, "bothAnswer", "publication", "reload"];
  /** Compares each new answer since the previous act with the question above it. */
  const hold = async () => {
    const history = await host.api.client.get(`/api/v1/sessions/${sessionId}`);
    const steps = history.list("session.steps");
    for (const { revision, content } of await answersOf(sessionId)) {
      if (known.has(revision)) continue;
      known.add(revision);
      const index = steps.findIndex((step) => numberOf(step) === revision);
      const asked = steps.slice(0, index).flatMap(textsOf).findLast(isQuestion);
      const shown = sent.find(({ word }) => word === content)?.shown;
      expect({ content, asked }, `after ${trail.join(", ")}`).toEqual({ content, asked: shown });
    }
  };
  return {
    countAnswers: () => known.size,
    async next() {
      const name = drawn[random(drawn.length)] ?? "";
      trail.push(name);
      await acts[name]?.();
      await hold();
    },
  };
}

/**
 * Runs the script of a page in a tab that only checks its requests. The tab renders nothing, and receives no step by
 * itself.
 */
async function openTab({ publicId }: PublishedBot, sessionId: string): Promise<LiveChat> {
  let remembered: Remembered | undefined = { sessionId, resultId: null };
  const transport = {
    ...createTransport({ base: host.origin, publicId }, () => {}),
    once: () => new Promise<Response>(() => {}),
  };
  const own = pageSettings(settings);
  const memory = {
    key: undefined,
    read: () => remembered,
    write: (now: Remembered) => {
      remembered = now;
    },
    forget: () => {
      remembered = undefined;
    },
    keepsDrafts: () => false,
  };
  const options = { ...{ transport, memory, settings: own, words: wordsOf(own), isMotionReduced: true } };
  const tools = { nonce: "", isAuthorCodeDisabled: false };
  const nothing = { ...readStart({}), steps: [] };
  const tab = createChat({ ...options, tools, startBody: {}, addressed: [] }, nothing, []);
  await tab.begin({ forgetEnded: false });
  await settled(tab);
  return tab;
}

async function settled(tab: LiveChat): Promise<void> {
  await waitFor(() => tab.state().input !== undefined && !tab.state().isTyping);
}

function questionIn(tab: LiveChat): string {
  const texts = tab.state().entries.map((entry) => (entry.kind === "bubble" ? textOf(entry.bubble.content) : ""));
  return texts.findLast(isQuestion) ?? "";
}

function questionOf({ said }: SeenPage): string {
  return said.map((line) => line.replace(/^bot: /, "")).findLast(isQuestion) ?? "";
}

/** Whether a text is a question of the flow. The sentence of a rejection is also a question, but does not count. */
function isQuestion(text: string): boolean {
  return /^(Begin|Colour .*|Mail .*)\?$/.test(text);
}

function textOf(content: unknown): string {
  return plainText(listAt(content, "richText")).trim();
}

function textsOf(step: unknown): string[] {
  return listAt(step, "messages").map((message) => textOf(Object(message).content));
}

function numberOf(step: unknown): unknown {
  return Object(step).revision;
}

async function answersOf(sessionId: string) {
  return host.api.deps.sql<{ revision: number; content: string }[]>`
    select revision, content from answers where session_id = ${sessionId} and replaced_at is null order by revision`;
}

/** Returns a function that returns random integers below a bound, determined by the seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
