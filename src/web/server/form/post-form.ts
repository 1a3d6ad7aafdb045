import { type ContinueRequest, continueChat } from "../../../chat/continue-chat.ts";
import { goBack } from "../../../chat/go-back.ts";
import { readSessionNow, wasTaken } from "../../../chat/sessions.ts";
import { digestOf, isOfStart, type ShownFacts } from "../../../chat/shown/shown-starts.ts";
import { startChat } from "../../../chat/start-chat.ts";
import type { ChatDependencies } from "../../../chat/steps/dependencies.ts";
import { isTimeOver } from "../../../chat/steps/missed-steps.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import type { Origins } from "../../../management/access/origins.ts";
import { isId } from "../../../platform/ids.ts";
import type { Admission } from "../../../platform/rate-limits/rate-limits.ts";
import { inputKind, loadInput } from "../../components/inputs/index.ts";
import { textAt } from "../../conversation/read.ts";
import { ownRefusalText } from "../../conversation/refusal.ts";
import type { PageSettings } from "../../conversation/settings.ts";
import {
  type ChatSnapshot,
  type Input,
  type Message,
  pauseOf,
  readSession,
  replyOf,
  type Step,
} from "../../conversation/step.ts";
import { type Answer, answerOf, conversationOf } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";
import { derivedKey } from "../security.ts";
import type { PostedForm } from "./form.ts";
import { storeFiles } from "./form-files.ts";
import { replyWithoutScript } from "./skipped-actions.ts";

/** The current state of a session, and the outcome of a posted form, if any. */
export type SessionView = {
  readonly history: unknown;
  readonly snapshot: ChatSnapshot;
  /** Milliseconds since the session's last step; negative if the clock has stepped back since. */
  readonly lastStepAgoMs: number;
  /** Whether the session's next step is running, so that the page waits for it. */
  readonly isUnderWay: boolean;
  /** The answer that the running step processes, if this page has it. */
  readonly answer?: Answer | undefined;
  /** Why the answer was not sent, and its text. */
  readonly wrong?: { readonly error: string; readonly draft: string };
  /** The text for the open field: an undone answer, or the text of a form that came too late. */
  readonly draft?: string | undefined;
  readonly notice?: "alreadyAnswered" | "timeOver" | "moved" | "noWayBack" | "payMade" | "failed" | undefined;
};

/**
 * Handles a form that a page without a script posted: sends its answer, or goes back. Starts the chat if the form has
 * no session yet, and replies to actions that require a script. The idempotency key of each step is derived from the
 * form's key, so a form that is posted twice counts once. Returns undefined if the first step takes longer than a page
 * waits. Posting the same form again then continues with this step.
 */
export async function postForm(deps: ChatDependencies, posted: Posted): Promise<SessionView | undefined> {
  const { publicId, form, words, origins, admission } = posted;
  if (form.sessionId === null) await admission.admit("starts", { address: admission.address });
  else if (isId(form.sessionId)) await admission.admit("steps", { session: form.sessionId });
  if (form.sessionId !== null) await viewSession(deps, { sessionId: form.sessionId, publicId, origins });
  const started = form.sessionId === null ? await start(deps, posted) : { sessionId: form.sessionId, isAsShown: true };
  if (started === undefined) return undefined;
  const { sessionId, isAsShown } = started;
  const submission = { ...posted, sessionId };
  if (form.control === "goBack") return takeBack(deps, submission);
  if (form.control !== "") return viewSession(deps, submission);
  await replyToActions(deps, submission, "start");
  const current = await viewSession(deps, submission);
  const { input, pause } = conversationOf(current.snapshot.steps);
  if (current.snapshot.isEnded) return form.blockId === "" ? current : behindTheChat(deps, submission, current);
  if (!input) {
    // A button does not end the wait for an external call.
    if (form.blockId !== "" || pause === undefined || pause === "webhook") return current;
    return sendAnswer(deps, { ...submission, message: null, input });
  }
  if (form.blockId === "") return current;
  // The question on the page differs from the chat's question. For example, it has another price.
  if (!isAsShown) return { ...current, notice: "moved", ...(form.blockId === input.id && { draft: textOf(form) }) };
  if (form.blockId !== input.id) return behindTheChat(deps, submission, current);
  await loadInput(input);
  const pageWords = await words(current.snapshot.bot.settings);
  const place = { sessionId, input, words: pageWords, origins, postedTo: form.postedTo };
  const fields = await storeFiles(deps, form.fields, place);
  if (typeof fields === "string") return { ...current, wrong: { error: fields, draft: textOf(form) } };
  const read = inputKind(input).read(fields, input, pageWords);
  if (read.kind === "wrong") {
    const error = ownRefusalText(read.error, { input, settings: current.snapshot.bot.settings });
    return { ...current, wrong: { error, draft: read.draft ?? textOf(form) } };
  }
  return sendAnswer(deps, { ...submission, message: read.message, input });
}

async function takeBack(deps: ChatDependencies, submission: Submission): Promise<SessionView> {
  const { sessionId, origins, hops, form } = submission;
  try {
    const known = { sessionId, afterRevision: form.revision, origins, hops };
    const { response } = await goBack(deps, { ...known, key: derivedKey(form.key, "back") });
    const draft = textAt(JSON.parse(response), "takenBack", "reply", "text");
    return { ...(await viewSession(deps, submission)), draft };
  } catch (error) {
    const notice = error instanceof AppError ? noticesOfNoWay.get(error.code) : undefined;
    if (!notice) throw error;
    return { ...(await viewSession(deps, submission)), notice };
  }
}

/** Notices for the reasons why the visitor cannot go back. */
const noticesOfNoWay: ReadonlyMap<string, NonNullable<SessionView["notice"]>> = new Map([
  ["session.nothing_before", "noWayBack"],
  ["session.go_back_not_allowed", "noWayBack"],
  ["session.moved_on", "moved"],
  ["payment.made", "payMade"],
  ["payment.provider_failed", "failed"],
]);

/** Reads the current state of a session. A session of another bot is reported as not found. */
export async function viewSession(
  deps: ChatDependencies,
  { sessionId, publicId, origins }: Pick<Submission, "sessionId" | "publicId" | "origins">,
): Promise<SessionView> {
  const bot = await deps.reads.publishedBots.add(publicId);
  const { history, ...now } = await readSessionNow(deps, sessionId, origins, bot?.botId);
  return { history, snapshot: readSession(history), ...now };
}

type Posted = {
  readonly publicId: string;
  readonly form: PostedForm;
  words(settings: PageSettings): Promise<Words>;
  readonly origins: Origins;
  readonly hops: ContinueRequest["hops"];
  readonly admission: Admission;
};
type Submission = Posted & { readonly sessionId: string };

/**
 * The chat that a form starts. `isAsShown`: its first step equals the content of the page, as far as the form describes
 * the content.
 */
type Started = { readonly sessionId: string; readonly isAsShown: boolean };

async function start(deps: ChatDependencies, posted: Posted): Promise<Started | undefined> {
  const { publicId, form, origins, hops, admission } = posted;
  const key = startKeyOf(form.key);
  const starting = startChat(deps, {
    publicId,
    message: null,
    isStreamEnabled: false,
    isOnlyRegistering: false,
    resultId: null,
    prefilledVariables: form.prefilled,
    contentFormat: "richText",
    key,
    origins,
    hops,
    dialect: "bot",
    admission,
    shown: form.shown,
  });
  if (!(await isOverWithin(deps, starting, limits.page.answerMs))) return undefined;
  const { response } = await starting;
  const step: unknown = JSON.parse(response);
  const sessionId = textAt(step, "sessionId");
  if (sessionId === undefined) throw new Error("A start answered without a session");
  const shown = await readShown(deps, posted);
  return { sessionId, isAsShown: shown === undefined || shown.digest === digestOf(step) };
}

/** Returns the key of a start, derived from the form's key. */
export function startKeyOf(formKey: string): string {
  return derivedKey(formKey, "start");
}

/**
 * Returns the facts of the first step that a form's page showed before the chat had started. Returns undefined if they
 * are absent, invalid or too old.
 */
export async function readShown(
  deps: ChatDependencies,
  { publicId, form }: Pick<Posted, "publicId" | "form">,
): Promise<ShownFacts | undefined> {
  const [shown, bot] = await Promise.all([
    deps.shownStarts.open(form.shown, startKeyOf(form.key)),
    deps.reads.publishedBots.add(publicId),
  ]);
  return shown && bot && isOfStart(bot, shown) ? shown : undefined;
}

async function sendAnswer(
  deps: ChatDependencies,
  { message, input, ...submission }: Submission & { message: Message; input: Input | undefined },
): Promise<SessionView> {
  try {
    const isTaken = await answer(deps, submission, message);
    if (!isTaken) {
      const view = await viewSession(deps, submission);
      return { ...view, answer: input && answerOf(message && replyOf(message), input) };
    }
  } catch (error) {
    if (isMovedOn(error)) {
      const current = await viewSession(deps, submission);
      return input ? behindTheChat(deps, submission, current) : current;
    }
    // This form was posted before with another answer, or the chat has ended in the meantime.
    const isLate = error instanceof AppError && ["idempotency.key_reused", "session.ended"].includes(error.code);
    if (!isLate) throw error;
    return { ...(await viewSession(deps, submission)), notice: "alreadyAnswered" };
  }
  await replyToActions(deps, submission, "answer");
  return viewSession(deps, submission);
}

/**
 * Answers the question on the page. Returns whether the step finished within the time that the visitor waits. If other
 * steps have followed but the question is still open, the answer is sent again after those steps. The key stays the
 * same, because a rejected request does not store its key. A form that is posted twice therefore counts once.
 */
async function answer(deps: ChatDependencies, submission: Submission, message: Message): Promise<boolean> {
  const key = derivedKey(submission.form.key, "answer");
  const { revision } = submission.form;
  try {
    return await continueSession(deps, submission, { message, key, afterRevision: revision });
  } catch (error) {
    const { revision: last, isStillAsked } = (isMovedOn(error) && error.data) || {};
    if (isStillAsked !== true || typeof last !== "number") throw error;
    return continueSession(deps, submission, { message, key, afterRevision: last });
  }
}

function isMovedOn(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "session.moved_on";
}

/**
 * Returns the page for a form whose question is no longer open, with the reason why the form was not accepted. The page
 * contains the form's text, unless the form was accepted before or has no step number. If the chat has ended, the page
 * already shows this.
 */
async function behindTheChat(
  deps: ChatDependencies,
  submission: Submission,
  current: SessionView,
): Promise<SessionView> {
  const { form, sessionId } = submission;
  const { revision, key } = form;
  const { steps, isEnded } = current.snapshot;
  const notice = isEnded ? undefined : steps.length > 1 ? "alreadyAnswered" : "moved";
  if (revision === undefined || (await wasTaken(deps, { sessionId, key: derivedKey(key, "answer") })))
    return { ...current, notice };
  const isOver = await isTimeOver(deps, { sessionId, revision });
  return { ...current, notice: isOver ? "timeOver" : notice, draft: textOf(form) };
}

function ignoreMovedOn(error: unknown): true {
  if (isMovedOn(error)) return true;
  throw error;
}

/** Replies to actions that require a script. The visitor must end waits with a button. */
async function replyToActions(deps: ChatDependencies, submission: Submission, from: "start" | "answer"): Promise<void> {
  for (let round = 0; round < limits.page.passedActions; round++) {
    const { snapshot } = await viewSession(deps, submission);
    const last = snapshot.steps.at(-1);
    const action = last && awaitedAction(last);
    if (!action || snapshot.isEnded) return;
    const afterRevision = snapshot.revision;
    const key = derivedKey(submission.form.key, `${from} ${afterRevision}`);
    const reply = { message: replyWithoutScript(action), key, afterRevision };
    // If another tab has answered in the meantime, the chat is reloaded.
    const isTaken = await continueSession(deps, submission, reply).catch(ignoreMovedOn);
    if (!isTaken) return;
  }
}

function awaitedAction(last: Step): Step["actions"][number] | undefined {
  return pauseOf(last) === "action" ? last.actions.find((action) => action.expectsDedicatedReply === true) : undefined;
}

/**
 * Continues the session with a reply. Returns whether the step finished within the time that the visitor waits. A
 * longer step continues, and the page reloads.
 */
async function continueSession(
  deps: ChatDependencies,
  { sessionId, origins, hops }: Submission,
  reply: Pick<ContinueRequest, "message" | "key" | "afterRevision">,
): Promise<boolean> {
  const taking = continueChat(deps, { ...reply, sessionId, contentFormat: "richText", origins, hops });
  return isOverWithin(deps, taking, limits.page.answerMs);
}

/** Returns whether the work ends in time. Rejects if the work fails in time. */
async function isOverWithin({ clock, log }: ChatDependencies, taking: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const stopTimer = clock.startTimer(ms, () => late.resolve(false));
  const isOver = await Promise.race([taking.then(() => true), late.promise]).finally(stopTimer);
  // A late `AppError` is not logged, because the reloaded page shows the input again.
  taking.catch((cause: unknown) => {
    if (!isOver && !(cause instanceof AppError)) log.error("a step failed", { cause });
  });
  return isOver;
}

function textOf({ fields }: PostedForm): string {
  const text = fields.get("text");
  return typeof text === "string" ? text : "";
}
