import { isOver } from "../model.ts";
import { hold } from "../promises.ts";
import { type Bot, type Chat, flowFor, manage, type Run } from "../run.ts";
import type { Act } from "./act.ts";

export const versionActs: readonly Act[] = [
  {
    name: "publish",
    means: "Its author publishes a new version, with or without moving the chats that run.",
    often: 3,
    when: (_, { bot }) => bot.editions.size < 6,
    run: (run, { bot }, pick) => publishAnother(run, bot, pick),
  },
  {
    name: "rollBack",
    means: "Its author publishes an earlier version again.",
    often: 2,
    when: (_, { bot }) => bot.editions.size > 1 && bot.editions.size < 8,
    async run(run, { bot }, pick) {
      const number = 1 + (pick % bot.editions.size);
      await publish(
        run,
        bot,
        `/bots/${bot.botId}/publications/${number}/publish`,
        policy(pick),
        bot.editions.get(number) ?? 1,
      );
    },
  },
  {
    name: "beginCanary",
    means: "Its author publishes a version for half of the new chats.",
    often: 2,
    when: (_, { bot }) => bot.editions.size < 6 && bot.canary === undefined,
    async run(run, { bot }) {
      await changeDraft(run, bot);
      const edition = bot.editions.size + 1;
      const answer = await manage(run, "post", `/bots/${bot.botId}/publish`, { force: true, percent: 50 });
      hold("version", answer.status === 200, { body: answer.body });
      bot.canary = Number(answer.at("number"));
      bot.editions.set(bot.canary, edition);
    },
  },
  {
    name: "endCanary",
    means: "Its author promotes the canary, or rolls it back.",
    often: 3,
    when: (_, { bot }) => bot.canary !== undefined,
    async run(run, { bot }, pick) {
      const isPromoted = pick % 2 === 0;
      const body = isPromoted ? policy(pick >> 1) : {};
      const answer = await manage(
        run,
        "post",
        `/bots/${bot.botId}/canary/${isPromoted ? "promote" : "rollback"}`,
        body,
      );
      hold("version", answer.status === 200, { body: answer.body });
      if (isPromoted) becomeLive(run, bot, bot.canary ?? 0, pick >> 1);
      bot.canary = undefined;
    },
  },
  {
    name: "move",
    means: "Its author moves one chat to the published version.",
    often: 2,
    when: (_, { model }) => !isOver(model),
    async run(run, chat) {
      const answer = await manage(run, "post", `/sessions/${chat.sessionId}/updateBot`);
      hold("version", answer.status === 200 || answer.at("code") === "session.not_movable", { body: answer.body });
      if (answer.status === 200 && chat.publication !== chat.bot.live) chat.movingTo = chat.bot.live;
    },
  },
];

/** Publishes a version with different texts. */
export async function publishAnother(run: Run, bot: Bot, pick: number): Promise<void> {
  await changeDraft(run, bot);
  await publish(run, bot, `/bots/${bot.botId}/publish`, { force: true, ...policy(pick) }, bot.editions.size + 1);
}

function policy(pick: number): { readonly runningChats?: "move" } {
  return pick % 2 === 1 ? { runningChats: "move" } : {};
}

async function changeDraft(run: Run, bot: Bot): Promise<void> {
  const flow = flowFor(run, bot.flow, bot.editions.size + 1);
  const answer = await manage(run, "patch", `/bots/${bot.botId}`, { bot: flow });
  hold("version", answer.status === 200, { body: answer.body });
}

async function publish(
  run: Run,
  bot: Bot,
  path: string,
  body: { readonly runningChats?: "move"; readonly force?: true },
  edition: number,
): Promise<void> {
  const answer = await manage(run, "post", path, body);
  hold("version", answer.status === 200, { body: answer.body });
  const number = Number(answer.at("number"));
  bot.editions.set(number, edition);
  bot.canary = undefined;
  becomeLive(run, bot, number, body.runningChats === "move" ? 1 : 0);
}

/** Makes a version live. If `moves` is odd, running chats of earlier versions are moved at their next input. */
function becomeLive(run: Run, bot: Bot, number: number, moves: number): void {
  bot.live = number;
  if (moves % 2 === 0) return;
  for (const chat of run.chats) if (isBehind(chat, bot, number)) chat.movingTo = number;
}

function isBehind({ bot, publication, model, result }: Chat, of: Bot, number: number): boolean {
  return bot === of && publication < number && !isOver(model) && !result.isErased;
}
