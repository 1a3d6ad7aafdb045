import { nameAndEmail, publish } from "../support/chat.ts";
import { createClient, valueAt } from "../support/client.ts";
import { type ClusterServer, createCluster } from "../support/cluster.ts";
import { temporaryFolder } from "../support/folder.ts";
import { endService, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

/** The answers that were acknowledged after `event`, and the state of the nodes at that time. */
export type Phase = {
  readonly event: string;
  /** The number of acknowledged answers, by the node that acknowledged them. */
  readonly acknowledged: Readonly<Record<string, number>>;
  /** The number of acknowledged answers that the promoted server has, and the number that only the old server has. */
  readonly inPromoted: number;
  readonly onlyInOld: number;
  /** The last `readyz` response of each node, and the server of its connections. */
  readonly ready: Readonly<Record<string, string>>;
  readonly served: Readonly<Record<string, string>>;
};

type Acknowledged = { readonly word: string; readonly node: string; readonly phase: number };

const adminToken = "the administrator of two servers";
const visitorCount = 4;

/**
 * Two nodes list the servers in different orders. Visitors chat with the nodes while the primary is killed, its standby
 * is promoted, the old primary restarts as a writer, and each node and the new primary restart.
 */
export async function divideServers({
  answers,
  command,
}: {
  /** The number of acknowledged answers in each phase with a serving node. */
  readonly answers: number;
  /** The command of another program to run instead of the service. */
  readonly command?: readonly string[];
}): Promise<readonly Phase[]> {
  await using ends = new AsyncDisposableStack();
  const folder = temporaryFolder();
  ends.defer(folder.remove);
  const cluster = createCluster(folder.path);
  ends.defer(cluster.stop);
  const old = await cluster.add();
  const promoted = await cluster.add({ copyOf: old });
  await promoted.followFrom(old);
  await old.start({ synchronous_standby_names: "*" });
  await promoted.start();
  await waitFor(async () => (await old.ask("select from pg_stat_replication where sync_state = 'sync'")).length > 0);
  const names = new Map([
    [String(old.port), "old"],
    [String(promoted.port), "promoted"],
  ]);

  const nodes = new Map<string, Service>();
  const urls = { A: cluster.urlOf(old, promoted), B: cluster.urlOf(promoted, old) };
  const startNode = async (name: keyof typeof urls): Promise<void> => {
    const service = await startService({
      ...(command && { command }),
      environment: {
        DATABASE_URL: `${urls[name]}?application_name=node_${name}`,
        DATA_DIR: temporary(ends),
        ...{ ADMIN_TOKEN: adminToken, DATABASE_POOL: "4", WORKER_THREADS: "1", RATE_LIMITS: "off", LOG_LEVEL: "warn" },
      },
    });
    nodes.set(name, service);
  };
  const endNode = async (name: string): Promise<void> => {
    const service = nodes.get(name);
    nodes.delete(name);
    if (service) await endService(service);
  };
  ends.defer(async () => void (await Promise.all([...nodes.keys()].map(endNode))));
  await startNode("A");
  await startNode("B");

  const acknowledged: Acknowledged[] = [];
  const observed: Omit<Phase, "acknowledged" | "inPromoted" | "onlyInOld">[] = [];
  const visitors = await startVisitors(nodes, (word, node) =>
    acknowledged.push({ word, node, phase: observed.length }),
  );
  ends.defer(visitors.end);
  const readinessOfNodes = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      await Promise.all([...nodes].map(async ([name, { url }]) => [name, await readiness(url)] as const)),
    );
  const observe = async (event: string, ready?: Readonly<Record<string, string>>): Promise<void> => {
    const served = await serversOf([...nodes], [old, promoted], names);
    observed.push({ event, ready: ready ?? (await readinessOfNodes()), served });
  };
  const phase = async (event: string, act: () => Promise<unknown>): Promise<void> => {
    await act();
    const before = acknowledged.length;
    await waitFor(
      () =>
        [...nodes.keys()].every(
          (name) => acknowledged.slice(before).filter(({ node }) => node === name).length >= answers / 2,
        ),
      { withinMs: 120_000, what: `answers after: ${event}` },
    );
    await observe(event);
  };

  await phase("both serve", async () => {});
  await phase("the primary is killed, its standby promoted", async () => {
    await old.end();
    await promoted.promote();
  });
  await phase("the old primary starts again, as a writer", () => old.start());
  await phase("node A is restarted", async () => {
    await endNode("A");
    await startNode("A");
  });
  await phase("node B is restarted", async () => {
    await endNode("B");
    await startNode("B");
  });
  await promoted.end();
  // A node names the server that it queried last, which may be killed a moment later.
  let ready: Record<string, string> = {};
  await waitFor(
    async () => {
      ready = await readinessOfNodes();
      return Object.values(ready).every(isRefusal);
    },
    { withinMs: 60_000, what: "both nodes to refuse the old primary" },
  ).catch((error: unknown) => {
    // Another program may serve the old primary. The table shows this.
    if (!command) throw error;
  });
  await observe("the promoted server is killed", ready);
  await phase("the promoted server starts again", () => promoted.start());

  await visitors.end();
  const [inOld, inPromoted] = [await wordsIn(old), await wordsIn(promoted)];
  return observed.map((one, index): Phase => {
    const mine = acknowledged.filter(({ phase: number }) => number === index);
    const byNode = Map.groupBy(mine, ({ node }) => node);
    return {
      ...one,
      acknowledged: Object.fromEntries([...byNode].map(([node, list]) => [node, list.length])),
      inPromoted: mine.filter(({ word }) => inPromoted.has(word)).length,
      onlyInOld: mine.filter(({ word }) => inOld.has(word) && !inPromoted.has(word)).length,
    };
  });
}

function temporary(ends: AsyncDisposableStack): string {
  const folder = temporaryFolder();
  ends.defer(folder.remove);
  return folder.path;
}

function isRefusal(ready: string): boolean {
  return ready.includes("accepts writes");
}

async function readiness(url: string): Promise<string> {
  const response = await fetch(`${url}/api/readyz`).catch(() => undefined);
  if (!response) return "does not answer";
  const body: unknown = await response.json();
  return response.ok ? "ready" : String(valueAt(body, "data.database") ?? JSON.stringify(body));
}

/** Returns the servers that each node uses. Connections that only check a server do not count. */
async function serversOf(
  nodes: readonly (readonly [string, Service])[],
  servers: readonly ClusterServer[],
  names: ReadonlyMap<string, string>,
): Promise<Record<string, string>> {
  const served = nodes.map(async ([name]) => {
    const counts = servers.map(async (server) => {
      const rows = await server
        .ask(
          `select from pg_stat_activity where application_name = 'node_${name}' and query not similar to '%(pg_control_system|known_timelines)%'`,
        )
        .catch(() => []);
      return rows.length > 0 ? [names.get(String(server.port)) ?? ""] : [];
    });
    return [name, (await Promise.all(counts)).flat().join(" and ") || "none"] as const;
  });
  return Object.fromEntries(await Promise.all(served));
}

async function wordsIn(server: ClusterServer): Promise<Set<string>> {
  const rows = await server.ask("select content from answers");
  return new Set(rows.map(({ content }) => String(content)));
}

/**
 * Starts visitors who send requests to the nodes in turn, and repeat an unanswered request with its key, as clients do.
 */
async function startVisitors(
  nodes: ReadonlyMap<string, Service>,
  onAcknowledged: (word: string, node: string) => void,
) {
  const [first] = [...nodes.values()];
  const client = createClient({ baseUrl: first?.url ?? "", isOtherRelease: true });
  const made = await client.post("/api/v1/workspaces", { token: adminToken, body: { name: "Two servers" } });
  const owner = { token: adminToken, workspaceId: made.text("workspace.id") };
  const { publicId } = await publish(client, owner, nameAndEmail);
  let [isOver, turn, count] = [false, 0, 0];
  const ask = async (path: string, body: object): Promise<{ body: unknown; node: string } | undefined> => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
    while (!isOver) {
      const [name, node] = [...nodes][turn++ % Math.max(1, nodes.size)] ?? [];
      const response = await fetch(`${node?.url}${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      }).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (response?.ok && text !== undefined) return { body: JSON.parse(text), node: name ?? "" };
      // A chat that started on an abandoned server is missing on the current server, so the visitor starts again.
      if (response?.status === 404) return undefined;
      await Bun.sleep(20);
    }
    return undefined;
  };
  const visit = async (): Promise<void> => {
    while (!isOver) {
      const started = await ask(`/api/v1/bots/${publicId}/startChat`, {});
      const sessionId = valueAt(started?.body, "sessionId");
      if (typeof sessionId !== "string") continue;
      const ticket = `ticket-${++count}`;
      for (const word of [ticket, `${ticket}@example.com`]) {
        const answered = await ask(`/api/v1/sessions/${sessionId}/continueChat`, { message: word });
        if (answered) onAcknowledged(word, answered.node);
      }
    }
  };
  const visits = Promise.all(Array.from({ length: visitorCount }, visit));
  return {
    async end(): Promise<void> {
      isOver = true;
      await visits;
    },
  };
}

/** Returns the phases as a Markdown table. */
export function tableOf(phases: readonly Phase[]): string {
  const words = (record: Readonly<Record<string, unknown>>) =>
    Object.entries(record)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join(", ");
  const rows = phases.map(({ event, acknowledged, inPromoted, onlyInOld, served, ready }) =>
    [event, words(acknowledged) || "none", inPromoted, onlyInOld, words(served), words(ready)].join(" | "),
  );
  const head = "After | Acknowledged | In the promoted | Only in the old | Served by | readyz";
  return [head, head.replaceAll(/[^|]+/g, " --- "), ...rows].map((row) => `| ${row} |\n`).join("");
}

if (import.meta.main) {
  const [count = "300", ...command] = process.argv.slice(2);
  const phases = await divideServers({ answers: Number(count), ...(command.length > 0 && { command }) });
  process.stdout.write(tableOf(phases));
}
