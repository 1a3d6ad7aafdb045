import { holdEqual } from "../promises.ts";
import { act, type Bot, type Run } from "../run.ts";
import { type Act, isOpen } from "./act.ts";

const mostBots = 6;

export const placeActs: readonly Act[] = [
  {
    name: "archive",
    means: "An author puts a bot into the archive.",
    often: 1,
    when: isOpen,
    async run(run, bot) {
      await act(run, "post", `bots/${bot.botId}/archive`, {});
      bot.place = "archived";
    },
  },
  {
    name: "bin",
    means: "An author deletes a bot.",
    often: 1,
    when: isOpen,
    async run(run, bot) {
      await act(run, "delete", `bots/${bot.botId}`);
      bot.place = "binned";
    },
  },
  {
    name: "restore",
    means: "An author restores a bot from the archive or the bin.",
    often: 6,
    when: ({ suspended }, bot) => bot.place !== "there" && !suspended.has(bot.workspace),
    async run(run, bot) {
      const answer = await act(run, "post", `bots/${bot.botId}/restore`, {});
      holdEqual("done", { expected: null, seen: answer.at("lostPublicId") });
      bot.place = "there";
    },
  },
  {
    name: "move",
    means: "An author moves a bot to the other workspace, or back.",
    often: 2,
    when: (run, bot) => isOpen(run, bot) && run.suspended.size === 0,
    async run(run, bot) {
      const to = bot.workspace === "home" ? "other" : "home";
      await act(run, "post", `bots/${bot.botId}/move`, { workspaceId: run.workspaces[to], folderId: null });
      bot.workspace = to;
    },
  },
  {
    name: "copy",
    means: "An author copies a bot with its results.",
    often: 2,
    when: (run, bot) => isOpen(run, bot) && run.bots.length < mostBots,
    run: copy,
  },
];

async function copy(run: Run, bot: Bot): Promise<void> {
  const name = `Copy ${run.bots.length + 1}`;
  const answer = await act(run, "post", `bots/${bot.botId}/duplicate`, { name, withResults: true });
  const botId = answer.text("bot.id");
  const made: Bot = {
    ...{ botId, name, workspace: bot.workspace, place: "there", publicId: undefined, draft: bot.draft },
    ...{ publications: new Map(), live: undefined, canary: undefined, names: new Set<string>() },
  };
  run.bots.push(made);
  const words = run.sightings.filter((sighting) => sighting.bot === bot);
  run.sightings.push(...words.map((sighting) => ({ ...sighting, bot: made })));
  const read = await act(run, "get", `bots/${botId}/results?timeFilter=allTime&limit=100`);
  const shown = JSON.stringify(read.body);
  const seen = words.filter(({ word }) => shown.includes(word)).map(({ word }) => word);
  holdEqual("copied", { expected: words.map(({ word }) => word), seen });
  holdEqual("copied", { expected: null, seen: answer.at("bot.publicationNumber") ?? null });
}
