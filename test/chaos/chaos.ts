import { join } from "node:path";
import { openDataFolder } from "../../src/embedded/folders.ts";
import { readyPid } from "../../src/embedded/leftover.ts";
import { startServer } from "../../src/embedded/server.ts";
import { openQueue } from "../../src/jobs/queue.ts";
import { createLog } from "../../src/log.ts";
import { connect } from "../../src/store/database/sql.ts";
import { publish } from "../support/chat.ts";
import { createClient } from "../support/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { type OutsideServer, startOutside } from "../support/outside.ts";
import { waitFor } from "../support/wait.ts";
import { brokenPromises } from "./checks.ts";
import { faultPoints } from "./faults.ts";
import { chaosFlow } from "./flow.ts";
import { hastenJobs } from "./jobs.ts";
import { type Death, type Nodes, startNodes } from "./nodes.ts";
import { type Talked, talk, type Visitor } from "./visitors.ts";

export type ChaosOptions = {
  /** At least so many; more when deaths are still to come. */
  readonly conversations: number;
  readonly kills: number;
  /** One of two nodes each, or several of one node, on one port. */
  readonly processes?: number;
  /** How often the database dies, too. */
  readonly databaseDeaths: number;
  /** By default one server, which is shut down as `pg_ctl stop -m immediate` does it, and started again. */
  readonly openDatabase?: (folder: string) => Promise<ChaosDatabase>;
  /** The same number plans the same deaths. */
  readonly seed: number;
};

export type ChaosDatabase = {
  readonly url: string;
  /** Lets it die, and come back. */
  die(): Promise<void>;
  stop(): Promise<void>;
};

export type ChaosReport = {
  readonly conversations: number;
  readonly deaths: readonly string[];
  readonly repeatedCalls: number;
  readonly repeatedMails: number;
  /** From each death of the database until a chat was answered again. */
  readonly recoveriesMs: readonly number[];
  readonly seconds: number;
  /** Whatever was not as promised. */
  readonly problems: readonly string[];
  /** What nodes wrote to standard error. */
  readonly errors: string;
};

const nodesOfOneProcess = 2;
const visitorsAtOnce = 20;
/** Deaths come from traffic: where they don't come, something is wrong with the test. */
const conversationsAtMost = 20;
const mailsWithinMs = 180_000;
const recoveryWithinMs = 180_000;
const adminToken = "the administrator of the chaos";

/** Lets visitors chat with nodes that die, on a database that dies too, and tells which promises were broken. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const startedAt = performance.now();
  await using ends = new AsyncDisposableStack();
  const folder = temporaryFolder();
  ends.defer(folder.remove);
  const database = await (options.openDatabase ?? openRestarting)(folder.path);
  ends.defer(database.stop);
  const receiver = await startOutside((request, response) => {
    const { ticket } = JSON.parse(request.body);
    response.end(JSON.stringify({ word: `word for ${ticket}` }));
  });
  ends.defer(receiver.close);
  const mailServer = await startMailServer();
  ends.defer(mailServer.close);
  const sql = connect(database.url, { connections: 2 });
  ends.defer(() => sql.end({ timeout: 5 }));

  const environment = environmentOf(database, mailServer);
  const random = randomOf(options.seed);
  const { processes = 1 } = options;
  const publicId = await publishBot(environment, receiver, join(folder.path, "quiet"));
  const nodes = startNodes({
    count: processes === 1 ? nodesOfOneProcess : 1,
    processes,
    folder: join(folder.path, "faults"),
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
    random,
    violated: (what) => problems.push(what),
    answered(sentAt) {
      lastAnswered = Math.max(lastAnswered, sentAt);
    },
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
  const queue = await openQueue({ url: database.url, log: createLog("silent") });
  ends.defer(queue.stop);
  const subjects = () => new Set(mailServer.mails.map(({ headers }) => headers["subject"]));
  await waitFor(
    async () => {
      if (subjects().size >= talked.length) return true;
      await hastenJobs(sql, queue.boss);
      return false;
    },
    { withinMs: mailsWithinMs, what: "all mails" },
  ).catch((error: unknown) => problems.push(String(error)));
  problems.push(...(await brokenPromises({ sql, talked, calls: receiver.requests, mails: mailServer.mails })));
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

/** A database that keeps what it says it has: with fsync, as in production. Its keeper starts it again when it dies. */
async function openRestarting(path: string): Promise<ChaosDatabase> {
  const folders = openDataFolder(path);
  const server = await startServer({
    folders,
    connections: 100,
    log: createLog("silent"),
    onLost: (error) => {
      throw error;
    },
  });
  return {
    ...server,
    async die() {
      const pid = readyPid(folders.data);
      if (pid === undefined) throw new Error("The database does not run");
      process.kill(pid, "SIGQUIT");
      await waitFor(() => ![undefined, pid].includes(readyPid(folders.data)), { what: "the database to be back" });
    },
  };
}

function environmentOf(database: ChaosDatabase, mailServer: MailServer): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    DATABASE_POOL: "6",
    WORKER_THREADS: "1",
    LOG_LEVEL: "warn",
    ADMIN_TOKEN: adminToken,
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMTP_FROM: "bots@example.com",
  };
}

async function publishBot(
  environment: Record<string, string>,
  receiver: OutsideServer,
  folder: string,
): Promise<string> {
  const quiet = startNodes({ count: 1, processes: 1, folder, environment, deaths: [], random: () => 0 });
  try {
    const client = createClient({
      baseUrl: await waitFor(() => quiet.urls()[0], { withinMs: 180_000, what: "a node" }),
    });
    const made = await client.post("/api/v1/workspaces", { token: adminToken, body: { name: "Chaos" } });
    const owner = { token: adminToken, workspaceId: made.text("workspace.id") };
    return (await publish(client, owner, chaosFlow(receiver.url("/word")))).publicId;
  } finally {
    await quiet.close();
  }
}

/** Each point in turn, and now and then a death from outside. */
function plannedDeaths({ kills, processes = 1 }: ChaosOptions, random: () => number): Death[] {
  const outside = processes === 1 ? (["at random"] as const) : (["at random", "the supervisor"] as const);
  const points = [...outside, ...faultPoints];
  return Array.from({ length: kills }, (_, index) => {
    const point = points[(index + outside.length) % points.length] ?? "at random";
    if (point === "at random" || point === "the supervisor") return { point, afterMs: 200 + random() * 1_000 };
    return { point, passing: 1 + Math.floor(random() * (point === "after a delivery" ? 5 : 25)) };
  });
}

type Talking = ChaosOptions & { readonly nodes: Nodes; killDatabase(): Promise<void> };

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

/** Numbers in [0, 1) that follow from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
