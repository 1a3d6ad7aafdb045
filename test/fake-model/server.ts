import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { answerAsAnthropic } from "./anthropic.ts";
import { type FakeCall, sayings, toolResultIn, wantedCalls } from "./calls.ts";
import { failures, passing } from "./failures.ts";
import { answerAsResponses } from "./responses.ts";
import { missingReasoning, missingSignature, roundsIn, signature, thoughts } from "./thinking.ts";
import { listOf, problem, sendJson } from "./wire.ts";

export type AskedModel = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
};

type Watch = (asked: AskedModel) => PromiseLike<unknown> | undefined;
type WordWatch = (index: number) => PromiseLike<unknown> | undefined;

export type FakeModel = {
  /** The value for `baseUrl` in credentials. */
  readonly baseUrl: string;
  readonly origin: string;
  /** The requests to the models in the order of their arrival. */
  readonly asked: readonly AskedModel[];
  /** Calls `watch` with each request before it is answered, until the returned function is called. */
  onAsked(watch: Watch): () => void;
  /**
   * Calls `watch` with the index of each word of a streamed chat completion before it is sent, until the returned
   * function is called.
   */
  onWord(watch: WordWatch): () => void;
  /** Returns the number of responses whose connection was closed before their end. */
  left(): number;
  close(): Promise<void>;
};

/**
 * Starts a server on the loopback address with the APIs of providers, but without a model. It deterministically repeats
 * the last message word by word. The model's name selects the behaviour.
 */
export async function startFakeModel({ port = 0, wordMs = 0 } = {}): Promise<FakeModel> {
  const asked: AskedModel[] = [];
  const watches = new Set<Watch>();
  const wordWatches = new Set<WordWatch>();
  let left = 0;
  const server = createServer(async (incoming, response) => {
    const path = (incoming.url ?? "/").replace(/\?.*/, "");
    if (path.endsWith("/models"))
      return sendJson(response, 200, { object: "list", data: Object.keys({ ...models, ...failures }).map(named) });
    const text = await readText(incoming);
    const body = jsonIn(text);
    const one = { path: incoming.url ?? "/", headers: incoming.headers, body, text };
    asked.push(one);
    response.on("close", () => {
      if (!response.writableFinished) left++;
    });
    await Promise.all([...watches].map((watch) => watch(one)));
    const key = String(incoming.headers["x-api-key"] ?? incoming.headers.authorization);
    const sameKey = asked.filter(({ headers }) => key === String(headers["x-api-key"] ?? headers["authorization"]));
    const times = sameKey.filter((earlier) => earlier.text === text).length;
    const fail = failures[String(body["model"])];
    if (fail && (times === 1 || !passing.has(String(body["model"])))) return fail({ response, key });
    if (path.endsWith("/messages")) return answerAsAnthropic(body, response);
    if (path.endsWith("/responses")) return answerAsResponses(body, response, asked.length);
    if (path.endsWith("/audio/speech")) return speak(body, response);
    if (path.endsWith("/audio/transcriptions")) return sendJson(response, 200, { text: "What was said" });
    if (!path.endsWith("/chat/completions")) return sendJson(response, 404, problem("There is nothing here."));
    const behave = models[String(body["model"])];
    if (!behave) return sendJson(response, 404, problem(`The model \`${body["model"]}\` does not exist.`));
    const beforeWord = (index: number) => Promise.all([...wordWatches].map((watch) => watch(index)));
    await behave({ body, text, words: wordsFor(body), response, wordMs, beforeWord });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    asked,
    onAsked(watch) {
      watches.add(watch);
      return () => watches.delete(watch);
    },
    onWord(watch) {
      wordWatches.add(watch);
      return () => wordWatches.delete(watch);
    },
    left: () => left,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Asked = {
  readonly body: AskedModel["body"];
  readonly text: string;
  readonly words: readonly string[];
  readonly response: ServerResponse;
  readonly wordMs: number;
  beforeWord(index: number): Promise<unknown>;
};

type Behaviour = (asked: Asked) => Promise<void> | void;

/** The models of the Chat Completions API by name. */
const models: Readonly<Record<string, Behaviour>> = {
  "fails-429-once": (asked) => answer(asked, {}),
  echo: (asked) => answer(asked, {}),
  // An answer with realistic length and markup.
  story: (asked) => answer({ ...asked, words: (asked.words.join("") + story).match(/\S+\s*/g) ?? [] }, {}),
  thinking: (asked) => answer({ ...asked, words: ["<think>", "I ", "see", "</think>\n", ...asked.words] }, {}),
  long: (asked) => answer(asked, { reason: "length" }),
  // Uses all tokens for reasoning, so that no text is left.
  spends: (asked) => answer({ ...asked, words: [] }, { reason: "length" }),
  filtered: (asked) => answer(asked, { reason: "content_filter" }),
  empty: (asked) => answer({ ...asked, words: [] }, {}),
  untold: (asked) => answer(asked, { hasUsage: false }),
  breaks: (asked) => answer(asked, { isBroken: true }),
  endless: (asked) => answer(asked, { reason: null }),
  cut: (asked) => answer(asked, { isCut: true }),
  tools: (asked) => answer(asked, { calls: wantedCalls(asked.body), reason: "tool_calls" }),
  // Behaves like DeepSeek's reasoning models.
  thinks: (asked) => {
    const refusal = missingReasoning(asked.body);
    if (refusal) return sendJson(asked.response, 400, refusal);
    return answer(asked, { calls: wantedCalls(asked.body), reason: "tool_calls", thoughts });
  },
  // Behaves like Gemini.
  signs: (asked) => {
    const refusal = missingSignature(asked.body);
    if (refusal) return sendJson(asked.response, 400, refusal);
    const signed = signature(roundsIn(asked.body));
    return answer(asked, { calls: wantedCalls(asked.body), reason: "tool_calls", signed });
  },
  // Behaves like servers that return reasoning but reject this field in requests.
  forgets: (asked) => {
    if (asked.text.includes("reasoning_content")) {
      return sendJson(asked.response, 422, problem("Extra inputs are not permitted"));
    }
    return answer(asked, { calls: wantedCalls(asked.body), reason: "tool_calls", thoughts });
  },
  // Behaves like Perplexity.
  alternates: (asked) => {
    const roles = listOf(asked.body["messages"]).map(({ role }) => role);
    if (!roles.some((role, index) => role === roles[index - 1])) return answer(asked, {});
    const message =
      "After the (optional) system message(s), user or tool message(s) should alternate with assistant ones.";
    return sendJson(asked.response, 400, problem(message));
  },
  // A model that is known not to support a temperature.
  "gpt-5-fake": (asked) => answer(asked, {}),
  cold: (asked) => {
    if (asked.body["temperature"] === undefined) return answer(asked, {});
    const message = "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) is.";
    return sendJson(asked.response, 400, problem(message));
  },
  // Behaves like servers with poor support for tools.
  "tools-carelessly": (asked) => answer(asked, { calls: wantedCalls(asked.body), reason: "stop", isCareless: true }),
  "reads-badly": (asked) => {
    if (asked.body["stream"] !== true) return answer(asked, {});
    asked.response.writeHead(200, { "Content-Type": "text/event-stream" });
    asked.response.end("data: {this is no JSON\n\n");
    return Promise.resolve();
  },
  "long-line": ({ response }) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(`data: {"x":"${"x".repeat(10 * 1024 * 1024)}"}\n\n`);
  },
  // Supports neither schemas nor JSON mode.
  "without-schemas": (asked) => {
    const { response_format: format } = asked.body;
    if (typeof format === "object" && format !== null) {
      return sendJson(asked.response, 400, problem("response_format is not supported"));
    }
    return answer(asked, {});
  },
  "too-long": (asked) => {
    const { messages } = asked.body;
    if (!Array.isArray(messages) || messages.length <= 2) return answer(asked, {});
    return sendJson(asked.response, 400, problem("This model's maximum context length is 10 tokens."));
  },
  blind: (asked) => {
    if (!asked.text.includes("image_url")) return answer(asked, {});
    return sendJson(asked.response, 400, problem("This model takes no images"));
  },
  // Behaves like OpenRouter, which searches for a model that accepts pictures.
  "blind-unknown": (asked) => {
    if (!asked.text.includes("image_url")) return answer(asked, {});
    return sendJson(asked.response, 404, problem("No endpoints found that support image input"));
  },
  json: (asked) => answer({ ...asked, words: [jsonAsked(asked.body)] }, {}),
};

const story = `

That reminds me of a night train. It left the harbour at **half past nine**, with three things on board that nobody had asked for:

- a crate of oranges,
- a clock that went backwards,
- and a *very* small orchestra.

By midnight the oranges were gone, the clock said noon, and the orchestra had learned the song of the wheels. When the sun came up, the train stood beside the sea again, as if it had never left. What would you like to know about it?`;

type Manner = {
  readonly reason?: string | null;
  readonly isCut?: boolean;
  /** Whether the answer ends with an error. */
  readonly isBroken?: boolean;
  readonly hasUsage?: boolean;
  /**
   * Tool calls to send instead of the words. If the list is empty, the words are sent, and the answer ends with `stop`.
   */
  readonly calls?: readonly FakeCall[];
  readonly isCareless?: boolean;
  /** The reasoning that is streamed before the answer. */
  readonly thoughts?: string;
  readonly signed?: string;
};

async function answer({ body, words, response, wordMs, beforeWord }: Asked, manner: Manner): Promise<void> {
  const { isCut = false, isBroken = false, hasUsage = true, calls = [], isCareless = false, signed } = manner;
  const given = manner.reason === undefined ? "stop" : manner.reason;
  const reason = manner.calls?.length === 0 ? "stop" : given;
  const usage = { prompt_tokens: 11, completion_tokens: words.length, total_tokens: 11 + words.length };
  const told = hasUsage ? { usage } : {};
  const common = { id: "chatcmpl-fake", created: 1_700_000_000, model: body["model"] };
  if (body["stream"] !== true) {
    const message = {
      role: "assistant",
      content: calls.length > 0 ? null : words.join(""),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const choices = [{ index: 0, message, finish_reason: reason }];
    return sendJson(response, 200, { ...common, object: "chat.completion", choices, ...told });
  }
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const send = (choices: readonly object[], more: object = {}): void => {
    response.write(`data: ${JSON.stringify({ ...common, object: "chat.completion.chunk", choices, ...more })}\n\n`);
  };
  send([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);
  for (const piece of manner.thoughts?.match(/\S+\s*/g) ?? []) {
    send([{ index: 0, delta: { reasoning_content: piece }, finish_reason: null }]);
  }
  for (const [index, { id, type, function: called }] of calls.entries()) {
    const begun = { name: called.name, arguments: called.arguments.slice(0, 3) };
    const more = called.arguments.slice(3).match(/[\s\S]{1,100000}/g) ?? [];
    const told = isCareless
      ? [{ index, function: called }]
      : [
          { index, id, type, function: begun, ...(index === 0 && signing(signed)) },
          ...more.map((piece) => ({ index, function: { arguments: piece } })),
        ];
    for (const call of told) send([{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }]);
  }
  const said = calls.length > 0 ? sayings(body) : words;
  for (const [index, content] of (isCut ? said.slice(0, 2) : said).entries()) {
    await beforeWord(index);
    if (response.destroyed) return;
    send([{ index: 0, delta: { content }, finish_reason: null }]);
    if (wordMs > 0) await pause(wordMs);
  }
  if (isCut) {
    // The text must be sent before the connection is closed.
    await pause(50);
    response.socket?.destroy();
    return;
  }
  if (isBroken) {
    response.end(`data: ${JSON.stringify(problem("The server is going down."))}\n\n`);
    return;
  }
  if (reason !== null) send([{ index: 0, delta: {}, finish_reason: reason }]);
  if (hasUsage) send([], told);
  response.end("data: [DONE]\n\n");
}

function signing(signed: string | undefined) {
  return signed === undefined ? {} : { extra_content: { google: { thought_signature: signed } } };
}

/**
 * Returns the results of the tools if there are any, otherwise `You said: …` with the last message, split into words
 * with their trailing blanks.
 */
function wordsFor(body: AskedModel["body"]): string[] {
  const told = toolResultIn(body);
  if (told !== undefined) return `The tools said: ${told}`.match(/\S+\s*/g) ?? [];
  const { messages } = body;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const content = typeof last === "object" && last !== null && "content" in last ? last.content : "";
  const said = typeof content === "string" ? content : JSON.stringify(content);
  return `You said: ${said}`.match(/\S+\s*/g) ?? [];
}

/** Returns a text after `answer ` in the user's message: the first such text in the first round, and so on. */
function jsonAsked({ messages }: AskedModel["body"]): string {
  const told = Array.isArray(messages) ? messages : [];
  const tries = told.filter(({ role }) => role === "assistant").length;
  const first: unknown = told.find(({ role }) => role === "user")?.content;
  return `${first}`.split("answer ").slice(1)[tries]?.trim() ?? "";
}

function named(id: string) {
  return { id, object: "model", created: 1_700_000_000, owned_by: "parley" };
}

/** Sends a recording: the header of an MP3 file, followed by the spoken text. */
function speak(body: AskedModel["body"], response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "audio/mpeg" });
  response.end(`ID3 ${body["input"]}`);
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}

function jsonIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
