import { createServer, type IncomingHttpHeaders } from "node:http";
import type { CredentialsData } from "../../src/core/credentials/kind.ts";
import type { Report } from "../../src/core/interpreter/program/effect.ts";
import type { ModelEffect } from "../../src/core/interpreter/program/model.ts";
import type { StepFiles } from "../../src/effects/effect-context.ts";
import type { ModelUse } from "../../src/effects/model-use.ts";
import { performModel } from "../../src/effects/models/model.ts";
import { noHops } from "../../src/effects/safe-fetch/hops.ts";
import { createSafeStream } from "../../src/effects/safe-fetch/safe-fetch-stream.ts";

/** The response of a provider: JSON with a status, or a stream of events. */
export type ScriptedAnswer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly json: object }
  /** With `isCut`, the connection is closed after the last event. */
  | { readonly events: readonly (object | string)[]; readonly isCut?: boolean };

export type ScriptedRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The request body in the format of the provider. */
  readonly body: Readonly<Record<string, unknown>>;
};

export type ScriptedProvider = {
  /** Performs a model call. This server receives the call, regardless of the provider's address. */
  ask(effect: Partial<ModelEffect>, more?: AskOptions): Promise<Extract<Report, { kind: "model" }>>;
  /**
   * Sets the responses from now on. A list contains the responses in order, after which every request gets the status
   * 500.
   */
  answers(how: readonly ScriptedAnswer[] | ((request: ScriptedRequest) => ScriptedAnswer)): void;
  /** The requests since the last call of `answers`. */
  readonly asked: readonly ScriptedRequest[];
  connections(): number;
  close(): void;
};

type AskOptions = {
  readonly data?: CredentialsData;
  readonly files?: StepFiles;
  readonly models?: ModelUse;
  onText?(words: string): void;
};

const plain: ModelEffect = {
  kind: "model",
  credentialsType: "openai",
  credentialsId: "ours",
  model: "any",
  messages: [{ role: "user", content: "Hello" }],
  timeoutMs: 20_000,
};

/** Starts a provider on the loopback address. The test defines its responses. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  let next: (request: ScriptedRequest) => ScriptedAnswer = () => ({ status: 500, json: {} });
  let asked: ScriptedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const request = {
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: JSON.parse(Buffer.concat(parts).toString() || "{}"),
    };
    asked.push(request);
    const answer = next(request);
    if ("json" in answer) {
      response.writeHead(answer.status ?? 200, { "Content-Type": "application/json", ...answer.headers });
      response.end(JSON.stringify(answer.json));
      return;
    }
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const all = answer.events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
    if (!answer.isCut) return void response.end(all.join(""));
    // The text must be sent before the connection is closed.
    response.write(all.join(""), () => setImmediate(() => response.socket?.destroy()));
  });
  let connections = 0;
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const own = createSafeStream({ modelServers: new Set([origin]) });
  return {
    async ask(effect, { data, files, models, onText } = {}) {
      const report = await performModel(
        { ...plain, ...effect },
        {
          safeStream: (request) => {
            const { pathname, search } = new URL(request.url);
            return own({ ...request, url: `${origin}${pathname}${search}`, trusted: "models" });
          },
          hops: noHops,
          idempotencyKey: "of-this-effect",
          timeLeftMs: 30_000,
          credentials: {
            find: async () => ({ apiKey: "sk-planted-0123456789-4f2a", ...data }),
            noteUse: async () => {},
          },
          ...(files && { files }),
          ...(models && { models }),
          ...(onText && { onText }),
        },
      );
      if (report.kind !== "model") throw new Error(`A report of a ${report.kind}`);
      return report;
    },
    answers(how) {
      asked = [];
      const list = typeof how === "function" ? [] : [...how];
      next =
        typeof how === "function" ? how : () => list.shift() ?? { status: 500, json: { error: "No answer is left" } };
    },
    get asked() {
      return asked;
    },
    connections: () => connections,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
