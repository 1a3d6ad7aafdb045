import type { StreamRequest } from "../../src/effects/safe-fetch/safe-fetch-stream.ts";
import type { Dependencies } from "../../src/service/dependencies.ts";
import { serve } from "../../src/service/main.ts";
import { heldLine, holdsVariable, usualClaimsVariable } from "./held-service-settings.ts";
import { outsideFetch } from "./outside.ts";

/**
 * The service in a separate process. In contrast to production, its flows may call the loopback address, and its claims
 * are short. A call with a ticket hangs at the configured point until the process is killed. If the point begins with
 * "all at", the whole process is suspended until the test continues it.
 */
process.env["TZ"] = "UTC";

const holds = new Map<string, unknown>(Object.entries(JSON.parse(process.env[holdsVariable] ?? "{}")));

function pass(place: string, text: string): Promise<void> {
  const [ticket = ""] = /ticket-\d+/.exec(text) ?? [];
  const isAll = holds.get(ticket) === `all at ${place}`;
  if (holds.get(ticket) !== place && !isAll) return Promise.resolve();
  if (isAll) holds.delete(ticket);
  process.stdout.write(heldLine(ticket, process.pid));
  if (!isAll) return new Promise(() => {});
  process.kill(process.pid, "SIGSTOP");
  return Promise.resolve();
}

function textOf({ body = "" }: Pick<StreamRequest, "body">): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

/** Returns the number of this model call: one more than the number of previous answers in the text. */
function roundIn(text: string): number {
  return (text.match(/"role":"assistant"/g)?.length ?? 0) + 1;
}

function held({ safeStream, saves, reports, ...deps }: Dependencies): Dependencies {
  const call = outsideFetch();
  return {
    ...deps,
    ...(process.env[usualClaimsVariable] === undefined && { claimTimes: { seconds: 2, renewMs: 500 } }),
    reports: {
      ...reports,
      async insert(sessionId, kept) {
        await reports.insert(sessionId, kept);
        await pass("the report", kept.map(({ report }) => report).join(" "));
      },
    },
    async safeStream(request) {
      const text = textOf(request);
      const place = `model ${roundIn(text)}`;
      await pass(`before ${place}`, text);
      const answer = await safeStream(request);
      const pieces = new TransformStream<Uint8Array, Uint8Array>({
        async transform(piece, controller) {
          controller.enqueue(piece);
          await pass(`during ${place}`, text);
        },
        flush: () => pass(`after ${place}`, text),
      });
      return { ...answer, body: answer.body.pipeThrough(pieces) };
    },
    async safeFetch(request) {
      await pass("before the call", request.body ?? "");
      const answer = await call(request);
      await pass("after the call", request.body ?? "");
      return answer;
    },
    saves: {
      ...saves,
      steps: {
        ...saves.steps,
        async save(row) {
          await pass("before the save", row.response ?? "");
          const isSaved = await saves.steps.save(row);
          await pass("after the save", row.response ?? "");
          return isSaved;
        },
      },
    },
  };
}

process.exit(await serve(process.env, { dependencies: held }));
