import type { SpokenStep } from "../../effects/effect-context.ts";
import { AppError, type ErrorCode } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { requireOrigin } from "../../management/access/origins.ts";
import { asAppError } from "../../platform/http/requests/failures.ts";
import { isId } from "../../platform/ids.ts";
import { shortId } from "../../platform/observing/log.ts";
import { requirePublic } from "../reads/session-cache.ts";
import { findSession, listSteps } from "../reads/sessions.sql.ts";
import type { StepReader } from "../steps/answers-under-way.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { SteppedOn, type StreamRequest, takeStreamedStep } from "../stream-answer.ts";
import { softenedStep } from "./softened-steps.ts";
import { awaitsStream, drawnText, wasStreamed } from "./streamed-steps.ts";

type Asked = Pick<StreamRequest, "sessionId" | "origins" | "hops">;

/**
 * Lines that consist of a code, a colon and JSON. The code `0` is text, `2` is a keep-alive without content, and `d` is
 * the end.
 */
type Lines = AsyncGenerator<string, void>;

/**
 * Streams an answer to an existing client. The request runs the step, which is saved even if the client disconnects.
 * The stream always contains a line of text, because an error or a stream without text would block such a client.
 * Throws errors that occur before the first line.
 */
export async function streamMessage(deps: ChatDependencies, asked: Asked): Promise<Lines> {
  const { sessionId, origins } = asked;
  const session = isId(sessionId) ? await findSession(deps.sql, sessionId, null) : undefined;
  if (!session) throw new AppError("session.not_found");
  requirePublic(session);
  requireOrigin(deps, origins, session.allowedOrigins);
  const steps = session.dialect === "typebot" ? await listSteps(deps.sql, sessionId, 2) : [];
  const lines = linesFor(deps, asked, steps);
  return withFirst(await lines.next(), lines);
}

async function* withFirst(first: IteratorResult<string>, rest: Lines): Lines {
  if (!first.done) yield first.value;
  yield* rest;
}

/**
 * Returns lines with an invisible text that replace a temporary error, so that the client's report runs the step.
 * Returns undefined if the client must receive the error.
 */
export async function softenedStream(
  deps: ChatDependencies,
  error: unknown,
  sessionId: string,
): Promise<string | undefined> {
  if (!passing.has(asAppError(error).code)) return undefined;
  const step = await softenedStep(deps, error, { sessionId, isRelay: false });
  return step && textLine(unseen) + endLine;
}

const passing: ReadonlySet<ErrorCode> = new Set([
  "session.busy",
  "rate_limit.exceeded",
  "server.overloaded",
  "server.save_in_doubt",
  "server.newer_state",
  "server.internal",
  "step.over_budget",
]);

/**
 * Returns the lines of the pending answer. Without a pending answer, returns the previous answer or, if there is none,
 * a short message.
 */
function linesFor(deps: ChatDependencies, asked: Asked, [last, before]: readonly SpokenStep[]): Lines {
  if (last && awaitsStream(last.response)) return answerLines(deps, asked, last.revision);
  const streamed = [last, before].find((step) => step && wasStreamed(step.response));
  return endingLines("", streamed ? drawnText(streamed.response) : elsewhere);
}

const elsewhere = "There is no answer at the moment.";

async function* answerLines(deps: ChatDependencies, asked: Asked, revision: number): Lines {
  const reader = deps.answersUnderWay.reader();
  const taken = takeText(deps, { ...asked, revision, ...(reader && { reader }) }).finally(() => reader?.leave());
  let drawn = "";
  let answer = "";
  let hasBegun = false;
  for (;;) {
    const next = await nextOf(deps, taken, reader);
    if (next.kind === "taken") return yield* endingLines(drawn, next.text);
    if (next.kind === "failed") {
      if (!hasBegun) throw next.error;
      note(deps, asked.sessionId, next.error);
      return yield* endingLines(drawn, drawn);
    }
    answer = textSoFar(reader, answer);
    // A restarted answer begins with its first character again, so the part that the client has is skipped.
    const text = answer.startsWith(drawn) ? answer.slice(drawn.length) : "";
    if (text === "" && next.kind === "progress") continue;
    hasBegun = true;
    drawn += text;
    yield text === "" ? silentLine : textLine(text);
  }
}

/** Yields the rest of a text, followed by the end of the stream. */
async function* endingLines(drawn: string, text: string): Lines {
  const rest = text.startsWith(drawn) ? text.slice(drawn.length) : "";
  if (rest !== "") yield textLine(rest);
  else if (drawn === "") yield textLine(unseen);
  yield endLine;
}

type Taken = { readonly kind: "taken"; readonly text: string } | { readonly kind: "failed"; readonly error: unknown };

/** Runs the step and returns its text. The text is empty if a report of the client has already run the step. */
async function takeText(deps: ChatDependencies, request: StreamRequest): Promise<Taken> {
  try {
    const { response } = await takeStreamedStep(deps, request);
    return { kind: "taken", text: drawnText(JSON.parse(response)) };
  } catch (error) {
    return error instanceof SteppedOn ? { kind: "taken", text: "" } : { kind: "failed", error };
  }
}

type Next = Taken | { readonly kind: "progress" } | { readonly kind: "silent" };

/** Waits for the next event. Returns `silent` after a pause, before a proxy might close the connection. */
async function nextOf(
  { clock }: ChatDependencies,
  taken: Promise<Taken>,
  reader: StepReader | undefined,
): Promise<Next> {
  const silence = Promise.withResolvers<Next>();
  const stop = clock.startTimer(limits.streamedAnswers.commentMs, () => silence.resolve({ kind: "silent" }));
  const progress = reader?.more().then((): Next => ({ kind: "progress" }));
  try {
    return await Promise.race([taken, ...(progress ? [progress] : []), silence.promise]);
  } finally {
    stop();
  }
}

/** Returns the answer so far, including the reader's latest events. */
function textSoFar(reader: StepReader | undefined, before: string): string {
  let text = before;
  for (const event of reader?.take() ?? []) {
    if (event.event === "delta") text += event.text;
    if (event.event === "restart") text = "";
  }
  return text;
}

/** A zero-width space, which is invisible. */
const unseen = "\u200B";
const silentLine = "2:[]\n";
const endLine = `d:${JSON.stringify({ finishReason: "stop" })}\n`;

function textLine(text: string): string {
  return `0:${JSON.stringify(text)}\n`;
}

function note({ log }: ChatDependencies, sessionId: string, cause: unknown): void {
  const { code } = asAppError(cause);
  const facts = { code, session: shortId(sessionId) };
  if (code === "server.internal") log.error("a step failed", { ...facts, cause });
  else log.warn("an answer broke off", facts);
}
