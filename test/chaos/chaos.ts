import { join } from "node:path";
import { waitFor } from "../support/wait.ts";
import { brokenPromises } from "./checks.ts";
import { type ChaosDatabase, openRestarting } from "./database.ts";
import { faultPoints } from "./faults.ts";
import { withEffects } from "./flow.ts";
import { deliverMails } from "./jobs.ts";
import { type Death, type Nodes, startNodes } from "./nodes.ts";
import { randomOf } from "./random.ts";
import { type Talked, talk, type Visitor } from "./visitors.ts";
import { openWorld } from "./world.ts";

export type ChaosOptions = {
  /** The minimum number of conversations. More conversations run until all planned deaths have occurred. */
  readonly conversations: number;
  readonly kills: number;
  /** The points of the deaths, in turn. Defaults to every point and a kill from outside. */
  readonly points?: readonly Death["point"][];
  /** The number of processes of each node, on one port. Defaults to two nodes of one process. */
  readonly nodes?: readonly number[];
  readonly databaseDeaths: number;
  /** Defaults to one server, which `pg_ctl stop -m immediate` shuts down before it is started again. */
  readonly openDatabase?: (folder: string) => Promise<ChaosDatabase>;
  /** Equal seeds plan the same deaths. */
  readonly seed: number;
  /** Called when a request failed that a visitor will repeat. */
  readonly onFailed?: (what: string) => void;
};

export type ChaosReport = {
  readonly conversations: number;
  readonly deaths: readonly string[];
  readonly repeatedCalls: number;
  readonly repeatedMails: number;
  /** The time from each death of the database until a chat was answered. */
  readonly recoveriesMs: readonly number[];
  readonly seconds: number;
  /** Every broken promise. */
  readonly problems: readonly string[];
  /** The standard error of nodes. */
  readonly errors: string;
};

const twoNodes = [1, 1];
/**
 * Enough visitors for steps to be saved in batches. Sixteen visitors took twice the processor time and found no further
 * problems.
 */
const visitorsAtOnce = 8;
/**
 * Traffic causes the deaths. The run ends after this multiple of the planned conversations, even if deaths are missing.
 */
const conversationsAtMost = 20;
const recoveryWithinMs = 180_000;

/** Runs visitors against nodes that die, on a database that also dies. Returns a report with the broken promises. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const startedAt = performance.now();
  await using ends = new AsyncDisposableStack();
  const { openDatabase = openRestarting } = options;
  const scenario = withEffects;
  const world = await openWorld(ends, { scenario, isListened: false, openDatabase });
  const { database, sql, receiver, mailServer, environment, publicId } = world;
  const random = randomOf(options.seed);
  const nodes = startNodes({
    processes: options.nodes ?? twoNodes,
    folder: join(world.folder, "faults"),
    environment,
    deaths: plannedDeaths(options, random),
    random,
  });
  ends.defer(nodes.close);
  const problems: string[] = [];
  let lastAnswered = 0;
  const visitor: Visitor = {
    urls: nodes.urls,
    publicId,
    replies: scenario.replies,
    random,
    violated: (what) => problems.push(what),
    answered(sentAt) {
      lastAnswered = Math.max(lastAnswered, sentAt);
    },
    ...(options.onFailed && { failed: options.onFailed }),
  };
  const recoveriesMs: number[] = [];
  const killDatabase = async (): Promise<void> => {
    const diedAt = performance.now();
    await database.die();
    await waitFor(() => lastAnswered > diedAt, { withinMs: recoveryWithinMs, what: "an answer after the outage" });
    recoveriesMs.push(Math.round(performance.now() - diedAt));
  };
  const talked = await letVisitorsTalk(visitor, { ...options, nodes, killDatabase });

  await nodes.settled();
  problems.push(...(await deliverMails(ends, world, talked.length)));
  const left = { sql, scenario, talked, calls: receiver.requests, mails: mailServer.mails };
  problems.push(...(await brokenPromises(left)));
  return {
    conversations: talked.length,
    deaths: nodes.deaths,
    repeatedCalls: receiver.requests.length - 2 * talked.length,
    repeatedMails: mailServer.mails.length - talked.length,
    recoveriesMs,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    problems,
    errors: nodes.errors(),
  };
}

/** Plans deaths at the points in turn. Without `points`, these are all fault points and the kills from outside. */
function plannedDeaths({ kills, points, nodes = twoNodes }: ChaosOptions, random: () => number): Death[] {
  const isSupervised = nodes.every((processes) => processes > 1);
  const outside = isSupervised ? (["at random", "the supervisor"] as const) : (["at random"] as const);
  const turns = points ?? [...faultPoints, ...outside];
  return Array.from({ length: kills }, (_, index) => {
    const point = turns[index % turns.length] ?? "at random";
    if (point === "at random" || point === "the supervisor") return { point, afterMs: 200 + random() * 1_000 };
    return { point, passing: 1 + Math.floor(random() * (point === "after a delivery" ? 5 : 25)) };
  });
}

type Talking = Omit<ChaosOptions, "nodes"> & { readonly nodes: Nodes; killDatabase(): Promise<void> };

async function letVisitorsTalk(visitor: Visitor, talking: Talking): Promise<Talked[]> {
  const { conversations, kills, databaseDeaths, nodes, killDatabase } = talking;
  const talked: Talked[] = [];
  let begun = 0;
  let databasesKilled = 0;
  const isEnough = () => begun >= conversations && nodes.deaths.length >= kills && databasesKilled >= databaseDeaths;
  const keepTalking = async (): Promise<void> => {
    while (!isEnough() && begun < conversations * conversationsAtMost) {
      begun++;
      const said = await talk(visitor, `ticket-${begun}`);
      if (said) talked.push(said);
    }
  };
  const keepKilling = async (): Promise<void> => {
    for (let count = 1; count <= databaseDeaths; count++) {
      await waitFor(() => talked.length >= (conversations * count) / (databaseDeaths + 1), {
        withinMs: 30 * 60_000,
        what: "visitors to talk",
      });
      await killDatabase();
      databasesKilled++;
    }
  };
  await Promise.all([keepKilling(), ...Array.from({ length: visitorsAtOnce }, keepTalking)]);
  return talked;
}
