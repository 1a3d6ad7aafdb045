import { hold, holdEqual } from "../promises.ts";
import { act, ask, type Bot, newWord, type Run, variableId, variableOf } from "../run.ts";
import { type Act, isOpen } from "./act.ts";

const some = ["Ada", "Ben"];

export const visitorActs: readonly Act[] = [
  {
    name: "chat",
    means: "A visitor says who they are; some say it again, in another bot.",
    often: 9,
    when: (run, bot) => isOpen(run, bot) && bot.live !== undefined,
    async run(run, bot, pick) {
      const started = await run.world.client.post(`/api/v1/bots/${bot.publicId}/startChat`, { body: {} });
      const sessionId = started.text("sessionId");
      const word = wordOf(run, pick);
      const path = `/api/v1/sessions/${sessionId}/continueChat`;
      const said = await run.world.client.post(path, { body: { message: word } });
      holdEqual("done", { expected: 200, seen: said.status });
      const text = Number(/^Text (\d+),/.exec(String(started.at("messages.0.content.plainText")))?.[1]);
      const sighting = { bot, word, name: variableOf(run, text) };
      run.sightings.push(sighting);
      run.sessions.push({ sessionId, sighting });
    },
  },
  {
    name: "bringResults",
    means: "An author brings results of elsewhere along.",
    often: 2,
    when: isOpen,
    async run(run, bot, pick) {
      const word = wordOf(run, pick);
      const name = variableOf(run, bot.draft);
      const result = {
        ...{
          id: newWord(run, "brought-"),
          createdAt: "2024-05-06T07:08:09.123Z",
          hasStarted: true,
          isCompleted: false,
        },
        ...{ variables: [{ id: variableId, name, value: word }], answers: [{ blockId: "asks", content: word }] },
      };
      const body = { source: "https://elsewhere.example", results: [result] };
      const brought = await act(run, "post", `bots/${bot.botId}/results/import`, body);
      holdEqual("done", { expected: 1, seen: brought.at("added") });
      run.sightings.push({ bot, word, name });
    },
  },
  {
    name: "record",
    means: "A member records a chat as a test, under a key: the answer has the visitor's words.",
    often: 3,
    when: (run, bot) =>
      isOpen(run, bot) && bot.workspace === "home" && run.isMember && sessionOf(run, bot) !== undefined,
    async run(run, bot) {
      const session = sessionOf(run, bot);
      if (!session) return;
      const { sessionId, sighting } = session;
      const key = newWord(run, "key-of-a-record-");
      const send = () =>
        ask(run, run.member, "post", `bots/${bot.botId}/testConversations/record`, { body: { sessionId }, key });
      const answer = await send();
      hold("done", answer.status === 200 && JSON.stringify(answer.body).includes(sighting.word), { body: answer.body });
      run.keyed.push({ bot, sender: run.member, words: [sighting.word], send });
    },
  },
];

/** Returns a visitor's word. Some words belong to one person in several bots. All other words occur once. */
function wordOf(run: Run, pick: number): string {
  const known = some[pick % 4];
  const common = known === undefined ? undefined : `${known}of${run.workspaces.home.slice(-8)}`;
  return common === undefined || run.erased.has(common) ? newWord(run, "Visitor") : common;
}

function sessionOf({ sessions, sightings }: Run, bot: Bot) {
  return sessions.findLast(({ sighting }) => sighting.bot === bot && sightings.includes(sighting));
}
