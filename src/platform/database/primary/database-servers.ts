import type { Log } from "../../observing/log.ts";
import { Gauge, Registry } from "../../observing/prometheus.ts";
import { type Findings, nameOf, refusalWords } from "./primary-search.ts";

const states = ["serving", "standby", "refused", "away"] as const;

/** The state of one database server, as seen by this node. */
export type ServerReport = {
  readonly server: string;
  readonly state: (typeof states)[number];
  /** Absent if the server is unavailable or its provider hides the timeline. */
  readonly timeline?: number;
  /** The reason why a writable server is not used. */
  readonly why?: string;
};

export function readFindings({ asked, judgement }: Findings): ServerReport[] {
  return asked.map(({ server, state }): ServerReport => {
    const report = {
      server: nameOf(server),
      ...(state.kind !== "away" && state.identity && { timeline: state.identity.timeline }),
    };
    if (server === judgement.primary) return { ...report, state: "serving" };
    if (state.kind !== "writer") return { ...report, state: state.kind === "away" ? "away" : "standby" };
    const why = judgement.refused.find((one) => one.server === server)?.why;
    // Without a reason for a refusal, the server is another address of the primary, or the servers cannot be compared.
    return why ? { ...report, state: "refused", why: refusalWords(why) } : { ...report, state: "serving" };
  });
}

/**
 * Reports the state of the database's servers in two metrics. Logs when another server is used and when a server is
 * refused.
 */
export function createServerReports(log: Log): { readonly registry: Registry; report(findings: Findings): void } {
  let current: readonly ServerReport[] = [];
  let lastServing: string | undefined;
  const refusals = new Map<string, string>();
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: "parley_database_server_state",
    help: "State of each server of DATABASE_URL for this node: 1 for the current state.",
    labelNames: ["server", "state"],
    registers,
    collect() {
      this.reset();
      for (const one of current)
        for (const state of states) this.set({ server: one.server, state }, one.state === state ? 1 : 0);
    },
  });
  new Gauge({
    name: "parley_database_server_timeline",
    help: "Timeline of each server of DATABASE_URL, if it is known. If two servers accept writes, Parley uses the server with the higher timeline.",
    labelNames: ["server"],
    registers,
    collect() {
      this.reset();
      for (const { server, timeline } of current) if (timeline !== undefined) this.set({ server }, timeline);
    },
  });
  const logServing = (): void => {
    const serving = current.find(({ state }) => state === "serving");
    if (!serving || serving.server === lastServing) return;
    if (lastServing !== undefined)
      log.info("Another server of the database is now in use", { ...serving, before: lastServing });
    lastServing = serving.server;
  };
  const logRefused = (): void => {
    for (const { server, state, why } of current) {
      // If a refused server is unavailable for a moment, its refusal for the same reason is not logged again.
      if (state === "away" || refusals.get(server) === why) continue;
      if (why === undefined) refusals.delete(server);
      else {
        refusals.set(server, why);
        log.error("A server of the database accepts writes but is not used", { server, why });
      }
    }
  };
  return {
    registry,
    report(findings) {
      current = readFindings(findings);
      logServing();
      logRefused();
    },
  };
}
