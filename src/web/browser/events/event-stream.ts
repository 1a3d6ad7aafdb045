/** An event of a stream. `id` is undefined if the event has no id. */
export type StreamEvent = { readonly event: string; readonly id: string | undefined; readonly data: string };

/**
 * Returns the events of a response until it ends. Throws if the connection is lost, has been silent for too long, or
 * was interrupted by a change of the network.
 */
export async function* eventsOf({ body }: Response): AsyncGenerator<StreamEvent> {
  const reader = body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await unlessSilent(reader.read());
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = parts.pop() ?? "";
      yield* parts.flatMap(eventIn);
    }
  } finally {
    // The remaining events of the response are not needed.
    reader.cancel().catch(() => {});
  }
}

/** Returns the event in these lines, or an empty list if they contain no data. */
function eventIn(part: string): StreamEvent[] {
  const fields = new Map(part.split("\n").map((line) => [line.replace(/:.*/, ""), line.replace(/^\w*: ?/, "")]));
  const data = fields.get("data");
  return data === undefined ? [] : [{ event: fields.get("event") ?? "message", id: fields.get("id"), data }];
}

async function unlessSilent<Result>(reading: Promise<Result>): Promise<Result> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(new Error("The connection is silent"));
  const timer = setTimeout(end, maxSilenceMs);
  // After a change of the network or an interruption, a dead connection may never report an error.
  addEventListener("online", end);
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
    removeEventListener("online", end);
  }
}

/** The service writes a line at least every ten seconds. */
const maxSilenceMs = 30_000;
