import { StartError } from "../../config.ts";
import type { EventType } from "../../events.ts";
import { findWorkspace } from "../bots/find-bot.ts";
import { type Tools, UsageError } from "../command.ts";
import { type Call, openCalls, RefusedCall } from "../service.ts";
import type { ServiceOptions } from "../service-options.ts";
import { type Forwarded, forward } from "./forward.ts";
import { createPrinter, printed, type Received, readResends } from "./printed-calls.ts";

export type ListenOptions = ServiceOptions & {
  readonly events?: readonly EventType[];
  readonly endpoint?: string;
  readonly replay?: number;
  readonly show?: true;
  readonly count?: number;
  readonly workspace?: string;
  readonly json?: true;
};

const endpointPath = "/api/v1/workspaces/:workspaceId/event-endpoints/:endpointId";

type Outcome = Forwarded & { readonly deliveryId: string };

/** The pauses between requests: `pauseMs` while there are no events, and `awayMs` while the service is unreachable. */
const pauseMs = 500;
const awayMs = 2_000;
/**
 * The time after which outcomes are reported before the next call is forwarded. Without this report, the listener of a
 * slow receiver would appear disconnected.
 */
const reportMs = 10_000;

/**
 * Sends a workspace's events to an address on this machine, one after another. The states and transitions are:
 *
 *     (none) ─ createEventListener ─────────────────────→ listening
 *     listening ─ the service returns calls ────────────→ forwarding: the next request reports their outcomes
 *     listening ─ the service is unreachable ───────────→ listening: retries; unreported calls are returned again
 *     listening ─ the service has removed the listener ─→ (none): a new listener is created; events are lost meanwhile
 *     any ─ Ctrl-C, or `--count` calls ─────────────────→ (none): the listener is removed
 */
export async function listen(tools: Tools, to: string | undefined, options: ListenOptions): Promise<void> {
  const { count = Number.POSITIVE_INFINITY } = options;
  if (options.replay !== undefined && options.endpoint === undefined)
    throw new UsageError("--replay requires --endpoint, because a new listener has no earlier events.");
  const address = to === undefined ? undefined : readReceiver(to);
  const call = openCalls(options, tools.environment);
  const workspaceId = await findWorkspace(call, { name: options.workspace, url: options.url });
  const print = createPrinter(tools, {
    json: options.json === true,
    isShown: options.show === true || address === undefined,
  });
  const stop = stopSignal();
  const begin = (replayCount: number | undefined) => makeListener(call, { workspaceId, address, options, replayCount });
  let listener = await begin(options.replay);
  tools.tell(
    `Listening in workspace ${workspaceId}. ${address ? `Events are sent to ${address}` : "Events are printed"}; press Ctrl-C to end.`,
  );
  tools.tell(`Signing secret: ${listener.secret}`);
  const again = readResends((ids) => {
    if (ids.length === 0) tools.tell("There is no such event to send again.");
    stop.endPause();
  }, print.deliveriesOf);
  let outcomes: Outcome[] = [];
  let done = 0;
  let isAway = false;
  let wasRefused = false;
  try {
    while (!stop.signal.aborted && done < count) {
      const calls = await receive(call, listener.path, outcomes).catch((error: unknown) => reasonToWait(error));
      if (calls === "gone") {
        tools.tell(
          "The service has removed this listener, because it did not fetch events for minutes: later events are lost.",
        );
        listener = await begin(undefined);
        outcomes = [];
      } else if (calls instanceof StartError) {
        if (!isAway) tools.tell(`${calls.message} Trying again ...`);
        isAway = true;
        await stop.pause(awayMs);
      } else {
        isAway = false;
        outcomes = [];
        const isAgain = await redeliver(call, listener.path, again.take());
        const reportAt = performance.now() + reportMs;
        for (const each of calls.slice(0, count - done)) {
          const began = performance.now();
          const outcome = address ? await forward(address, each) : printed;
          print.line(each, outcome, performance.now() - began);
          outcomes.push(...each.deliveryIds.map((deliveryId) => ({ ...outcome, deliveryId })));
          wasRefused ||= !outcome.isDelivered;
          done++;
          if (stop.signal.aborted || performance.now() > reportAt) break;
        }
        if (calls.length === 0 && !isAgain) await stop.pause(pauseMs);
      }
    }
  } finally {
    again.close();
    await call(`DELETE ${endpointPath}`, { path: listener.path }).catch(() => undefined);
  }
  if (options.count !== undefined && wasRefused) tools.setExitCode(1);
}

/** Parses the receiver's address. The scheme may be missing. */
function readReceiver(text: string): URL {
  const address = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (address && /^https?:$/.test(address.protocol)) return address;
  throw new UsageError(`"${text}" is not an address such as http://localhost:4000/events.`);
}

type Place = { readonly workspaceId: string; readonly endpointId: string };
type Wish = {
  readonly workspaceId: string;
  readonly address: URL | undefined;
  readonly options: ListenOptions;
  readonly replayCount: number | undefined;
};

async function makeListener(call: Call, { workspaceId, address, options, replayCount }: Wish) {
  const body = {
    url: address?.href ?? "parley listen",
    ...(options.events && { eventTypes: [...options.events] }),
    ...(options.endpoint !== undefined && { endpointId: options.endpoint }),
    ...(replayCount !== undefined && { replayCount }),
  };
  const made = await call("POST /api/v1/workspaces/:workspaceId/event-listeners", { path: { workspaceId }, body });
  const { id, secret } = made.eventEndpoint;
  return { path: { workspaceId, endpointId: id }, secret };
}

async function receive(call: Call, path: Place, outcomes: readonly Outcome[]): Promise<Received[]> {
  return (await call(`POST ${endpointPath}/receive`, { path, body: { outcomes: [...outcomes] } })).calls;
}

/** Asks the service to send these deliveries again. Returns whether there were any deliveries. */
async function redeliver(call: Call, path: Place, deliveryIds: readonly string[]): Promise<boolean> {
  for (const deliveryId of deliveryIds)
    await call(`POST ${endpointPath}/deliveries/:deliveryId/redeliver`, { path: { ...path, deliveryId } });
  return deliveryIds.length > 0;
}

/**
 * Returns the reason to wait before the next request. Rethrows an error that waiting does not solve, such as an expired
 * token.
 */
function reasonToWait(error: unknown): "gone" | StartError {
  if (error instanceof RefusedCall && error.code === "event_endpoint.not_found") return "gone";
  if (error instanceof StartError && !(error instanceof RefusedCall && error.status < 500)) return error;
  throw error;
}

/** Returns a signal that Ctrl-C aborts, and a pause that Ctrl-C ends. */
function stopSignal() {
  const controller = new AbortController();
  let endPause = () => {};
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => {
      controller.abort();
      endPause();
    });
  }
  return {
    signal: controller.signal,
    endPause: () => endPause(),
    pause: async (ms: number): Promise<void> => {
      if (controller.signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      endPause = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}
