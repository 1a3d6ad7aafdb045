import { Type } from "@sinclair/typebox";
import { type EventReceiver, startEventReceiver } from "../../support/event-receiver.ts";
import type { Bench } from "./bench.ts";
import { askQuestions, fiveReplies } from "./flows.ts";

/** A published bot with five questions, and an endpoint that receives every event of its chats. */
export type Listened = {
  readonly publicId: string;
  readonly receiver: EventReceiver;
  readonly secret: string;
  /** Deletes the endpoint and all its waiting events. */
  end(): Promise<void>;
};

/** The number of events of a chat: its start, its answers and its end. */
export const eventsOfChat = fiveReplies.length + 2;

/** Runs the work with a receiver that responds after `delayMs`. */
export async function whileListening<Result>(
  bench: Bench,
  delayMs: number,
  work: (listened: Listened) => Promise<Result>,
): Promise<Result> {
  const receiver = await startEventReceiver();
  try {
    return await work(await openListened(bench, receiver, delayMs));
  } finally {
    await receiver.close();
  }
}

async function openListened(bench: Bench, receiver: EventReceiver, delayMs: number): Promise<Listened> {
  const { publicId, workspaceId } = await bench.publish(askQuestions());
  const path = `/api/v1/workspaces/${workspaceId}/event-endpoints`;
  const Made = Type.Object({ eventEndpoint: Type.Object({ id: Type.String(), secret: Type.String() }) });
  const eventTypes = ["result.started", "result.answered", "result.completed"];
  const { eventEndpoint } = await bench.service.post(path, { url: receiver.url, eventTypes }, Made);
  const blockIds = fiveReplies.map((_, index) => `in${index}`);
  await receiver.begin({ secret: eventEndpoint.secret, delayMs, blockIds });
  const { secret } = eventEndpoint;
  return { publicId, receiver, secret, end: () => bench.service.delete(`${path}/${eventEndpoint.id}`) };
}
