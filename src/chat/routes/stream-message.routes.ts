import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { compatibleTag } from "../../management/operations/operation-words.ts";
import { originsOf } from "../../management/operations/origins.ts";
import { softenedStream, streamMessage } from "../existing-clients/stream-message.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const operation = operationFor<ChatDependencies>(compatibleTag);

const answerType = "text/plain; charset=utf-8";

/** Prevents proxies from caching, transforming or buffering the lines, which must arrive when they are written. */
const answerHeaders = {
  "Content-Type": answerType,
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/** The endpoint at which existing clients read streamed answers. */
export const streamMessageOperations: readonly Operation[] = [
  operation({
    id: "typebotStreamMessage",
    route: "POST /api/v2/sessions/:sessionId/streamMessage",
    host: "chat",
    act: "steps",
    auth: needsNoToken,
    body: Type.Object({ messages: Type.Optional(Type.Unknown({ description: "Ignored." })) }),
    bodyBytes: limits.request.chatBodyBytes,
    answer: Type.String(),
    answerType,
    errors: ["session.not_found", "session.expired", "workspace.suspended", "origin.not_allowed"],
    soften: async (deps, error, { params }) => {
      const lines = await softenedStream(deps, error, String(params["sessionId"]));
      return lines === undefined ? undefined : new Response(lines, { headers: answerHeaders });
    },
    async handle(deps, { params: { sessionId }, headers, request }) {
      const hops = deps.hops.read(request);
      const lines = await streamMessage(deps, { sessionId, origins: originsOf(headers), hops });
      return new Response(streamOf(lines, request.signal), { headers: answerHeaders });
    },
  }),
];

/** Writes each line when it arrives. The stream ends when the client disconnects, but the step continues. */
function streamOf(lines: AsyncGenerator<string, void>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const end = () => void lines.return();
  signal.addEventListener("abort", end, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
