import { Refused, type Transport } from "../browser/transport.ts";
import { type FromFrame, isToFrame, type ToFrame } from "../conversation/preview-protocol.ts";

type Answered = { resolve(value: unknown): void; reject(error: Refused): void };
type Asked = Extract<FromFrame, { id: number }>;
export type Asking = Asked extends infer One ? (One extends Asked ? Omit<One, "id"> : never) : never;

/** The connection to the page around the frame. */
export type Channel = ReturnType<typeof openChannel>;

/** Opens the connection through its port. `hear` receives the messages that the page sends without a request. */
export function openChannel(port: MessagePort, hear: (message: ToFrame) => void) {
  const waiting = new Map<number, Answered>();
  let count = 0;
  port.onmessage = ({ data: message }: MessageEvent<unknown>) => {
    if (!isToFrame(message)) return;
    if (message.kind !== "answer" && message.kind !== "refusal") return hear(message);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === "answer") asked?.resolve(message.value);
    else asked?.reject(new Refused(message.code, message.message));
  };
  return {
    ask: (asking: Asking) =>
      new Promise<unknown>((resolve, reject) => {
        const id = ++count;
        waiting.set(id, { resolve, reject });
        port.postMessage({ ...asking, id });
      }),
    tell: (message: Extract<FromFrame, { kind: "log" | "shown" | "pressed" | "drawn" | "document" }>) =>
      port.postMessage(message),
  };
}

const ownOrigin = new URL(import.meta.url).origin;

/**
 * Creates the transport of a chat in a frame. The surrounding page starts, continues and reads the chat. `started` is
 * the response of a start that has already been made.
 */
export function createFrameTransport(channel: Channel, started: unknown): Transport {
  let first = started;
  return {
    async start() {
      const response = first ?? (await channel.ask({ kind: "start" }));
      first = undefined;
      return response;
    },
    say: (_sessionId, sent) => channel.ask({ kind: "say", ...sent }),
    goBack: (_sessionId, key) => channel.ask({ kind: "goBack", key }),
    // As for uploads, the session id is the only authorization.
    post: async (path, body) => {
      const response = await fetch(ownOrigin + path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Refused(String(response.status), "");
      return response.json();
    },
    read: () => channel.ask({ kind: "read" }),
    // As for uploads, the session id is the only authorization.
    once: (sessionId, act, init) =>
      fetch(`${ownOrigin}/api/v1/sessions/${sessionId}/${act}`, {
        ...init,
        headers: { ...(init.body !== undefined && { "Content-Type": "application/json" }), ...init.headers },
      }),
    log: (_sessionId, description, details) => channel.tell({ kind: "log", description, details }),
    // The session id is the only authorization for uploads. No credential is needed.
    async storeFiles(form, options) {
      const { uploadFiles } = await import("../browser/upload.ts");
      return uploadFiles(form, { ...options, base: ownOrigin });
    },
    // The surrounding page retries its requests itself.
    retryNow: () => {},
  };
}
