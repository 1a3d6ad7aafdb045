import { lookAtKeyed, lookForWord } from "../people.ts";
import { hold } from "../promises.ts";
import { act, type Bot, type Run, variableOf } from "../run.ts";
import type { Act } from "./act.ts";

export const peopleActs: readonly Act[] = [
  {
    name: "removeMember",
    means: "An owner removes the member from the workspace, or invites them again, and they accept.",
    often: 2,
    when: ({ suspended }) => !suspended.has("home"),
    async run(run) {
      const path = `workspaces/${run.workspaces.home}/members`;
      const { userId, email } = run.member.user;
      if (run.isMember) await act(run, "delete", `${path}/${userId}`);
      else {
        const invited = await act(run, "put", path, { email, role: "MEMBER" });
        const body = { code: invited.text("invitation.code"), name: "member" };
        await act(run, "post", "invitations/accept", body, run.member);
      }
      run.isMember = !run.isMember;
    },
  },
  {
    name: "erasePerson",
    means: "An owner erases a person, by a name that the variable has or had.",
    often: 6,
    when: (run, bot) => !run.suspended.has(bot.workspace) && run.sightings.some((sighting) => sighting.bot === bot),
    run: erasePerson,
  },
  {
    name: "askAgain",
    means: "Somebody sends a request again, under its key.",
    often: 4,
    when: ({ keyed }) => keyed.length > 0,
    async run(run, _, pick) {
      const keyed = run.keyed[pick % run.keyed.length];
      if (keyed) await lookAtKeyed(run, keyed);
    },
  },
];

async function erasePerson(run: Run, bot: Bot, pick: number): Promise<void> {
  const own = run.sightings.filter((sighting) => sighting.bot === bot);
  const { word, name: then } = own[pick % own.length] ?? { word: "", name: "" };
  const name = pick % 3 === 0 ? then : variableOf(run, bot.draft);
  const { workspace } = bot;
  const isMeant = (sighting: Run["sightings"][number]) =>
    sighting.word === word && sighting.bot.workspace === workspace && hasName(run, sighting, name);
  const meant = run.sightings.filter(isMeant);
  const answer = await act(run, "post", `workspaces/${run.workspaces[workspace]}/person-erasures`, {
    variable: name,
    value: word,
  });
  const facts = { name, word, then, body: answer.body };
  hold("found", answer.at("personErasure.results") === meant.length, { ...facts, expected: meant.length });
  hold("erased", answer.at("personErasure.isComplete") === true, facts);
  const left = run.sightings.filter((sighting) => !isMeant(sighting));
  run.sightings.splice(0, run.sightings.length, ...left);
  if (left.some((sighting) => sighting.word === word)) return;
  run.erased.add(word);
  await lookForWord(run, word);
}

/**
 * Whether a result's value can be found by a name. This is the case if the value was stored under this name, or if a
 * related bot of the workspace uses the name for its variable. Bots are related if they share a variable name, like a
 * copy and its original.
 */
function hasName(run: Run, { bot, name: then }: Run["sightings"][number], name: string): boolean {
  const own = namesOf(run, bot);
  const isKnownIn = (names: ReadonlySet<string>) => names.has(name) && !names.isDisjointFrom(own);
  const neighbours = run.bots.filter(({ workspace }) => workspace === bot.workspace);
  return then === name || neighbours.some((each) => isKnownIn(namesOf(run, each)));
}

/** Returns the current and former names of a bot's variable, in versions and in the draft. */
function namesOf(run: Run, { names, draft }: Bot): ReadonlySet<string> {
  return new Set([...names, variableOf(run, draft)]);
}
