import type { Message } from "../../conversation/step.ts";
import { ApiFailure, call, type Input } from "../api/index.ts";
import type { TracedStep } from "./trace.ts";

export type StartPlace =
  | { readonly type: "group"; readonly groupId: string }
  | { readonly type: "event"; readonly eventId: string }
  | { readonly type: "block"; readonly blockId: string };

export type Starting = {
  readonly startFrom: StartPlace | undefined;
  readonly variables: Readonly<Record<string, string>>;
};

export type PreviewService = ReturnType<typeof previewServiceFor>;

type Body = NonNullable<Input<"POST /api/v1/bots/:botId/preview/startChat">["body"]>;
/** A flow that is previewed instead of the draft. */
export type SuppliedFlow = NonNullable<Body["bot"]>;

export function previewServiceFor(botId: string, flow?: SuppliedFlow) {
  return {
    start: ({ startFrom, variables }: Starting, signal: AbortSignal): Promise<unknown> =>
      patiently(() =>
        call("POST /api/v1/bots/:botId/preview/startChat", {
          path: { botId },
          body: {
            isTraced: true,
            prefilledVariables: variables,
            ...(startFrom && { startFrom }),
            ...(flow && { bot: flow }),
          },
          signal,
        }),
      ),
    say: (sessionId: string, message: Message, key: string, afterRevision?: number): Promise<unknown> =>
      patiently(() =>
        call("POST /api/v1/sessions/:sessionId/continueChat", {
          path: { sessionId },
          body: { message: writable(message), ...(afterRevision !== undefined && { afterRevision }) },
          headers: { "Idempotency-Key": key },
        }),
      ),
    goBack: (sessionId: string, key: string): Promise<unknown> =>
      patiently(() =>
        call("POST /api/v1/sessions/:sessionId/goBack", { path: { sessionId }, headers: { "Idempotency-Key": key } }),
      ),
    /**
     * Ends the current waiting time. Not retried, because a second request could end the waiting time of the next
     * question.
     */
    passTime: (sessionId: string): Promise<unknown> =>
      call("POST /api/v1/sessions/:sessionId/passTime", { path: { sessionId } }),
    /** Sends a call to the author's newest preview that waits at this block. */
    async sendCall(blockId: string, body: Readonly<Record<string, unknown>>, key: string): Promise<void> {
      await patiently(() =>
        call("POST /api/v1/bots/:botId/blocks/:blockId/web/executeTestWebhook", {
          ...{ path: { botId, blockId }, body, headers: { "Idempotency-Key": key } },
        }),
      );
    },
    /** Reads the chat with its whole conversation. */
    read: async (sessionId: string): Promise<unknown> =>
      (await patiently(() => call("GET /api/v1/sessions/:sessionId", { path: { sessionId } }))).session,
    async trace(sessionId: string, after: number): Promise<readonly TracedStep[]> {
      const found: TracedStep[] = [];
      for (;;) {
        const query = { after: found.at(-1)?.revision ?? after };
        const page = await patiently(() =>
          call("GET /api/v1/sessions/:sessionId/trace", { path: { sessionId }, query }),
        );
        found.push(...page.steps);
        if (!page.hasMore || page.steps.length === 0) return found;
      }
    },
    async set(
      sessionId: string,
      variables: Readonly<Record<string, string | readonly string[] | null>>,
    ): Promise<void> {
      const body = {
        variables: Object.fromEntries(
          Object.entries(variables).map(([name, value]) => [name, isText(value) ? value : [...value]]),
        ),
      };
      await patiently(() => call("PUT /api/v1/sessions/:sessionId/variables", { path: { sessionId }, body }));
    },
  };
}

function isText(value: string | readonly string[] | null): value is string | null {
  return value === null || typeof value === "string";
}

/** Converts a message to the type of the API, whose lists are not read-only. */
function writable(message: Message) {
  if (message?.type !== "text") return message;
  const { attachedFileUrls, ...rest } = message;
  return { ...rest, ...(attachedFileUrls && { attachedFileUrls: [...attachedFileUrls] }) };
}

/** Retries a request that may succeed later. The request must be safe to send twice. */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const mayPass = error instanceof ApiFailure && [0, 409, 429, 502, 503].includes(error.status);
      if (!mayPass || attempt >= mostTries || !isPassing(error)) throw error;
      const ms = (error.retryAfter ?? 0) * 1_000 || 400 * 2 ** attempt;
      await new Promise((resolve) => setTimeout(resolve, Math.min(ms, 10_000)));
    }
  }
}

/** Whether the error may resolve by itself. Among conflicts, only `session.busy` does. */
function isPassing({ status, code }: ApiFailure): boolean {
  return status !== 409 || code === "session.busy";
}

const mostTries = 4;
