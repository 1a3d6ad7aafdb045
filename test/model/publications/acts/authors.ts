import { hold } from "../promises.ts";
import { act, type Bot, flowOf, newText, newWord, type Run, variableOf } from "../run.ts";
import { type Act, isOpen } from "./act.ts";

/** More bots would make a run longer without finding more faults. */
const mostBots = 4;

export const authorActs: readonly Act[] = [
  {
    name: "make",
    means: "An author makes a bot, and publishes it.",
    often: 2,
    when: ({ bots, suspended }) => bots.length < mostBots && !suspended.has("home"),
    run: async (run) => void (await makeBot(run)),
  },
  {
    name: "save",
    means: "An author changes what the draft says.",
    often: 5,
    when: isOpen,
    run: (run, bot) => save(run, bot, newText(run, variableOf(run, bot.draft))),
  },
  {
    name: "rename",
    means: "An author gives the variable another name.",
    often: 3,
    when: isOpen,
    run: (run, bot) => save(run, bot, newText(run, newWord(run, "Name"))),
  },
  {
    name: "import",
    means: "An author replaces the draft by a file.",
    often: 1,
    when: isOpen,
    async run(run, bot) {
      const text = newText(run, variableOf(run, bot.draft));
      const file = { name: bot.name, ...flowOf(text, variableOf(run, text)) };
      await act(run, "post", `bots/${bot.botId}/import`, { bot: file });
      bot.draft = text;
    },
  },
  {
    name: "publish",
    means: "An author publishes the draft.",
    often: 6,
    when: (run, bot) => isOpen(run, bot) && bot.draft !== textOfLive(bot),
    run: (run, bot) => publish(run, bot),
  },
  {
    name: "beginCanary",
    means: "An author publishes the draft for half of the new chats.",
    often: 3,
    when: (run, bot) =>
      isOpen(run, bot) && bot.live !== undefined && bot.canary === undefined && bot.draft !== textOfLive(bot),
    async run(run, bot) {
      const answer = await act(run, "post", `bots/${bot.botId}/publish`, { force: true, percent: 50 });
      bot.canary = notePublished(run, bot, Number(answer.at("number")), bot.draft);
    },
  },
  {
    name: "endCanary",
    means: "An author promotes the canary, or rolls it back.",
    often: 4,
    when: (run, bot) => isOpen(run, bot) && bot.canary !== undefined,
    async run(run, bot, pick) {
      const isPromoted = pick % 2 === 0;
      await act(run, "post", `bots/${bot.botId}/canary/${isPromoted ? "promote" : "rollback"}`, {});
      if (isPromoted) bot.live = bot.canary;
      bot.canary = undefined;
    },
  },
  {
    name: "rollBack",
    means: "An author publishes an earlier version again.",
    often: 6,
    when: (run, bot) => isOpen(run, bot) && earlier(bot).length > 0,
    async run(run, bot, pick) {
      const [number = 0, text = 0] = earlier(bot)[pick % earlier(bot).length] ?? [];
      const answer = await act(run, "post", `bots/${bot.botId}/publications/${number}/publish`, {});
      bot.live = notePublished(run, bot, Number(answer.at("number")), text);
      bot.canary = undefined;
    },
  },
  {
    name: "unpublish",
    means: "An author takes a bot from its visitors.",
    often: 1,
    when: (run, bot) => isOpen(run, bot) && bot.live !== undefined,
    async run(run, bot) {
      await act(run, "post", `bots/${bot.botId}/unpublish`);
      bot.live = undefined;
      bot.canary = undefined;
    },
  },
];

export async function makeBot(run: Run): Promise<Bot> {
  const name = `Bot ${run.bots.length + 1}`;
  const text = newText(run, newWord(run, "Name"));
  const variable = variableOf(run, text);
  const made = await act(run, "post", "bots", {
    workspaceId: run.workspaces.home,
    bot: { name, ...flowOf(text, variable) },
  });
  const bot: Bot = {
    ...{ botId: made.text("bot.id"), name, workspace: "home", place: "there", publicId: undefined, draft: text },
    ...{ publications: new Map(), live: undefined, canary: undefined, names: new Set<string>() },
  };
  run.bots.push(bot);
  await publish(run, bot);
  return bot;
}

async function save(run: Run, bot: Bot, text: number): Promise<void> {
  await act(run, "patch", `bots/${bot.botId}`, { bot: flowOf(text, variableOf(run, text)) });
  bot.draft = text;
}

async function publish(run: Run, bot: Bot): Promise<void> {
  const answer = await act(run, "post", `bots/${bot.botId}/publish`, { force: true });
  hold("done", bot.publicId === undefined || bot.publicId === answer.at("publicId"), { body: answer.body });
  bot.publicId = answer.text("publicId");
  bot.live = notePublished(run, bot, Number(answer.at("number")), bot.draft);
  bot.canary = undefined;
}

/** Records a version, and returns its number. */
export function notePublished(run: Run, bot: Bot, number: number, text: number): number {
  bot.publications.set(number, text);
  bot.names.add(variableOf(run, text));
  return number;
}

function textOfLive({ live, publications }: Bot): number | undefined {
  return live === undefined ? undefined : publications.get(live);
}

/** Returns the versions whose texts differ from the live version. */
function earlier(bot: Bot): (readonly [number, number])[] {
  return [...bot.publications].filter(([, text]) => text !== textOfLive(bot));
}
