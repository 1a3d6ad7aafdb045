export type Connection = Awaited<ReturnType<typeof openConnection>>;

/** Receives the status and the body of a response. The bytes are valid only until the callback returns. */
type OnAnswer = (status: number, body: Buffer) => void;

const headEnd = Buffer.from("\r\n\r\n");
const lengthNames = [Buffer.from("Content-Length: "), Buffer.from("content-length: ")];
const nothing = Buffer.alloc(0);

/**
 * Opens a kept-alive HTTP connection that sends one request at a time. The load generator shares two cores with the
 * service and the database, so this client must be cheap. It uses no promises, builds no objects and reads no header
 * except the length.
 */
export async function openConnection({ host, port }: { host: string; port: number }, onAnswer: OnAnswer) {
  let received: Buffer = nothing;
  let isClosing = false;

  const take = (): void => {
    const end = received.indexOf(headEnd);
    if (end < 0) return;
    const bodyStart = end + headEnd.length;
    const bodyEnd = bodyStart + contentLength(received, end);
    if (received.length < bodyEnd) return;
    const answer = received;
    received = answer.length === bodyEnd ? nothing : answer.subarray(bodyEnd);
    onAnswer(digit(answer, 9) * 100 + digit(answer, 10) * 10 + digit(answer, 11), answer.subarray(bodyStart, bodyEnd));
  };
  const socket = await Bun.connect({
    hostname: host,
    port,
    socket: {
      data(_socket, chunk) {
        received = received.length === 0 ? Buffer.from(chunk) : Buffer.concat([received, chunk]);
        take();
      },
      close() {
        if (!isClosing) throw new Error("The service closed a connection");
      },
      error(_socket, error) {
        throw error;
      },
    },
  });
  return {
    /** Sends a whole HTTP request. The response is passed to `onAnswer`. */
    send: (request: string) => void socket.write(request),
    close(): void {
      isClosing = true;
      socket.end();
    },
  };
}

/** Returns the rest of a request after its path. Requests with the same body share this text. */
export function requestTail({ host, port, body }: { host: string; port: number; body: string }): string {
  return ` HTTP/1.1\r\nHost: ${host}:${port}\r\nX-Forwarded-For: 203.0.113.7\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function contentLength(bytes: Buffer, headEndsAt: number): number {
  for (const name of lengthNames) {
    const at = bytes.indexOf(name);
    if (at < 0 || at > headEndsAt) continue;
    let length = 0;
    for (let index = at + name.length; index < headEndsAt; index++) {
      const value = digit(bytes, index);
      if (value < 0 || value > 9) break;
      length = length * 10 + value;
    }
    return length;
  }
  return 0;
}

function digit(bytes: Buffer, index: number): number {
  return (bytes[index] ?? 0) - 48;
}
