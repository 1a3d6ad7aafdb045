import { backgroundClock, pause } from "../../concurrency/clock.ts";
import { reasonOf } from "../../thrown.ts";
import type { ServerAddress } from "./address.ts";
import { outageOf } from "./outage.ts";
import {
  type AskedServer,
  isSame,
  isSuccessor,
  type Judgement,
  judge,
  missingNote,
  type PrimaryMemory,
  type Refusal,
  remember,
  type ServerState,
} from "./primary-judgement.ts";
import { type Asking, openProbe, type Probe } from "./probe.ts";
import { ConnectionError } from "./server-socket.ts";

/**
 * After the first server has answered, the search waits this long for the other servers, because a dead machine never
 * answers.
 */
const laggardMs = 1_000;
/**
 * A process that knows none of the database's timelines can only compare a writer with the other servers, so it waits
 * longer for them.
 */
const firstLaggardMs = 3_000;
/**
 * A standby may be promoted while the search waits for another server, so each standby is queried again at this
 * interval.
 */
const lookAgainMs = 100;

/** The state of all servers of a database, and the choice of the primary. */
export type Findings = { readonly asked: readonly AskedServer[]; readonly judgement: Judgement };

export type SearchTools = Asking & {
  readonly memory: PrimaryMemory;
  readonly used?: ServerAddress | undefined;
  /** Whether the findings are stored in the databases. One pool of a node stores them. */
  readonly isNoting: boolean;
};

/** Queries all servers concurrently, over new connections. Never rejects. */
export async function inspectServers(servers: readonly ServerAddress[], tools: SearchTools): Promise<Findings> {
  const probes = servers.map((server) => ({ server, probe: openProbe(server, tools) }));
  try {
    return await askAndJudge(probes, tools);
  } finally {
    for (const { probe } of probes) probe.end();
  }
}

/**
 * Like `inspectServers`, but over open connections. `lastWord` is the last answer of the server in use. The query
 * always waits for this server. If the server's query fails, its last answer is used, unless the server is silent.
 */
export async function askAndJudge(
  probes: readonly { readonly server: ServerAddress; readonly probe: Pick<Probe, "look" | "note"> }[],
  { memory, used, isNoting }: SearchTools,
  lastWord?: AskedServer,
): Promise<Findings> {
  const looks = probes.map(({ probe }) => probe.look());
  const states = await statesOf(looks, {
    lookAgain: (index) => probes[index]?.probe.look(),
    afterWriterMs: memory.timelines.size === 0 ? firstLaggardMs : laggardMs,
    isSuccessor: (state) => isSuccessor(state, memory),
  });
  const asked = await Promise.all(
    probes.map(async ({ server }, index): Promise<AskedServer> => {
      const state = states[index];
      if (!lastWord || !isSame(server, lastWord.server)) return { server, state: state ?? silent };
      const own = state ?? (await looks[index]) ?? silent;
      return { server, state: own.kind === "away" && !own.isSilent ? lastWord.state : own };
    }),
  );
  remember(memory, asked);
  const judgement = judge(asked, memory, used);
  const found = asked.find(({ server }) => server === judgement.primary)?.state;
  if (found?.kind === "writer" && found.identity) memory.served = found.identity.systemId;
  if (isNoting) {
    const notes = asked.map(async (one, index) => {
      const note = missingNote(one, { memory, judgement });
      if (note) await probes[index]?.probe.note(note);
    });
    await Promise.all(notes);
  }
  return { asked, judgement };
}

type Waiting = {
  lookAgain(index: number): Promise<ServerState> | undefined;
  readonly afterWriterMs: number;
  isSuccessor(state: ServerState): boolean;
};

/**
 * Returns the states of the servers once all servers have answered or the time limit is reached. Returns immediately if
 * a writable server hides its identity or is a successor.
 */
async function statesOf(
  looks: readonly Promise<ServerState>[],
  { lookAgain, afterWriterMs, isSuccessor }: Waiting,
): Promise<readonly (ServerState | undefined)[]> {
  const states: (ServerState | undefined)[] = looks.map(() => undefined);
  const enough = Promise.withResolvers<undefined>();
  let [timer, writerTimer]: (Timer | undefined)[] = [];
  let isOver = false;
  const noteAnswer = (index: number, state: ServerState): void => {
    states[index] = state;
    const isWriter = state.kind === "writer";
    if (isWriter && (!state.identity || isSuccessor(state))) enough.resolve(undefined);
    else if (isWriter) writerTimer ??= setTimeout(enough.resolve, afterWriterMs, undefined);
    // There may be no primary yet. The callers search again soon.
    else timer ??= setTimeout(() => writerTimer ?? enough.resolve(undefined), laggardMs);
    if (states.every((one) => one !== undefined)) enough.resolve(undefined);
  };
  const keepAsking = async (look: Promise<ServerState>, index: number): Promise<void> => {
    for (let answer: Promise<ServerState> | undefined = look; answer && !isOver; answer = lookAgain(index)) {
      const state = await answer;
      if (isOver) return;
      noteAnswer(index, state);
      if (state.kind !== "reader") return;
      await pause(backgroundClock, lookAgainMs);
    }
  };
  for (const [index, look] of looks.entries()) void keepAsking(look, index);
  await enough.promise;
  isOver = true;
  clearTimeout(timer);
  clearTimeout(writerTimer);
  return [...states];
}

const silent: ServerState = { kind: "away", error: new ConnectionError("does not respond"), isSilent: true };

/** Thrown when no server of the database accepts writes. */
class NoPrimaryError extends Error {
  override readonly name = "NoPrimaryError";
  readonly code = "NO_PRIMARY";
}

/** Thrown when servers accept writes, but none of these servers is known to be the primary. */
class PrimaryRefusedError extends Error {
  override readonly name = "PrimaryRefusedError";
  readonly code = "PRIMARY_REFUSED";
  /** The public message, without host names. */
  readonly says: string;
  constructor(message: string, says: string) {
    super(message);
    this.says = says;
  }
}

/**
 * Returns an error with the reason why there is no primary. The original error is returned if the settings caused it,
 * for example a wrong password, or if there is only one server.
 */
export function noPrimaryError({ asked, judgement: { refused } }: Findings): Error {
  if (refused.length > 0) {
    const words = asked.flatMap(({ server }, index) => {
      const why = refused.find((one) => one.server === server)?.why;
      return why
        ? [{ name: nameOf(server), place: `server ${index + 1} of DATABASE_URL`, says: refusalWords(why) }]
        : [];
    });
    const says = words.map(({ place, says: text }) => `${place} ${text}`).join("; ");
    const message = words.map(({ name, says: text }) => `${name} ${text}`).join("; ");
    return new PrimaryRefusedError(`no server is known to be the primary (${message})`, says);
  }
  const causes = asked.map(({ state }) => (state.kind === "away" ? state.error : new NoPrimaryError("is read-only")));
  const ofSettings = causes.find((cause) => {
    const outage = outageOf(cause);
    return outage === undefined || outage.isOfSettings;
  });
  const cause = ofSettings ?? (asked.length === 1 ? causes[0] : undefined);
  if (cause !== undefined) return cause instanceof Error ? cause : new Error(String(cause), { cause });
  const reasons = causes.map((one, index) => {
    const server = asked[index]?.server ?? { host: "?", port: 0 };
    return `${nameOf(server)} ${reasonOf(one)}`;
  });
  return new NoPrimaryError(`no server accepts writes (${reasons.join("; ")})`);
}

export function refusalWords(why: Refusal): string {
  switch (why.kind) {
    case "older":
      return `accepts writes on timeline ${why.timeline}, but the database has continued on timeline ${why.known} on another server`;
    case "overruled":
      return "accepts writes, but another server was chosen with parley primary --accept";
    case "tied":
      return `accepts writes on timeline ${why.timeline}, as does another server`;
    case "foreign":
      return "accepts writes, but belongs to another cluster than a second server that also accepts writes";
  }
}

export function nameOf({ host, port }: ServerAddress): string {
  return `${host}:${port}`;
}
