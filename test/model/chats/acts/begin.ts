import type { Answer } from "../../../support/client.ts";
import { visitor } from "../../../support/web-page.ts";
import { flows } from "../flows.ts";
import { happens, newChat } from "../model.ts";
import { holdStep, textsOf } from "../observe.ts";
import { hold, holdEqual } from "../promises.ts";
import { ask, type Bot, botOf, type Chat, momentFrom, newWord, outsideOf, type ResultModel, type Run } from "../run.ts";
import type { Variables } from "../walk.ts";
import { picked } from "./act.ts";
import { holdPage, learn, outsideAfterPage, post } from "./pages.ts";
import { rightReply } from "./talk.ts";
import { publishAnother } from "./versions.ts";

const names = Object.keys(flows);

/** An act that starts a chat, and therefore does not need an existing chat. */
export type Beginning = {
  readonly name: string;
  readonly means: string;
  readonly often: number;
  readonly when: (run: Run, pick: number) => boolean;
  readonly run: (run: Run, pick: number) => Promise<void>;
};

/** More chats would make a run longer without finding more faults. */
const mostChats = 4;

export const beginnings: readonly Beginning[] = [
  {
    name: "start",
    means:
      "A visitor starts a chat under a key, some with variables from the page's address, and sends the start again.",
    often: 12,
    when: ({ chats }) => chats.length < mostChats,
    async run(run, pick) {
      const bot = await botOf(run, picked([names[0] ?? "", ...names], pick + 1));
      const prefilled: Variables = pick % 3 === 0 ? { Name: "Prefilled" } : {};
      await startChat(run, bot, { prefilled, restored: undefined });
    },
  },
  {
    name: "startAgain",
    means: "The visitor of a result starts a second chat, which goes on with that result.",
    often: 2,
    when: ({ chats, results }) => chats.length < mostChats && results.some(({ isErased }) => !isErased),
    async run(run, pick) {
      const open = run.results.filter(({ isErased }) => !isErased);
      const result = open[pick % open.length];
      if (result) await startChat(run, result.bot, { prefilled: {}, restored: result });
    },
  },
  {
    name: "openPage",
    means:
      "A visitor without scripts opens a bot's page, and begins a chat by the first reply; in between a version may be published.",
    often: 3,
    when: ({ chats }) => chats.length < mostChats,
    async run(run, pick) {
      const bot = await botOf(run, picked([names[0] ?? "", ...names], pick + 1));
      // A page that is rendered before its chat has started cannot show a callback address (decision 43), and does not
      // name its version.
      if (bot.canary === undefined && bot.flow !== "parcel") await startOnPage(run, bot, pick);
    },
  },
];

async function startOnPage(run: Run, bot: Bot, pick: number): Promise<void> {
  const begunAt = run.world.now();
  const browser = visitor({ handle: run.world.handle });
  const former = await browser.visit(`/${bot.publicId}`);
  const drawn = newOf(bot);
  const moment = momentFrom(run, begunAt);
  holdPage({ model: drawn }, former, happens.start(drawn, outsideOf(run), moment).said);
  const message = rightReply(run, { model: drawn }, pick);
  const isOutdated = (pick >> 2) % 2 === 1 && bot.editions.size < 6;
  if (isOutdated) await publishAnother(run, bot, 0);
  const now = await post(browser, former, { model: drawn }, message);
  const model = isOutdated ? newOf(bot) : drawn;
  const step = isOutdated
    ? happens.start(model, outsideOf(run), moment)
    : happens.answer(model, message, outsideAfterPage(run, now), moment);
  holdPage({ model }, now, step.said);
  const sessionId = now.forms.find(({ hidden }) => hidden["session"])?.hidden["session"] ?? "";
  const read = await ask(run, "get", `/sessions/${sessionId}`);
  hold("shown", read.status === 200, { status: read.status, page: now.html });
  const result: ResultModel = {
    bot,
    resultId: read.text("session.resultId"),
    variables: {},
    chats: [],
    isErased: false,
  };
  const chat: Chat = {
    ...{
      model,
      bot,
      result,
      sessionId,
      publication: bot.live,
      movingTo: undefined,
      address: undefined,
      last: undefined,
    },
    ...{ page: { browser, now, former, revision: model.revision }, ratings: new Map(), calls: new Map() },
  };
  run.results.push(result);
  result.chats.push(chat);
  run.chats.push(chat);
  await learn(run, chat);
}

function newOf({ flow, editions, live }: Bot) {
  return newChat(flow, editions.get(live) ?? 1, {});
}

async function startChat(
  run: Run,
  bot: Bot,
  { prefilled, restored }: { prefilled: Variables; restored: ResultModel | undefined },
): Promise<void> {
  const begunAt = run.world.now();
  const body = { prefilledVariables: prefilled, ...(restored && { resultId: restored.resultId }) };
  const headers = { "Idempotency-Key": newWord(run, "key-of-a-start-that-is-long-") };
  const send = () => ask(run, "post", `/bots/${bot.publicId}/startChat`, { headers, body });
  const started = await send();
  hold("shown", started.status === 200, { flow: bot.flow, status: started.status, body: started.body });
  const publication = publicationOf(bot, started);
  const edition = bot.editions.get(publication) ?? 1;
  const model = newChat(bot.flow, edition, { ...restored?.variables, ...prefilled });
  const resultId = started.text("resultId");
  if (restored)
    holdEqual("result", { expected: restored.resultId, seen: resultId, note: "A chat goes on with its result" });
  const result: ResultModel = restored ?? {
    bot,
    resultId,
    variables: { ...prefilled },
    chats: [],
    isErased: false,
  };
  const chat: Chat = {
    ...{
      model,
      bot,
      result,
      sessionId: started.text("sessionId"),
      publication,
      movingTo: undefined,
      address: undefined,
    },
    ...{ last: undefined, page: undefined, ratings: new Map(), calls: new Map() },
  };
  const step = happens.start(model, outsideOf(run), momentFrom(run, begunAt));
  holdStep(run, chat, started, step);
  if (!restored) run.results.push(result);
  result.chats.push(chat);
  run.chats.push(chat);
  chat.last = { send, answer: started };
}

/** Returns the publication with which a chat started. The texts of the chat show whether this is the canary. */
function publicationOf(bot: Bot, started: Answer): number {
  const { live, canary, editions } = bot;
  if (canary === undefined) return live;
  const isEdition = (number: number) => {
    const edition = editions.get(number) ?? 1;
    return textsOf(started).every((text) => (edition === 1 ? !/ \(\d+\)$/.test(text) : text.endsWith(` (${edition})`)));
  };
  return isEdition(canary) ? canary : live;
}
