import type { Socket } from "bun";

/**
 * A model server for benchmarks in a separate process. The model's name `pieces-PIECES-EVERY` determines the response:
 * `PIECES` words of six letters, one every `EVERY` ms. The server supports only the necessary parts of HTTP and uses
 * one timer for all responses, so that it uses little processor time.
 */
const tickMs = 10;

type Answering = { readonly everyMs: number; left: number; dueAt: number };
type Connection = { request: string; answering: Answering | undefined };

const connections = new Set<Socket<Connection>>();
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const event = (choice: object, more: object = {}): string => {
  const head = { id: "x", object: "chat.completion.chunk", created: 1, model: "pieces" };
  return `data: ${JSON.stringify({ ...head, choices: [{ index: 0, ...choice }], ...more })}\n\n`;
};
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const piece = Buffer.from(chunk(event({ delta: { content: "words " } })));
const end = `${chunk(`${event({ delta: {}, finish_reason: "stop" }, { usage })}data: [DONE]\n\n`)}0\r\n\r\n`;

const server = Bun.listen<Connection>({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open(socket) {
      socket.data = { request: "", answering: undefined };
      connections.add(socket);
    },
    close: (socket) => void connections.delete(socket),
    data(socket, bytes) {
      const { data } = socket;
      data.request += bytes.toString();
      const [, pieces = "100", everyMs = "20"] = /pieces-(\d+)-(\d+)/.exec(data.request) ?? [];
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(data.request) ?? [];
      const body = data.request.indexOf("\r\n\r\n") + 4;
      if (body < 4 || Buffer.byteLength(data.request.slice(body)) < Number(length ?? 0)) return;
      data.request = "";
      data.answering = { everyMs: Number(everyMs), left: Number(pieces), dueAt: performance.now() };
      socket.write(head);
    },
  },
});
setInterval(() => {
  const now = performance.now();
  for (const socket of connections) {
    const { answering } = socket.data;
    if (!answering) continue;
    for (; answering.left > 0 && answering.dueAt <= now; answering.left--) {
      socket.write(piece);
      answering.dueAt += answering.everyMs;
    }
    if (answering.left > 0) continue;
    socket.data.answering = undefined;
    socket.write(end);
  }
}, tickMs);
process.stdout.write(`http://127.0.0.1:${server.port}\n`);
