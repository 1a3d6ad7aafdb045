import { join } from "node:path";
import { waitFor } from "../../support/wait.ts";
import { brokenPromises } from "../checks.ts";
import { brokenEvents } from "../events.ts";
import { withEffects } from "../flow.ts";
import { deliverMails } from "../jobs.ts";
import { startNodes } from "../nodes.ts";
import { randomOf } from "../random.ts";
import { type Talked, talk, type Visitor } from "../visitors.ts";
import { openWorld } from "../world.ts";
import type { Case } from "./cases.ts";
import { openCluster, type PatroniCluster } from "./cluster.ts";
import { startWriters } from "./psql.ts";
import { type Tally, tallyOf } from "./tally.ts";

export type CaseReport = Tally & {
  readonly name: string;
  /** The time from the fault to the first later write from `psql` that the primary accepted. */
  readonly psqlMs: number;
  /** The time from the first accepted write until each node had answered visitors. */
  readonly afterPsqlMs: number;
};

export type HighAvailabilityReport = {
  readonly cases: readonly CaseReport[];
  readonly conversations: number;
  readonly events: number;
  /** Every broken promise. */
  readonly problems: readonly string[];
  /** The standard error of nodes. */
  readonly errors: string;
};

export type RunOptions = {
  readonly seed: number;
  /** A folder for the output of the machines. Without a folder, the output is discarded. */
  readonly logs?: string;
  readonly onCase?: (report: CaseReport) => void;
};

const nodeCount = 2;
/** The number of visitors of each node. */
const visitorsOfNode = 2;
const beforeMs = 2_000;
const writesWithinMs = 90_000;
/** A visitor who has waited this long sends the request again. */
const requestMs = 5_000;

/** Lets visitors chat with two nodes on three servers, while the cases happen to the servers in turn. */
export async function runCases(
  cases: readonly Case[],
  { seed, logs, onCase = () => {} }: RunOptions,
): Promise<HighAvailabilityReport> {
  await using ends = new AsyncDisposableStack();
  const scenario = withEffects;
  const world = await openWorld(ends, {
    scenario,
    isListened: true,
    openDatabase: (folder) => openCluster(ends, { folder, ...(logs !== undefined && { logs }) }),
  });
  const { database: cluster, sql, publicId, environment, events } = world;
  await sql`create table psql_writes (written_at timestamptz not null)`;
  const random = randomOf(seed);
  const folder = join(world.folder, "faults");
  const nodes = startNodes({ processes: Array<number>(nodeCount).fill(1), folder, environment, deaths: [], random });
  ends.defer(nodes.close);
  await nodes.settled();

  const problems: string[] = [];
  const talked: Talked[] = [];
  const reports: CaseReport[] = [];
  for (const [index, one] of cases.entries()) {
    const { name } = one;
    const violated = (what: string): void => void problems.push(`${name}: ${what}`);
    const watch = createWatch(nodes.urls().toSorted());
    const visitors = watch.visitors.map(({ urls, answered }): Visitor => {
      return { urls, answered, publicId, replies: scenario.replies, random, violated, requestMs };
    });
    const { outcome, said } = await whileTalking(visitors, `ticket-${index}`, () => happen(one, { cluster, watch }));
    talked.push(...said);
    const report = { name, ...outcome, ...(await tallyOf(sql, said)) };
    reports.push(report);
    onCase(report);
  }

  const arrived = events && (await brokenEvents(events, scenario, talked));
  problems.push(...(await deliverMails(ends, world, talked.length)), ...(arrived?.problems ?? []));
  const left = { sql, scenario, talked, calls: world.receiver.requests, mails: world.mailServer.mails };
  problems.push(...(await brokenPromises(left)));
  return {
    cases: reports,
    conversations: talked.length,
    events: arrived?.arrivals.length ?? 0,
    problems,
    errors: nodes.errors(),
  };
}

/** Lets each visitor have one conversation after the other during the work, and finish the last conversation. */
async function whileTalking<Outcome>(
  visitors: readonly Visitor[],
  prefix: string,
  work: () => Promise<Outcome>,
): Promise<{ readonly outcome: Outcome; readonly said: readonly Talked[] }> {
  let isOver = false;
  const said: Talked[] = [];
  const keepTalking = async (visitor: Visitor, number: number): Promise<void> => {
    for (let chat = 1; !isOver; chat++) {
      const talked = await talk(visitor, `${prefix}-${number}-${chat}`);
      if (talked) said.push(talked);
    }
  };
  const talking = Promise.all(visitors.map(keepTalking));
  const outcome = await work().finally(async () => {
    isOver = true;
    await talking;
  });
  return { outcome, said };
}

type Happening = { readonly cluster: PatroniCluster; readonly watch: ReturnType<typeof createWatch> };

async function happen(
  { name, strike, heal, mayStay = false }: Case,
  { cluster, watch }: Happening,
): Promise<Pick<CaseReport, "psqlMs" | "afterPsqlMs">> {
  const roles = await cluster.healthy();
  const { primary } = roles;
  await watch.answeredAfter(performance.now());
  await Bun.sleep(beforeMs);
  const writers = startWriters(cluster.machines, primary);
  try {
    await Bun.sleep(beforeMs);
    const struckAt = performance.now();
    await strike(roles);
    const candidates = mayStay ? cluster.machines : cluster.machines.filter((machine) => machine !== primary);
    const psqlAt = await waitFor(
      () => candidates.map((machine) => writers.firstWrite(machine, struckAt)).find((at) => at !== undefined),
      { withinMs: writesWithinMs, what: `a write of psql after: ${name}` },
    );
    const answeredAt = await watch.answeredAfter(psqlAt);
    await heal?.(roles);
    await cluster.healthy();
    return { psqlMs: psqlAt - struckAt, afterPsqlMs: answeredAt - psqlAt };
  } finally {
    await writers.stop();
  }
}

function createWatch(urls: readonly string[]) {
  const answersOf = urls.map((): number[] => []);
  const ofNodes = urls.flatMap((url, node) =>
    Array.from({ length: visitorsOfNode }, () => ({
      urls: () => [url],
      answered: () => void answersOf[node]?.push(performance.now()),
    })),
  );
  const ofAny = Array.from({ length: visitorsOfNode }, () => ({ urls: () => urls, answered: () => {} }));
  return {
    visitors: [...ofNodes, ...ofAny],
    /** Returns the time by which every node had answered at least once after the given time. */
    async answeredAfter(time: number): Promise<number> {
      const firsts = () => answersOf.map((times) => times.find((at) => at > time));
      return await waitFor(
        () => {
          const found = firsts().filter((at) => at !== undefined);
          return found.length === urls.length && Math.max(...found);
        },
        { withinMs: writesWithinMs, what: "answers of both nodes" },
      );
    },
  };
}
