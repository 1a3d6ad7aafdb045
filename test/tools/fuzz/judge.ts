import { errorCatalogue } from "../../../src/errors.ts";
import { isErrorCode } from "../../../src/platform/http/validation.ts";
import { checkContract } from "../../support/client.ts";
import { isHandedOn } from "./draft.ts";
import { isPlain } from "./odd-values.ts";
import type { Sent } from "./visits.ts";
import type { Answered, WireOutcome } from "./wire.ts";
import { foreignMark, type World } from "./world.ts";

/** The statuses of Bun's own responses, which have no body. */
const unspoken = [400, 413, 431, 505];

/** Returns the problem of a response, or undefined if there is no problem. */
export function faultOf(sent: Sent, outcome: WireOutcome, world: World): string | undefined {
  const isOurs = isHandedOn(sent.draft);
  switch (outcome.kind) {
    case "silent":
      return "was not answered in time";
    case "closed":
      return isOurs ? "was not answered, but its connection closed" : undefined;
    case "answered":
      if (!isOurs && outcome.body.length === 0 && unspoken.includes(outcome.status)) return undefined;
      return faultOfAnswer(sent, outcome, world);
  }
}

function faultOfAnswer(sent: Sent, answer: Answered, world: World): string | undefined {
  const { draft, operation } = sent;
  const text = answer.body.toString();
  if (isOverloaded(sent, text)) return undefined;
  // Status 502 reports a failure of another server, if the operation documents it. Every other server error is a
  // problem.
  if (answer.status >= 500 && answer.status !== 502) return `was answered with ${answer.status}: ${text.slice(0, 300)}`;
  if (!answer.headers.has("x-request-id")) return `was answered with ${answer.status} without an X-Request-Id`;
  if (text.includes(foreignMark) && !hasAdminToken(sent, world))
    return `was told of somebody else: ${text.slice(0, 300)}`;
  if (draft.method === "HEAD" || draft.method === "OPTIONS") return undefined;
  if (answer.status >= 400 && !isErrorPage(answer)) {
    const fault = faultOfError(answer, text);
    if (fault !== undefined) return `${fault}: ${answer.status} ${text.slice(0, 300)}`;
  }
  if (!operation || !isJson(answer)) return undefined;
  try {
    checkContract({ method: draft.method, path: draft.path }, { ...answer, body: JSON.parse(text) });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function faultOfError({ status, headers }: Answered, text: string): string | undefined {
  if (!/^\s*\{/.test(text)) return "was refused without the error shape";
  const body: unknown = JSON.parse(text);
  if (!isPlain(body)) return "was refused without the error shape";
  const { code, message, requestId, data, ...more } = body;
  if (!isErrorCode(code)) return "was refused with a code that is in no catalogue";
  const isWhole = message !== "" && typeof message === "string" && requestId === headers.get("x-request-id");
  const isStatus = more["status"] === status && errorCatalogue[code].status === status;
  const isRest = Object.keys(more).join() === "status" && (data === undefined || isPlain(data));
  return isWhole && isStatus && isRest ? undefined : "was refused in another shape than errors have";
}

/**
 * Whether a preview without a token was rejected as overloaded. This may happen, because such previews share one lane
 * and one budget.
 */
function isOverloaded({ draft }: Sent, text: string): boolean {
  const isAnonymous = !draft.headers.some(([name]) => name === "Authorization");
  return draft.path.endsWith("/preview/startChat") && isAnonymous && text.startsWith('{"code":"server.overloaded"');
}

function hasAdminToken({ draft }: Sent, { tokens }: World): boolean {
  return draft.headers.some(([, value]) => value.includes(tokens.admin));
}

/** Whether the response is an error page, which browsers get instead of JSON. */
function isErrorPage({ headers }: Answered): boolean {
  return headers.get("content-type")?.startsWith("text/html") ?? false;
}

function isJson({ headers }: Answered): boolean {
  return /^application\/json(?:;|$)/.test(headers.get("content-type") ?? "");
}
