import { limits } from "../../../limits/index.ts";
import { type Clock, systemClock } from "../../concurrency/clock.ts";
import { share } from "../../concurrency/share.ts";
import type { Log } from "../../observing/log.ts";
import { Counter, Gauge, Registry } from "../../observing/prometheus.ts";
import { reasonOf } from "../../thrown.ts";
import type { Sql } from "../sql.ts";
import { countReplayed, findLogPosition } from "./replica.sql.ts";

/** The interval at which the replica's position is checked while there are reads. */
const lookMs = 1_000;

/** The state of the replica. Only a replica in the state `fit` is read. */
export type ReplicaState =
  | { readonly kind: "fit"; readonly lagMs: number }
  | { readonly kind: "behind"; readonly lagMs: number | undefined }
  | { readonly kind: "away"; readonly why: string };

const states = ["fit", "behind", "away"] as const;

/** Reads lists that may be some seconds old. Never used for chats. */
export type ReplicaReads = {
  /**
   * Runs read-only work on the replica if it is fit, and on the primary otherwise. If the replica fails, the work is
   * repeated on the primary.
   */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Whether the result may be older than the primary's data. */
  readonly mayBeOlder: boolean;
  readonly registry: Registry;
};

type Pools = { readonly primary: Sql; readonly replica?: Sql | undefined };

/**
 * The replica is checked before a read, at most once a second:
 *
 *     any ─ it has replayed the primary's log up to `limits.database.replicaLagMs` ago, or later ─→ fit
 *     any ─ it has not, or its position is not known yet ─────────────────────────────────────────→ behind
 *     any ─ it does not respond, is not a standby, or belongs to another database ────────────────→ away
 *     fit ─ a read fails ─────────────────────────────────────────────────────────────────────────→ away, until the next check
 *
 * The check does not use the replica's clock: positions of the primary's log are stored with the local time at which
 * they were read.
 */
export function createReplicaReads({ primary, replica }: Pools, log: Log, clock: Clock = systemClock): ReplicaReads {
  const registry = new Registry();
  const metrics = createMetrics(registry);
  if (!replica) return { read: (work) => work(primary), mayBeOlder: false, registry };
  const findState = createReplicaWatch({ primary, replica }, clock);
  let loggedKind: ReplicaState["kind"] = "fit";
  const enter = (state: ReplicaState): ReplicaState => {
    for (const kind of states) metrics.state.set({ state: kind }, kind === state.kind ? 1 : 0);
    if (state.kind !== "away") metrics.lag.set((state.lagMs ?? 0) / 1_000);
    if (state.kind === loggedKind) return state;
    if (state.kind === "fit") log.info("The read replica is available again, and lists are read from it");
    else log.warn(`The read replica is ${state.kind}: lists are read from the primary`, { ...state });
    loggedKind = state.kind;
    return state;
  };
  const look = share(async () => enter(await findState()), { keptMs: lookMs, clock });
  let awayUntil = Number.NEGATIVE_INFINITY;
  return {
    registry,
    mayBeOlder: true,
    async read(work) {
      if (clock.now() >= awayUntil && (await look()).kind === "fit") {
        try {
          const result = await work(replica);
          metrics.reads.inc({ from: "replica" });
          return result;
        } catch (error) {
          // Replaying the log cancels conflicting statements, and the columns of a newer release reach the replica
          // later. The work is therefore repeated on the primary.
          awayUntil = clock.now() + lookMs;
          enter({ kind: "away", why: reasonOf(error) });
        }
      }
      metrics.reads.inc({ from: "primary" });
      return await work(primary);
    },
  };
}

/** Returns a function that queries both servers for the state of the replica. The function never rejects. */
export function createReplicaWatch(
  { primary, replica }: Required<Pools> & { readonly replica: Sql },
  clock: Clock = systemClock,
): () => Promise<ReplicaState> {
  const asked: { readonly at: number; readonly position: string }[] = [];
  const find = async (): Promise<ReplicaState> => {
    const at = clock.now();
    const { position, place } = await findLogPosition(primary);
    asked.push({ at, position });
    while (asked.length > 1 && at - (asked[1]?.at ?? at) > limits.database.replicaLagMs) asked.shift();
    const positions = asked.map((one) => one.position);
    const found = await countReplayed(replica, positions);
    if (found.place !== place) return { kind: "away", why: "it is a replica of another database" };
    if (found.replayed === null) return { kind: "away", why: "it accepts writes, so it is not a replica" };
    const last = asked[found.replayed - 1];
    if (!last) return { kind: "behind", lagMs: undefined };
    const lagMs = found.replayed === asked.length ? 0 : clock.now() - last.at;
    return { kind: lagMs <= limits.database.replicaLagMs ? "fit" : "behind", lagMs };
  };
  return async () => {
    const late = Promise.withResolvers<ReplicaState>();
    const stopTimer = clock.startTimer(limits.database.replicaAnswerMs, () =>
      late.resolve({ kind: "away", why: "it does not respond" }),
    );
    const state = find().catch((error: unknown): ReplicaState => ({ kind: "away", why: reasonOf(error) }));
    return await Promise.race([state, late.promise]).finally(stopTimer);
  };
}

function createMetrics(registry: Registry) {
  const registers = [registry];
  return {
    reads: new Counter({
      name: "parley_replica_reads_total",
      help: "Reads that a replica can serve, by the server that served them.",
      labelNames: ["from"],
      registers,
    }),
    state: new Gauge({
      name: "parley_replica_state",
      help: "State of the read replica for this process: 1 for the current state.",
      labelNames: ["state"],
      aggregator: "max",
      registers,
    }),
    lag: new Gauge({
      name: "parley_replica_lag_seconds",
      help: "Maximum lag of the read replica at the last check; 0 without a replica.",
      aggregator: "max",
      registers,
    }),
  };
}
