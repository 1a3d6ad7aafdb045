import type { CredentialsData } from "../../core/credentials/kind.ts";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { Headers } from "../safe-fetch/safe-fetch-exchange.ts";
import { inBatches } from "./batches.ts";
import type { CallEnd, DeferredService, DeferredWorld, WaitingCall } from "./deferred-service.ts";
import { postToService, type ServiceAnswer } from "./post-to-service.ts";

/** A service that takes many events in one request. */
export function defineEventService(spec: {
  readonly type: string;
  /** Its name for people. */
  readonly name: string;
  url(credentials: CredentialsData): string;
  headers?(credentials: CredentialsData): Headers;
  /** An event as the service reads it, under the id of its call. */
  eventOf(content: Readonly<Record<string, unknown>>, id: string): unknown;
  bodyOf(events: readonly unknown[], credentials: CredentialsData): unknown;
  /** Whether this response, which has a good status, is one of the service. */
  isAccepted(response: unknown): boolean;
}): DeferredService {
  const { type, name } = spec;
  const sent: CallEnd = { kind: "sent", description: `Event sent to ${name}` };

  const deliverBatch = async (batch: readonly PreparedEvent[], world: DeferredWorld): Promise<CallEnd[]> => {
    const events = batch.map(({ event }) => event);
    const { credentials } = world;
    const answer = await postToService(world, {
      url: spec.url(credentials),
      headers: spec.headers?.(credentials) ?? [],
      body: spec.bodyOf(events, credentials),
    });
    // One event that it does not read must not keep the others back.
    if (batch.length > 1 && (answer.status === 400 || answer.status === 413)) {
      const half = Math.ceil(batch.length / 2);
      return [...(await deliverBatch(batch.slice(0, half), world)), ...(await deliverBatch(batch.slice(half), world))];
    }
    const isRead = !("problem" in answer) && spec.isAccepted(parseJsonOr(answer.text, undefined));
    return batch.map(() => (isRead ? sent : failedEnd(name, answer)));
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

function prepare(
  { id, content }: WaitingCall,
  eventOf: (content: Readonly<Record<string, unknown>>, id: string) => unknown,
): PreparedEvent {
  const event = eventOf(isJsonObject(content) ? content : {}, id);
  return { event, bytes: Buffer.byteLength(JSON.stringify(event)) };
}

/** The end of a call that a service did not accept. */
export function failedEnd(name: string, answer: ServiceAnswer): CallEnd {
  const { status } = answer;
  const reason = "problem" in answer ? answer.problem : `${name} gave an answer that is not its own`;
  return {
    kind: "failed",
    description: `Event not sent to ${name}`,
    reason,
    // A refused key may be corrected, as that of a mail server.
    isRetryable: status === null || status < 400 || status >= 500 || [401, 403, 408, 429].includes(status),
    failure: `http.${status ?? "unanswered"}`,
  };
}
