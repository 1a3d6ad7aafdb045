import { join } from "node:path";
import type { Sql } from "../../../src/platform/database/sql.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import type { MailServer } from "../../support/mail-server.ts";
import { waitFor } from "../../support/wait.ts";
import { brokenPromises } from "../checks.ts";
import { openRestarting, type RestartingDatabase } from "../database.ts";
import { brokenEvents, eventsOfChat } from "../events.ts";
import type { Scenario } from "../flow.ts";
import { deliverMails } from "../jobs.ts";
import { startNodes } from "../nodes.ts";
import { randomOf } from "../random.ts";
import { createTurnstile } from "../turnstile.ts";
import { type Talked, talk, type Visitor } from "../visitors.ts";
import { type EventTaker, openWorld } from "../world.ts";
import { between, type Fault, type Field } from "./field.ts";
import type { CampaignReport, Struck } from "./report.ts";
import { scheduleOf } from "./schedule.ts";

export type CampaignOptions = {
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly scenario: Scenario;
  /** The campaign ends when all of these minimums are reached. */
  readonly least: { readonly seconds: number; readonly faults: number; readonly events: number };
  /**
   * The time from the start of a fault to the start of the next fault, in ms. The next fault always waits until chats
   * continue.
   */
  readonly everyMs: { readonly least: number; readonly most: number };
  /** Defaults to two if each node is a single process, otherwise to one. */
  readonly nodes?: number;
  /** Number of processes of each node, on one port. */
  readonly processes?: number;
  /** How long clocks are wrong and disks are full. Defaults to 5 to 10 s. */
  readonly lastsMs?: { readonly least: number; readonly most: number };
  readonly visitors?: number;
  readonly taker?: EventTaker;
  readonly openDatabase?: (folder: string) => Promise<RestartingDatabase>;
  /** Called with each fault once it is over. */
  readonly onStruck?: (struck: Struck) => void;
};

const nodesOfOneProcess = 2;
/** Longer than a balancer needs to notice that a node is about to stop. */
const drainSeconds = "2";
const visitorsByDefault = 16;
const recoveryWithinMs = 180_000;
const lastsMsByDefault = { least: 5_000, most: 10_000 };
/** A visitor who has waited this long sends the request again, possibly to another node. */
const requestMs = 5_000;

/** Lets visitors chat while faults occur in sequence. Returns a report of the faults and the broken promises. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const startedAt = performance.now();
  await using ends = new AsyncDisposableStack();
  const { scenario, processes = 1, openDatabase = openRestarting } = options;
  const proxied = Promise.withResolvers<DatabaseProxy>();
  const world = await openWorld(ends, {
    scenario,
    isListened: true,
    ...(options.taker && { taker: options.taker }),
    openDatabase,
    async throughProxy(url) {
      const opened = await openDatabaseProxy(url);
      ends.defer(opened.close);
      proxied.resolve(opened);
      return opened.url;
    },
  });
  const proxy = await proxied.promise;
  const { database, sql, events, publicId } = world;
  const random = randomOf(options.seed);
  const { nodes: count = processes === 1 ? nodesOfOneProcess : 1 } = options;
  const folder = join(world.folder, "faults");
  const environment = { ...world.environment, DRAIN_SECONDS: drainSeconds };
  const nodes = startNodes({
    processes: Array<number>(count).fill(processes),
    folder,
    environment,
    deaths: [],
    random,
  });
  ends.defer(nodes.close);
  await nodes.settled();

  const problems: string[] = [];
  const violated = (what: string): void => void problems.push(what);
  const talked: Talked[] = [];
  const watch = createWatch();
  const turnstile = createTurnstile();
  const visitor: Visitor = {
    urls: nodes.urls,
    publicId,
    replies: scenario.replies,
    random: randomOf(options.seed + 1),
    violated,
    answered: watch.answered,
    turnstile,
    requestMs,
  };
  const field: Field = {
    nodes,
    count,
    processes,
    database,
    proxy,
    sql,
    events,
    publicId,
    replies: scenario.replies,
    random,
    lastsMs: options.lastsMs ?? lastsMsByDefault,
    talked,
    turnstile,
    violated,
    answered: watch.answered,
  };
  const struck: Struck[] = [];
  let isOver = false;
  const keepTalking = async (_: unknown, index: number): Promise<void> => {
    for (let chat = 1; !isOver; chat++) {
      const said = await talk(visitor, `ticket-${index}-${chat}`);
      if (said) talked.push(said);
    }
  };
  const isEnough = (): boolean => {
    const { least } = options;
    const seconds = (performance.now() - startedAt) / 1_000;
    if (seconds < least.seconds || struck.length < least.faults) return false;
    return talked.length * eventsOfChat(scenario) >= least.events;
  };
  const keepStriking = async (): Promise<void> => {
    const schedule = scheduleOf(options.faults, field);
    try {
      for (let nextAt = performance.now() + options.everyMs.least; !isEnough(); ) {
        if (performance.now() < nextAt) {
          await Bun.sleep(100);
          continue;
        }
        nextAt = performance.now() + between(random, options.everyMs.least, options.everyMs.most);
        const one = await strike(schedule.next().value, { field, watch, startedAt });
        struck.push(one);
        options.onStruck?.(one);
      }
    } finally {
      isOver = true;
    }
  };
  await Promise.all([keepStriking(), ...Array.from({ length: options.visitors ?? visitorsByDefault }, keepTalking)]);

  const chattedSeconds = (performance.now() - startedAt) / 1_000;
  await nodes.settled();
  const arrived = events && (await brokenEvents(events, scenario, talked));
  const mailServer = options.faults.some(({ movesClock }) => movesClock)
    ? withoutNotices(world.mailServer)
    : world.mailServer;
  if (scenario.hasEffects) problems.push(...(await deliverMails(ends, { ...world, mailServer }, talked.length)));
  const left = { sql, scenario, talked, calls: world.receiver.requests, mails: mailServer.mails };
  problems.push(...(arrived?.problems ?? []), ...(await brokenPromises(left)));
  if (arrived && arrived.problems.length > 0) process.stdout.write(`${await stateOfDelivery(sql)}\n`);
  if (problems.length > 0) process.stdout.write(`${worstLines(nodes.errors())}\n${nodes.errors().slice(-20_000)}\n`);
  return {
    seconds: Math.round(chattedSeconds),
    conversations: talked.length,
    answers: watch.answers(),
    struck,
    arrivals: arrived?.arrivals ?? [],
    repeats: arrived?.repeats ?? 0,
    problems,
    errors: nodes.errors(),
  };
}

/**
 * Leaves out the mails about late events. When the clock steps forward, a waiting event seems late, and a node that
 * checks at that moment sends such a mail.
 */
function withoutNotices(server: MailServer): MailServer {
  return {
    ...server,
    get mails() {
      return server.mails.filter(
        ({ headers }) => !headers["subject"]?.startsWith("An event endpoint is falling behind"),
      );
    },
  };
}

/** Returns the first 20 log lines with the level `error`. They may be from long before the end. */
function worstLines(lines: string): string {
  const worst = lines.split("\n").filter((line) => line.includes('"level":"error"'));
  return worst.slice(0, 20).join("\n");
}

async function stateOfDelivery(sql: Sql): Promise<string> {
  const [state] = await sql`
    select
      clock() as now,
      (select json_agg(to_jsonb(e) - 'secret' - 'previous_secret') from event_endpoints e) as endpoints,
      (select json_agg(l) from event_lanes l) as lanes,
      (
        select json_agg(d)
        from (
          select status, count(*) as count, min(next_attempt_at) as first, max(next_attempt_at) as last
          from event_deliveries
          group by status
        ) d
      ) as deliveries`;
  return JSON.stringify(state);
}

function createWatch() {
  let answers = 0;
  let lastSentAt = 0;
  let longestWaitMs = 0;
  return {
    answered(sentAt: number, firstSentAt: number): void {
      answers++;
      lastSentAt = Math.max(lastSentAt, sentAt);
      longestWaitMs = Math.max(longestWaitMs, performance.now() - firstSentAt);
    },
    answers: () => answers,
    lastSentAt: () => lastSentAt,
    takeLongestWaitMs(): number {
      const longest = longestWaitMs;
      longestWaitMs = 0;
      return longest;
    },
  };
}

type Striking = { readonly field: Field; readonly watch: ReturnType<typeof createWatch>; readonly startedAt: number };

/** Causes one fault, and waits until a request that a visitor sent after the fault is answered. */
async function strike(fault: Fault, { field, watch, startedAt }: Striking): Promise<Struck> {
  const target = (await fault.aim?.(field)) ?? 0;
  const begunAt = performance.now();
  const begunOn = Date.now();
  const answersBefore = watch.answers();
  watch.takeLongestWaitMs();
  await fault.strike(field, target);
  const healedAt = performance.now();
  await waitFor(() => watch.lastSentAt() > healedAt, {
    withinMs: recoveryWithinMs,
    what: `an answer after "${fault.name}"`,
  });
  return {
    name: fault.name,
    atSeconds: Math.round((begunAt - startedAt) / 1_000),
    begunOn,
    movesClock: fault.movesClock === true,
    lastedMs: healedAt - begunAt,
    recoveryMs: performance.now() - healedAt,
    longestWaitMs: watch.takeLongestWaitMs(),
    answersMeanwhile: watch.answers() - answersBefore,
  };
}
