import { type Connection, openConnection, requestTail } from "./connection.ts";
import { openWindow } from "./window.ts";

type ConversationsOrder = {
  readonly host: string;
  readonly port: number;
  readonly publicId: string;
  readonly replies: readonly string[];
  readonly concurrency: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Called when the warm-up ends and measuring begins. */
  onBegin(): void;
  /** Aborting this signal ends the run early. */
  readonly signal: AbortSignal;
};

/**
 * Simulates visitors, each on a separate connection. A visitor starts a chat, sends all replies, and then starts the
 * next chat.
 */
export async function holdConversations(order: ConversationsOrder) {
  const { host, port, publicId, replies, concurrency, seconds, warmUpSeconds, signal } = order;
  const start = `POST /api/v1/bots/${publicId}/startChat${requestTail({ host, port, body: "{}" })}`;
  const tails = replies.map(
    (message) => `/continueChat${requestTail({ host, port, body: JSON.stringify({ message }) })}`,
  );
  const window = openWindow(performance.now(), { warmUpSeconds, seconds });
  let hasBegun = false;
  let failures = 0;
  let firstFailure: string | undefined;

  const visit = async (): Promise<void> => {
    const done = Promise.withResolvers<void>();
    let said = -1;
    let sessionId = "";
    let sentAt = 0;
    let connection: Connection | undefined;
    const sendNext = (): void => {
      sentAt = performance.now();
      if (window.isOver(sentAt) || signal.aborted) {
        done.resolve();
        return;
      }
      if (window.hasBegun(sentAt) && !hasBegun) {
        hasBegun = true;
        order.onBegin();
        sentAt = performance.now();
      }
      const tail = tails[said];
      if (tail === undefined) said = -1;
      connection?.send(tail === undefined ? start : `POST /api/v1/sessions/${sessionId}${tail}`);
    };
    connection = await openConnection({ host, port }, (status, body) => {
      window.take(sentAt, performance.now());
      if (status !== 200) {
        failures++;
        firstFailure ??= `${status} ${body.toString("utf8", 0, 500)}`;
        said = tails.length;
      } else {
        if (said < 0) sessionId = sessionIdIn(body);
        said++;
      }
      sendNext();
    });
    sendNext();
    await done.promise;
    connection.close();
  };
  await Promise.all(Array.from({ length: concurrency }, visit));
  const { latencies: steps, perSecond } = window.result();
  // Each request counts as one step, whether it starts a chat or sends a reply. A response with a status other than 200
  // counts as a failure.
  return { steps, perSecond, failures, firstFailure };
}

/** Returns the session's id from the response to a start: the 26 characters after the key. */
function sessionIdIn(body: Buffer): string {
  const key = body.indexOf('"sessionId":"');
  return body.toString("latin1", key + 13, key + 39);
}
