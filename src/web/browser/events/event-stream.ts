/** An event of a stream; `id` if the event has one. */
export type StreamEvent = { readonly event: string; readonly id: string | undefined; readonly data: string };

/**
 * The events of a response, until it ends. Throws if its connection is lost, or silent for so long that it must be
 * lost.
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
    // Events that the response still delivers are not needed.
    reader.cancel().catch(() => {});
  }
}

/** The event in these lines; undefined if they are a comment. */
function eventIn(part: string): StreamEvent[] {
  const fields = new Map(part.split("\n").map((line) => [line.replace(/:.*/, ""), line.replace(/^\w*: ?/, "")]));
  const data = fields.get("data");
  return data === undefined ? [] : [{ event: fields.get("event") ?? "message", id: fields.get("id"), data }];
}

async function unlessSilent<Result>(reading: Promise<Result>): Promise<Result> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(new Error("The connection is silent"));
  const timer = setTimeout(end, maxSilenceMs);
  // A connection of another network, or from before an interruption, may never report that it is dead.
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
