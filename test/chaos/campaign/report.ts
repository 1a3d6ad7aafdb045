import type { Arrival } from "../../support/event-ledger.ts";

/** A fault that has occurred. */
export type Struck = {
  readonly name: string;
  readonly atSeconds: number;
  /** The start of the fault by the wall clock, like the dates of events. */
  readonly begunOn: number;
  readonly movesClock: boolean;
  readonly lastedMs: number;
  /** The time from the end of the fault until a request that was sent after the fault was answered. */
  readonly recoveryMs: number;
  /** The longest wait of a visitor, from the first attempt to the answer. */
  readonly longestWaitMs: number;
  readonly answersMeanwhile: number;
};

export type CampaignReport = {
  readonly seconds: number;
  readonly conversations: number;
  /** Acknowledged answers, including repeated answers. */
  readonly answers: number;
  readonly struck: readonly Struck[];
  /** First arrivals of events. */
  readonly arrivals: readonly Arrival[];
  /** The number of repeated arrivals of events. */
  readonly repeats: number;
  /** Every broken promise. */
  readonly problems: readonly string[];
  /** The standard error of nodes. */
  readonly errors: string;
};

/** How many milliseconds after a correction of the clock events with wrong dates may still arrive. */
const movedForMs = 30_000;

/**
 * Returns how long events took from their cause to the receiver, overall and after each fault. Events and faults around
 * moves of the clock are left out.
 */
export function lagsOf({ arrivals, struck }: CampaignReport): { medianMs: number; afterFaultsMs: readonly Lag[] } {
  const moves = struck.filter(({ movesClock }) => movesClock);
  const dated = arrivals.filter(
    ({ receivedAt }) =>
      !moves.some(({ begunOn, lastedMs }) => receivedAt >= begunOn && receivedAt < begunOn + lastedMs + movedForMs),
  );
  const sorted = struck.toSorted((a, b) => a.begunOn - b.begunOn);
  const afterFaultsMs = sorted.flatMap(({ name, begunOn, movesClock }, index) => {
    const until = sorted[index + 1]?.begunOn ?? Number.POSITIVE_INFINITY;
    const lags = dated.filter(({ createdAt }) => createdAt >= begunOn && createdAt < until).map(lagOf);
    return movesClock || lags.length === 0 ? [] : [{ name, medianMs: middle(lags), longestMs: maximum(lags) }];
  });
  return { medianMs: middle(dated.map(lagOf)), afterFaultsMs };
}

function lagOf({ createdAt, receivedAt }: Arrival): number {
  return receivedAt - createdAt;
}

type Lag = { readonly name: string; readonly medianMs: number; readonly longestMs: number };

/** Returns a Markdown table of how often each fault occurred, and what it cost. */
export function tableOf(report: CampaignReport): string {
  const lags = Map.groupBy(lagsOf(report).afterFaultsMs, ({ name }) => name);
  const rows = [...Map.groupBy(report.struck, ({ name }) => name)].map(([name, list]) => {
    const ofEvents = (lags.get(name) ?? []).map(({ longestMs }) => longestMs);
    return [
      name,
      String(list.length),
      spread(list.map(({ lastedMs }) => lastedMs)),
      spread(list.map(({ recoveryMs }) => recoveryMs)),
      spread(list.map(({ longestWaitMs }) => longestWaitMs)),
      ofEvents.length === 0 ? "" : spread(ofEvents),
    ];
  });
  const head = [
    "fault",
    "times",
    "it lasted",
    "then answered after",
    "a visitor waited at most",
    "an event was late at most",
  ];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** How late an event may be after a fault: the lease of a dead node, plus the relay of waiting rows. */
const lateMs = 20_000;

/** Returns the whole report in a few sentences. */
export function summaryOf(report: CampaignReport): string {
  const { seconds, conversations, answers, struck, arrivals, repeats, problems } = report;
  const { medianMs, afterFaultsMs } = lagsOf(report);
  const longestMs = maximum(afterFaultsMs.map((lag) => lag.longestMs));
  const late = afterFaultsMs.filter((lag) => lag.longestMs > lateMs).length;
  return [
    `${struck.length} faults in ${Math.round(seconds / 60)} min (${seconds} s): ${conversations} conversations, ${answers} answers acknowledged`,
    `${arrivals.length} events, ${repeats} of them sent again; lag ${inSeconds(medianMs)} s in the middle, ${inSeconds(longestMs)} s at most after a fault`,
    `after ${late} of ${afterFaultsMs.length} faults an event was later than ${lateMs / 1_000} s`,
    problems.length === 0 ? "Every promise was kept." : `${problems.length} promises were broken.`,
  ].join("\n");
}

function spread(list: readonly number[]): string {
  return list.length === 1 ? inSeconds(maximum(list)) : `${inSeconds(middle(list))} (${inSeconds(maximum(list))})`;
}

function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

function middle(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
}

/** Returns the largest value, or 0 for an empty list. The list may be too long for `Math.max`. */
function maximum(list: readonly number[]): number {
  return list.reduce((most, value) => Math.max(most, value), 0);
}
