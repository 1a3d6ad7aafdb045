import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Clock, systemClock } from "../../platform/concurrency/clock.ts";
import { share } from "../../platform/concurrency/share.ts";
import type { OutageWatch } from "../../platform/database/outages/outage-watch.ts";
import { outageOf } from "../../platform/database/primary/outage.ts";

/** Each part is checked at most once in this time, regardless of the number of probes. */
const keptMs = 1_000;

/** Sentences about the faults that prevent requests from being served. A healthy part is absent. */
type Faults = { database?: string; threads?: string; processes?: string };

/**
 * Checks whether requests can be served. Both functions reject with `server.unavailable`, whose `data` contains the
 * faults.
 */
export type Readiness = {
  /** Checks that the database accepts the writes of a chat and that a worker thread responds. */
  requireOwn(): Promise<void>;
  /** Like `requireOwn`, for every process of this node, because the caller's next request may reach any process. */
  requireNode(): Promise<void>;
};

type Asked = {
  readonly outage: OutageWatch;
  readonly threads: { ping(): Promise<void> };
  /**
   * Asks the node's other processes whether they are ready. Returns their responses, and the number of processes that
   * did not respond. Absent if the node has no other processes.
   */
  readonly askSiblings?: () => Promise<{ readonly answers: readonly unknown[]; readonly missing: number }>;
};

export function createReadiness(deps: Asked, clock: Clock = systemClock): Readiness {
  const ping = share(() => deps.threads.ping(), { keptMs, clock });
  const askSiblings = share(async () => deps.askSiblings?.(), { keptMs, clock });

  const ownFaults = async (): Promise<Faults> => {
    const [database, threads] = await Promise.all([faultOf(deps.outage.check(), clock), faultOf(ping(), clock)]);
    if (database && outageOf(database.cause)) deps.outage.failed(database.cause);
    return {
      ...(database && { database: outageOf(database.cause)?.says ?? "it does not respond, or responds with an error" }),
      ...(threads && { threads: "the worker threads do not respond" }),
    };
  };
  const processFaults = async (): Promise<Faults> => {
    const collected = await askSiblings();
    if (!collected) return {};
    const count = collected.missing + collected.answers.filter((isReady) => isReady !== true).length;
    return count === 0 ? {} : { processes: `other processes of this node are not ready: ${count}` };
  };
  return {
    requireOwn: async () => requireNone(await ownFaults()),
    async requireNode() {
      const [own, processes] = await Promise.all([ownFaults(), processFaults()]);
      requireNone({ ...own, ...processes });
    },
  };
}

function requireNone(faults: Faults): void {
  if (Object.keys(faults).length === 0) return;
  throw new AppError("server.unavailable", {
    message: "Requests cannot be served at the moment: see data for the reason.",
    data: faults,
  });
}

/** Returns the failure of the work, or a timeout; undefined if the work succeeds. */
async function faultOf(work: Promise<unknown>, clock: Clock): Promise<{ cause: unknown } | undefined> {
  const timeout = Promise.withResolvers<{ cause: unknown }>();
  const stopTimer = clock.startTimer(limits.process.readinessMs, () =>
    timeout.resolve({ cause: new Error("too slow") }),
  );
  const done = work.then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  );
  const fault = await Promise.race([done, timeout.promise]);
  stopTimer();
  return fault;
}
