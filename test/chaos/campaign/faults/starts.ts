import { waitFor } from "../../../support/wait.ts";
import { between, type Fault } from "../field.ts";
import { end } from "./processes.ts";

const listensWithinMs = 240_000;

/**
 * Matches all statements except the search for the writable server. If the search failed, no connection would be made
 * and no other statement sent.
 */
const whatConnectionsAsk = /^(?!.*pg_is_in_recovery)/s;

/** Nodes start while the database fails, so that each statement is sent for the first time during the fault. */
export const startFaults: readonly Fault[] = ["53100", "57014"].map((sqlState) => ({
  name: `nodes come up while statements meet ${sqlState}`,
  weight: 0.4,
  async strike(field) {
    const { nodes, proxy, random } = field;
    const before = nodes.running();
    const pids = new Set(before.flatMap(({ service, pids: serving }) => [service.pid, ...serving]));
    const ended = end(field, [...pids], "SIGKILL");
    const isNew = () => nodes.running().some(({ service }) => before.every((other) => other.service !== service));
    await Promise.race([ended, waitFor(isNew, { withinMs: listensWithinMs, what: "a new node" })]);
    const injected = proxy.inject({ statement: whatConnectionsAsk, kind: "error", sqlState });
    await Bun.sleep(between(random, 1_000, 3_000));
    injected.end();
    await ended;
  },
}));
