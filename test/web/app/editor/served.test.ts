import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import canonicalize from "canonicalize";
import { draftOf, transportTo } from "../../../../src/web/app/editor/service.ts";
import type { Transport } from "../../../../src/web/app/editor/working-copy/transport.ts";
import { createWorkingCopy, type WorkingCopy } from "../../../../src/web/app/editor/working-copy/working-copy.ts";
import { createDice, type Dice, randomChanges, smallDraft } from "../../../core/editing/commands.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { sizeOf } from "../../../support/campaigns.ts";
import { createVirtualClock, type VirtualClock } from "../../../support/virtual-clock.ts";

// Runs editors against the service itself and its database, over a network that delays, loses and repeats requests.
// PARLEY_SERVED_SEED sets the first seed.

const steps = sizeOf({ short: 400, long: 10_000, variable: "PARLEY_SERVED_STEPS" });
const firstSeed = Number(process.env["PARLEY_SERVED_SEED"] ?? 1);
const stepsOfStory = 200;

let api: TestApi;
let people: readonly TestUser[];
let workspaceId: string;
const flying = new Set<Promise<unknown>>();
/**
 * The token of the current call. The test adds it to requests, because a page uses relative addresses and identifies
 * its user by a cookie.
 */
let token = "";
const fetched = spyOn(globalThis, "fetch");

beforeAll(async () => {
  api = await createTestApi({ config: { RATE_LIMITS: "off" } });
  people = [await api.makeUser({ name: "Ada" }), await api.makeUser({ name: "Grace" })];
  const [owner, ...others] = people;
  if (!owner) throw new Error("There is nobody");
  workspaceId = await api.makeWorkspace(owner, Object.fromEntries(others.map(({ userId }) => [userId, "MEMBER"])));
  const serve = async (address: unknown, init?: RequestInit): Promise<Response> => {
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${token}` };
    return await api.handle(new Request(`http://localhost${address}`, { ...init, headers }));
  };
  fetched.mockImplementation(Object.assign(serve, { preconnect() {} }));
});
afterAll(async () => {
  fetched.mockRestore();
  await api.close();
});

test("two editors on an unreliable network converge with the service", async () => {
  const told = { sets: 0, clashes: 0, lost: 0, repeats: 0, undone: 0 };
  for (let story = 0; story < Math.ceil(steps / stepsOfStory); story++) {
    const place = await open(createDice(firstSeed + story), told);
    for (let step = 0; step < stepsOfStory; step++) await takeStep(place);
    await settle(place);
    const { botId, editors, made, decided } = place;
    const bot = (await api.client.get(`/api/v1/bots/${botId}`, { token: people[0]?.token ?? "" })).at("bot");
    const text = canonicalize(draftOf(asStored(bot)));
    for (const { copy } of editors) {
      expect(copy.pending()).toEqual([]);
      expect(copy.saving()).toEqual({ kind: "saved" });
      expect(canonicalize(copy.view())).toBe(text ?? "");
    }
    const written = await api.deps.sql<{ id: string }[]>`select set_id as id from bot_changes where bot_id = ${botId}`;
    const ids = new Set(written.map(({ id }) => id));
    expect(ids.size).toBe(written.length);
    expect([...made].filter((id) => !ids.has(id) && !decided.has(id))).toEqual([]);
    told.sets += ids.size;
    for (const { copy } of editors) copy.close();
  }
  process.stdout.write(`Editors and the service: ${steps} steps, ${JSON.stringify(told)}\n`);
  expect(Math.min(...Object.values(told))).toBeGreaterThan(0);
}, 3_600_000);

type Told = { sets: number; clashes: number; lost: number; repeats: number; undone: number };
type Network = { isBad: boolean; isDown: boolean };
type Place = {
  readonly botId: string;
  readonly dice: Dice;
  readonly clock: VirtualClock;
  readonly told: Told;
  readonly editors: readonly { readonly copy: WorkingCopy; readonly network: Network }[];
  readonly made: Set<string>;
  readonly decided: Set<string>;
  names: number;
};

async function open(dice: Dice, told: Told): Promise<Place> {
  const clock = createVirtualClock();
  const first = people[0]?.token ?? "";
  const { editor, ...flow } = smallDraft();
  const body = { workspaceId, bot: { name: "Shared", ...flow } };
  const made = await api.client.post("/api/v1/bots", { token: first, body });
  const botId = made.text("bot.id");
  await api.client.patch(`/api/v1/bots/${botId}`, { token: first, body: { bot: { editor } } });
  const bot = asStored((await api.client.get(`/api/v1/bots/${botId}`, { token: first })).at("bot"));
  const decided = new Set<string>();
  const editors = people.map((person) => {
    const network: Network = { isBad: true, isDown: false };
    const copy = createWorkingCopy({
      opened: { revision: bot.revision, draft: draftOf(bot) },
      transport: over(transportTo(botId), { person, network, clock, dice, told }),
      clock,
      newId: () => crypto.randomUUID(),
      chance: () => dice.below(100) / 100,
      listener: { onEnded: (_, { set }) => void decided.add(set.id) },
    });
    return { copy, network };
  });
  return { botId, dice, clock, told, editors, made: new Set(), decided, names: 0 };
}

type Way = {
  readonly person: TestUser;
  readonly network: Network;
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly told: Told;
};

/** Puts a bad network in front of the page's own transport. */
function over(way: Transport, { person, network, clock, dice, told }: Way): Transport {
  const travel = () => new Promise<void>((resolve) => clock.startTimer(dice.below(1_200), resolve));
  const asPerson = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    token = person.token;
    const answer = call();
    flying.add(answer);
    return await answer.finally(() => flying.delete(answer));
  };
  const exchange = async <Value>(call: () => Promise<Value>): Promise<Value | { kind: "lost" }> => {
    const fate = network.isDown ? 0 : network.isBad ? dice.below(8) : 7;
    await travel();
    if (fate === 0) {
      told.lost++;
      return { kind: "lost" };
    }
    let answer = await asPerson(call);
    if (fate === 1) {
      told.repeats++;
      answer = await asPerson(call);
    }
    await travel();
    if (fate !== 2) return answer;
    told.lost++;
    return { kind: "lost" };
  };
  return {
    send: (base, sets) => exchange(() => way.send(base, sets)),
    log: (after) => exchange(() => way.log(after)),
    draft: () => exchange(() => way.draft()),
  };
}

async function takeStep(place: Place): Promise<void> {
  const { dice, clock, told } = place;
  const editor = dice.pick(place.editors);
  if (!editor) return;
  const { copy, network } = editor;
  switch (dice.below(9)) {
    case 0:
    case 1:
    case 2:
      copy.act(
        "Act",
        randomChanges(copy.view(), dice, () => `new${place.names++}`),
        dice.oneIn(3) ? { field: "same" } : {},
      );
      break;
    case 3:
      if (copy.undo()) told.undone++;
      break;
    case 4:
      copy.redo();
      break;
    case 5:
      void copy.catchUp();
      break;
    case 6:
      network.isDown = dice.oneIn(4);
      break;
    case 7:
      decide(place, copy);
      break;
    default:
      await clock.advance(dice.below(3_000));
      await land(clock);
  }
  for (const { id } of [...copy.pending(), ...copy.held().map(({ set }) => set)]) place.made.add(id);
}

function decide({ dice, told, decided, made }: Place, copy: WorkingCopy): void {
  const held = copy.held()[0];
  if (!held) return;
  told.clashes++;
  made.add(held.set.id);
  decided.add(held.set.id);
  copy.resolve(held, held.reason.kind === "conflict" && dice.oneIn(2) ? "mine" : "theirs");
}

/** Restores the network, and lets every author resolve their conflicts. */
async function settle(place: Place): Promise<void> {
  const { clock, editors } = place;
  for (const { network } of editors) Object.assign(network, { isBad: false, isDown: false });
  for (let round = 0; round < 100; round++) {
    for (const { copy } of editors) {
      while (copy.held().length > 0) decide(place, copy);
      void copy.catchUp();
    }
    for (let turn = 0; turn < 6; turn++) {
      await clock.advance(20_000);
      await land(clock);
    }
    const [one, other] = editors.map(({ copy }) => copy);
    const isDone = editors.every(({ copy }) => copy.pending().length + copy.held().length === 0);
    if (isDone && one?.revision() === other?.revision()) return;
  }
}

/** Delivers all responses that have not arrived yet. */
async function land(clock: VirtualClock): Promise<void> {
  while (flying.size > 0) {
    await Promise.all(flying);
    await clock.settle();
  }
}

type Stored = Parameters<typeof draftOf>[0] & { readonly revision: number };

function asStored(bot: unknown): Stored {
  if (isStored(bot)) return bot;
  throw new Error(`This is no bot: ${JSON.stringify(bot)}`);
}

function isStored(bot: unknown): bot is Stored {
  return typeof bot === "object" && bot !== null && "revision" in bot && "groups" in bot && "editor" in bot;
}
