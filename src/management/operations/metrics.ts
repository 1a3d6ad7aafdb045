import { Counter, Gauge, Registry } from "../../platform/observing/prometheus.ts";
import {
  type CounterTally,
  createCounter,
  createHistogram,
  type HistogramTally,
} from "../../platform/observing/tallies.ts";
import type { Siblings } from "../../platform/processes/collector.ts";

export type CountedRequest = {
  readonly method: string;
  /** The route's pattern. */
  readonly route: string;
  /** The method and route, such as `GET /api/healthz`. */
  readonly operation: string;
  readonly status: number;
  readonly ms: number;
  readonly isStep: boolean;
};

export type HttpMetrics = {
  count(request: CountedRequest): void;
  /**
   * Sets the function that returns the usage of shared resources by name: units in use, waiting callers and rejected
   * callers.
   */
  watch(usages: () => Usages): void;
  /** Returns the text of `/metrics` and its content type, for this process or for all processes of its node. */
  read(siblings?: Siblings): Promise<{ text: string; contentType: string }>;
  /** Returns the metrics of this process, for another process that answers a request. */
  own(): Promise<readonly object[]>;
};

/** The counters of one operation. Keeping them avoids resolving the labels for each request. */
class OperationTallies {
  readonly #seconds: HistogramTally;
  readonly #byStatus = new Map<number, CounterTally>();
  readonly #ofStatus: (status: number) => CounterTally;

  constructor(seconds: HistogramTally, ofStatus: (status: number) => CounterTally) {
    this.#seconds = seconds;
    this.#ofStatus = ofStatus;
  }

  count(status: number, ms: number): void {
    let answered = this.#byStatus.get(status);
    if (!answered) {
      answered = this.#ofStatus(status);
      this.#byStatus.set(status, answered);
    }
    answered.add();
    this.#seconds.observe(ms / 1000);
  }
}

type Usages = Readonly<Record<string, { readonly held: number; readonly waiting: number; readonly refused: number }>>;

/** A process that takes longer to report its counts is left out, and counted as missing. */
const othersWithinMs = 1_000;

/**
 * Creates the metrics of one app in a separate registry, so that two apps in one process (tests) are counted
 * separately. `process` distinguishes this process from the other processes of its node. Counters of all processes are
 * added up, and memory is reported for each process. The metrics of `others` are also reported.
 */
export function createHttpMetrics(options: { process?: string; others?: readonly Registry[] } = {}): HttpMetrics {
  const { process: name, others = [] } = options;
  const registry = new Registry();
  const registers = [registry];
  const requests = createCounter({
    name: "parley_http_requests_total",
    help: "Requests with a response.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const seconds = createHistogram({
    name: "parley_http_request_duration_seconds",
    help: "Time from the arrival of a request to its response.",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 240],
    registers,
  });
  const steps = new Counter({ name: "parley_steps_total", help: "Chat steps that succeeded.", registers });
  const known = new Map<string, OperationTallies>();
  const newTallies = (method: string, route: string, operation: string): OperationTallies => {
    const ofStatus = (status: number) => requests.at(method, route, `${status}`);
    const tallies = new OperationTallies(seconds.at(method, route), ofStatus);
    known.set(operation, tallies);
    return tallies;
  };
  registerMemory(registry, name);
  let usages = (): Usages => ({});
  registerPlaces(registry, () => usages());
  const all = (): Registry => Registry.merge([registry, ...others]);
  return {
    watch(given) {
      usages = given;
    },
    count({ method, route, operation, status, ms, isStep }) {
      (known.get(operation) ?? newTallies(method, route, operation)).count(status, ms);
      if (isStep && status === 200) steps.inc();
    },
    async read(siblings) {
      const whole = siblings ? await ofAll(await all().getMetricsAsJSON(), siblings) : all();
      return { text: await whole.metrics(), contentType: registry.contentType };
    },
    own: () => all().getMetricsAsJSON(),
  };
}

/** Registers metrics of shared resources, such as uploads, forms and threads. */
export function registerPlaces(registry: Registry, usages: () => Usages): void {
  const places = { labelNames: ["of"], registers: [registry] };
  new Gauge({
    ...places,
    name: "parley_places_taken",
    help: "Slots in use, by limiter.",
    collect() {
      for (const [of, { held }] of Object.entries(usages())) this.set({ of }, held);
    },
  });
  new Gauge({
    ...places,
    name: "parley_places_waiting",
    help: "Requests that wait for a slot, by limiter.",
    collect() {
      for (const [of, { waiting }] of Object.entries(usages())) this.set({ of }, waiting);
    },
  });
  new Counter({
    ...places,
    name: "parley_places_refused_total",
    help: "Requests that got no slot in time, by limiter.",
    collect() {
      this.reset();
      for (const [of, { refused }] of Object.entries(usages())) this.inc({ of }, refused);
    },
  });
}

/** Registers the resident memory of this process, labelled with the process's name if it has one. */
export function registerMemory(registry: Registry, name: string | undefined): void {
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory of this process.",
    labelNames: name === undefined ? [] : ["process"],
    registers: [registry],
    collect() {
      const bytes = process.memoryUsage.rss();
      if (name === undefined) this.set(bytes);
      else this.set({ process: name }, bytes);
    },
  });
}

/** Adds up the counters and times of all processes. */
async function ofAll(own: readonly object[], siblings: Siblings): Promise<{ metrics(): Promise<string> }> {
  const { answers, missing } = await siblings.ask("metrics", othersWithinMs);
  const { default: AggregatorRegistry } = await import("prom-client/lib/cluster.js");
  const whole = AggregatorRegistry.aggregate([own, ...answers.filter(isMetrics)]);
  const unanswered = new Gauge({
    name: "parley_processes_unanswered",
    help: "Processes of this node whose metrics are missing because they did not respond in time.",
    registers: [whole],
  });
  unanswered.set(missing);
  return whole;
}

function isMetrics(answer: unknown): answer is object[] {
  return Array.isArray(answer) && answer.every((metric) => typeof metric === "object" && metric !== null);
}
