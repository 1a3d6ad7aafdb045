import type { TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import type { Answer } from "../../support/client.ts";
import { type Checkout, newCheckout } from "./checkout.ts";
import { type LogLine, linesOf } from "./log.ts";
import { hold } from "./promises.ts";
import type { World } from "./world.ts";

export type Workspace = "home" | "other";

/** The state of a bot after the acts so far. */
export type Bot = {
  readonly botId: string;
  readonly name: string;
  workspace: Workspace;
  place: "there" | "archived" | "binned";
  /** Undefined until the bot is published for the first time. */
  publicId: string | undefined;
  /** The number of the draft's text. */
  draft: number;
  /** The number of the text in each publication. */
  readonly publications: Map<number, number>;
  live: number | undefined;
  canary: number | undefined;
  /** Each name that the bot's variable has or had in a publication. */
  readonly names: Set<string>;
};

/** A word that a visitor entered or that was imported, with its bot and the name of the variable at that time. */
export type Sighting = { readonly bot: Bot; readonly word: string; readonly name: string };

/** A request with a key whose response had content, and which its sender can repeat. */
export type Keyed = {
  readonly bot: Bot;
  readonly sender: Person;
  readonly words: readonly string[];
  readonly send: () => Promise<Answer>;
};

export type Person = { readonly who: "owner" | "member" | "stranger"; readonly user: TestUser };

/** One run of acts, for a team with two workspaces. */
export type Run = {
  readonly world: World;
  readonly owner: Person;
  readonly member: Person;
  readonly stranger: Person;
  readonly workspaces: Readonly<Record<Workspace, string>>;
  readonly bots: Bot[];
  /** The name of the variable in each text. */
  readonly texts: Map<number, string>;
  readonly checkout: Checkout;
  readonly sightings: Sighting[];
  readonly erased: Set<string>;
  readonly keyed: Keyed[];
  /** Chats with their visitors' words. */
  readonly sessions: { readonly sessionId: string; readonly sighting: Sighting }[];
  readonly log: LogLine[];
  isMember: boolean;
  readonly suspended: Set<Workspace>;
  /** The number of restored backups. A run restores at most one backup, because this takes a second. */
  restored: number;
  count: number;
};

export async function newRun(world: World): Promise<Run> {
  const { api } = world;
  world.onWrite(() => {});
  const person = async (who: Person["who"]): Promise<Person> => ({ who, user: await api.makeUser({ name: who }) });
  const [owner, member, stranger] = [await person("owner"), await person("member"), await person("stranger")];
  const workspaces = {
    home: await api.makeWorkspace(owner.user, { [member.user.userId]: "MEMBER" }),
    other: await api.makeWorkspace(owner.user),
  };
  const run: Run = {
    ...{ world, owner, member, stranger, workspaces, bots: [], texts: new Map(), sightings: [], erased: new Set() },
    ...{ keyed: [], sessions: [], log: [], isMember: true, suspended: new Set<Workspace>(), restored: 0, count: 0 },
    checkout: newCheckout(world.newFolder()),
  };
  world.onWrite((write) => run.log.push(...linesOf(run, write)));
  // With this endpoint, the service stores undelivered events, which contain visitors' texts.
  const endpoint = { url: "https://receiver.example/", eventTypes: ["result.started", "result.answered"] };
  await act(run, "post", `workspaces/${workspaces.home}/event-endpoints`, endpoint);
  return run;
}

type Method = "get" | "post" | "put" | "patch" | "delete";

/** Sends a request of a person. */
export function ask(
  { world }: Pick<Run, "world">,
  { user }: Pick<Person, "user">,
  method: Method,
  path: string,
  { body, key }: { readonly body?: object; readonly key?: string } = {},
): Promise<Answer> {
  return world.client[method](`/api/v1/${path}`, {
    token: user.token,
    ...(body && { body }),
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });
}

/** Sends the request of an act, and requires success. */
export async function act(
  run: Run,
  method: Method,
  path: string,
  body?: object,
  person: Pick<Person, "user"> = run.owner,
): Promise<Answer> {
  const answer = await ask(run, person, method, path, { ...(body && { body }) });
  hold("done", answer.status === 200, { method, path, status: answer.status, body: answer.body });
  return answer;
}

/** Returns a unique word. */
export function newWord(run: Run, word: string): string {
  return `${word}${run.workspaces.home.slice(-8)}x${++run.count}x`;
}

/** Returns the texts that visitors of a bot may get now, or the error code that they get. */
export function shownNow(run: Run, bot: Bot): readonly string[] {
  const { live, canary, place, publications } = bot;
  if (bot.publicId === undefined || live === undefined || place !== "there") return ["bot.not_found"];
  if (run.suspended.has(bot.workspace)) return ["workspace.suspended"];
  return [live, ...(canary === undefined ? [] : [canary])].map((number) => textOf(publications.get(number) ?? 0));
}

/** Returns the sentence that a bot with this text says. */
export function textOf(text: number): string {
  return `Text ${text}, if you please.`;
}

/** The variable of every flow. */
export const variableId = idOf("x");

/**
 * Returns the flow of a text. It asks for one value that the variable stores, and for another value that no variable
 * stores.
 */
export function flowOf(text: number, variable: string) {
  const block = (id: string, options: object) => ({ id, type: "text input", options });
  return {
    version: "6.1",
    events: [{ id: "start", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: "first" }],
    groups: [
      {
        ...{ id: "group", title: "Group", graphCoordinates: { x: 0, y: 0 } },
        blocks: [
          {
            id: "says",
            type: "text",
            content: { richText: [{ type: "p", children: [{ text: textOf(text) }] }] },
          },
          block("asks", { variableId }),
          block("asks-more", {}),
        ],
      },
    ],
    edges: [{ id: "first", from: { eventId: "start" }, to: { groupId: "group" } }],
    variables: [{ id: variableId, name: variable }],
    settings: { general: { isGoBackEnabled: true } },
  };
}

/** Returns a text that no version contains yet. */
export function newText(run: Run, variable: string): number {
  const text = ++run.count;
  run.texts.set(text, variable);
  return text;
}

export function variableOf(run: Run, text: number): string {
  return run.texts.get(text) ?? "";
}
