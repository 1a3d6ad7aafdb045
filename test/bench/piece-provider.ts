import { createServer, type ServerResponse } from "node:http";

/**
 * A model server for measuring, a process of its own: whatever it is asked it says words of six letters, one each `EVERY` ms and `PIECES` in
 * all, as the model's name `pieces-PIECES-EVERY` wants it. One timer serves all answers, so that it costs little beside what is measured.
 */
const tickMs = 10;

type Answering = { readonly response: ServerResponse; readonly everyMs: number; left: number; dueAt: number };

const answering = new Set<Answering>();
const piece = `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "pieces", choices: [{ index: 0, delta: { content: "words " } }] })}\n\n`;
const end = `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "pieces", choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}\n\ndata: [DONE]\n\n`;

const server = createServer(async (request, response) => {
  let text = "";
  for await (const part of request) text += String(part);
  const [, pieces = "100", everyMs = "20"] = /pieces-(\d+)-(\d+)/.exec(text) ?? [];
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  answering.add({ response, everyMs: Number(everyMs), left: Number(pieces), dueAt: performance.now() });
});
setInterval(() => {
  const now = performance.now();
  for (const one of answering) {
    for (; one.left > 0 && one.dueAt <= now; one.left--) {
      one.response.write(piece);
      one.dueAt += one.everyMs;
    }
    if (one.left > 0 && !one.response.destroyed) continue;
    one.response.end(end);
    answering.delete(one);
  }
}, tickMs);
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
