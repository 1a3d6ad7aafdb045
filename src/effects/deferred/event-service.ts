import type { CredentialsKind } from "../../core/credentials/kind.ts";
import { isJsonObject, type JsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { limits } from "../../limits/index.ts";
import type { CallEnd, DeferredService, DeferredWorld, WaitingCall } from "./deferred-service.ts";
import { failedEnd, isSuccess, postToService } from "./post-to-service.ts";

/** Defines a service that accepts many events in one request. */
export function defineEventService(
  kind: CredentialsKind,
  spec: {
    readonly path: string;
    /** Converts an event to the service's format, with the id of its call. */
    eventOf(content: JsonObject, id: string): unknown;
    bodyOf(events: readonly unknown[]): JsonObject;
    /** Whether the response comes from the service. A sign-in page, for example, also has a success status. */
    isAnswer(answer: unknown): boolean;
  },
): DeferredService {
  const { type, name } = kind;
  const sent: CallEnd = { kind: "sent", description: `Event sent to ${name}` };

  const deliverBatch = async (batch: readonly PreparedEvent[], world: DeferredWorld): Promise<CallEnd[]> => {
    const body = spec.bodyOf(batch.map(({ event }) => event));
    const report = await postToService(kind, world, { path: spec.path, body });
    const status = "status" in report ? report.status : undefined;
    // A single rejected event must not prevent the delivery of other events.
    if (batch.length > 1 && (status === 400 || status === 413)) {
      const half = Math.ceil(batch.length / 2);
      const first = await deliverBatch(batch.slice(0, half), world);
      return [...first, ...(await deliverBatch(batch.slice(half), world))];
    }
    const isAccepted = "status" in report && isSuccess(report) && spec.isAnswer(parseJsonOr(report.text, undefined));
    return batch.map(() => (isAccepted ? sent : failedEnd(name, report)));
  };

  return {
    type,
    context: `While sending an event to ${name}`,
    async deliver(calls, world) {
      const ends: CallEnd[] = [];
      const prepared = calls.map((call) => prepare(call, spec.eventOf));
      for (const batch of inBatches(prepared, ({ bytes }) => bytes)) ends.push(...(await deliverBatch(batch, world)));
      return ends;
    },
  };
}

type PreparedEvent = { readonly event: unknown; readonly bytes: number };

function prepare({ id, content }: WaitingCall, eventOf: (content: JsonObject, id: string) => unknown): PreparedEvent {
  const event = eventOf(isJsonObject(content) ? content : {}, id);
  return { event, bytes: Buffer.byteLength(JSON.stringify(event)) };
}

/**
 * Divides items into batches that exceed neither the maximum number of items nor the maximum number of bytes. An item
 * that is too large forms its own batch.
 */
function inBatches<Item>(items: readonly Item[], bytesOf: (item: Item) => number): Item[][] {
  const batches: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const own = bytesOf(item);
    const last = batches.at(-1);
    bytes += own;
    if (last && last.length < limits.deferredCalls.batch && bytes <= limits.deferredCalls.batchBytes) {
      last.push(item);
    } else {
      batches.push([item]);
      bytes = own;
    }
  }
  return batches;
}
