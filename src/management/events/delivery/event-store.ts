import { boundAnswers } from "../../../platform/database/primary/answer-bound.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import type { DeliveryStatus } from "../event-deliveries.sql.ts";
import { type AttemptOutcome, saveOutcomes } from "./attempts.ts";
import {
  type DueEndpoint,
  type Lane,
  listDueEndpoints,
  releaseLanes,
  renewLanes,
  takeLanes,
  wantLanes,
} from "./lanes.sql.ts";
import {
  type DueMessage,
  type DueRequest,
  type EndpointNote,
  findOpenEndpoint,
  listDueMessages,
  noteEndpoint,
  type OpenEndpoint,
} from "./queue.sql.ts";

/**
 * The database operations of event delivery. Each operation ends within a limited time, because its caller blocks other
 * calls or holds lanes while it waits.
 */
export type EventStore = {
  listDueEndpoints(limit: number): Promise<DueEndpoint[]>;
  takeLanes(endpointIds: readonly string[]): Promise<Lane[]>;
  renewLanes(): Promise<(Lane & { readonly isWanted: boolean })[]>;
  wantLanes(endpointIds: readonly string[]): Promise<void>;
  releaseLanes(lanes: readonly Lane[]): Promise<void>;
  findOpenEndpoint(endpointId: string): Promise<OpenEndpoint | undefined>;
  listDueMessages(request: DueRequest): Promise<DueMessage[]>;
  noteEndpoint(endpointId: string, note: EndpointNote): Promise<string | undefined>;
  saveOutcomes(attempts: readonly AttemptOutcome[]): Promise<(DeliveryStatus | undefined)[]>;
};

/** Creates the event store of a process. `holder` is the id of the process in leases. */
export function createEventStore({
  sql,
  holder,
  answerMs,
}: {
  readonly sql: Sql;
  readonly holder: string;
  readonly answerMs?: number;
}): EventStore {
  const answered = boundAnswers(answerMs);
  return {
    listDueEndpoints: (limit) => answered(listDueEndpoints(sql, { holder, limit })),
    takeLanes: (endpointIds) => answered(takeLanes(sql, { holder, endpointIds })),
    renewLanes: () => answered(renewLanes(sql, holder)),
    wantLanes: (endpointIds) => answered(wantLanes(sql, { holder, endpointIds })),
    releaseLanes: (lanes) => answered(releaseLanes(sql, holder, lanes)),
    findOpenEndpoint: (endpointId) => answered(findOpenEndpoint(sql, endpointId)),
    listDueMessages: (request) => answered(listDueMessages(sql, request)),
    noteEndpoint: (endpointId, note) => answered(noteEndpoint(sql, { endpointId, holder }, note)),
    saveOutcomes: (attempts) => answered(saveOutcomes(sql, holder, attempts)),
  };
}
