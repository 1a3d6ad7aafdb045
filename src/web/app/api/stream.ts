import { request } from "./call.ts";

export type StreamEvent = { readonly event: string; readonly data: string; readonly id: string | undefined };

export type StreamInput = {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly signal: AbortSignal;
};

/**
 * Reads server-sent events with `fetch`, because `EventSource` cannot send the `Parley-App` header. Ends when the
 * service ends the stream, and throws an `ApiFailure` if the service refuses the stream. The caller reconnects by
 * calling this function again.
 */
export async function* stream(name: string, input: StreamInput): AsyncGenerator<StreamEvent, void, undefined> {
  const response = await request(name, { ...input, headers: { Accept: "text/event-stream" } });
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + value).split(/\r?\n\r?\n/);
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const event = readEvent(part);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Parses one block of lines into an event. Returns undefined if the block has no data, such as a comment. */
export function readEvent(block: string): StreamEvent | undefined {
  const fields = block.split(/\r?\n/).map((line) => /^(\w+):? ?(.*)$/s.exec(line));
  const lastOf = (name: string) => fields.findLast((field) => field?.[1] === name)?.[2];
  const data = fields.flatMap((field) => (field?.[1] === "data" ? [field[2] ?? ""] : []));
  if (data.length === 0) return undefined;
  return { event: lastOf("event") ?? "message", data: data.join("\n"), id: lastOf("id") };
}
