import { createClient } from "../../support/client.ts";
import { readDocument } from "./document.ts";
import { describeRequest, writeRequest } from "./draft.ts";
import { faultOf } from "./judge.ts";
import { makeMaterial } from "./valid-requests.ts";
import { type Sent, visitOf } from "./visits.ts";
import { openWire, type Wire, type WireOutcome } from "./wire.ts";
import { makeWorld, type World } from "./world.ts";

export type FuzzOptions = {
  readonly url: string;
  readonly adminToken: string;
  readonly seed: number;
  readonly onRequest?: (sent: Sent, outcome: WireOutcome) => void;
};

/** Sends requests that are determined by the seed, and records the problems of their responses. */
export type Fuzzer = {
  /** Continues until this total number of requests was sent. */
  send(requests: number): Promise<void>;
  repeat(visit: number): Promise<void>;
  report(): FuzzReport;
};

export type FuzzReport = {
  readonly requests: number;
  readonly visits: number;
  /** The number of responses by status, and of requests without a response: `closed` and `silent`. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly longestMs: number;
  readonly operations: number;
  /** The operations that accepted no request. */
  readonly unmet: readonly string[];
  /** The problems, each with its seed, its visit and the requests of the visit. */
  readonly faults: readonly string[];
};

/** The time limit for a response. No request takes longer than a few seconds. */
const answerWithinMs = 60_000;
const clients = 8;
/** Requests erase objects that other requests need, so all objects are created again after this number of visits. */
const visitsPerWorld = 400;
const reportedFaults = 20;

export async function createFuzzer({ url, adminToken, seed, onRequest }: FuzzOptions): Promise<Fuzzer> {
  const { hostname, port, host } = new URL(url);
  const document = await readDocument(url);
  const material = makeMaterial(document, { seed, host });
  const client = createClient({ baseUrl: url });
  const worlds = new Map<number, Promise<World>>();
  const outcomes: Record<string, number> = {};
  const succeeded = new Set<string>();
  const faults: string[] = [];
  let [sentCount, visits, longestMs] = [0, 0, 0];

  const worldOf = (visit: number): Promise<World> => {
    const number = Math.floor(visit / visitsPerWorld);
    const made = worlds.get(number) ?? makeWorld(client, adminToken);
    worlds.set(number, made);
    worlds.delete(number - 2);
    return made;
  };

  const run = async (visit: number, wire: Wire): Promise<void> => {
    const world = await worldOf(visit);
    const steps = visitOf({ visit, seed, world, material });
    const told: string[] = [];
    for (let step = steps.next(); !step.done; ) {
      const sent = step.value;
      told.push(describeRequest(sent.draft));
      const startedAt = performance.now();
      const outcome = await wire.exchange(writeRequest(sent.draft), answerWithinMs);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      sentCount++;
      const status = outcome.kind === "answered" ? String(outcome.status) : outcome.kind;
      outcomes[status] = (outcomes[status] ?? 0) + 1;
      if (status === "200" && sent.operation) succeeded.add(nameOf(sent.operation));
      onRequest?.(sent, outcome);
      const fault = faultOf(sent, outcome, world);
      if (fault !== undefined && faults.length < reportedFaults) {
        const again = `npm run fuzz -- --seed ${seed} --only ${visit}`;
        faults.push([`A request ${fault}`, `(${again}; the last of these)`, ...told].join("\n"));
      }
      step = steps.next(outcome);
    }
  };

  const withWire = async (work: (wire: Wire) => Promise<void>): Promise<void> => {
    const wire = openWire({ host: hostname, port: Number(port) });
    await work(wire);
    wire.close();
  };

  return {
    async send(requests) {
      const work = async (wire: Wire) => {
        while (sentCount < requests) await run(visits++, wire);
      };
      await Promise.all(Array.from({ length: clients }, () => withWire(work)));
    },
    repeat: (visit) => withWire((wire) => run(visit, wire)),
    report: () => ({
      ...{ requests: sentCount, visits, outcomes, longestMs, faults },
      operations: document.operations.length,
      unmet: document.operations.map(nameOf).filter((name) => !succeeded.has(name)),
    }),
  };
}

function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}
