import { continueChat } from "../../chat/continue-chat.ts";
import { readSession as findSession } from "../../chat/sessions.ts";
import { startChat } from "../../chat/start-chat.ts";
import type { Dependencies } from "../../dependencies.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits.ts";
import type { Origins } from "../../services/origins.ts";
import { inputKind, loadInput } from "../components/inputs/index.ts";
import { textAt } from "../conversation/read.ts";
import type { PageSettings } from "../conversation/settings.ts";
import { type ChatSnapshot, type Message, pauseOf, readSession, type Step } from "../conversation/step.ts";
import { conversationOf } from "../conversation/transcript.ts";
import type { Words } from "../conversation/words.ts";
import type { PostedForm } from "./form.ts";
import { storeFiles } from "./form-files.ts";
import { derivedKey } from "./security.ts";
import { replyWithoutScript } from "./skipped-actions.ts";

/** A session as it stands, and what is to be said about the form that was posted. */
export type SessionView = {
  readonly history: unknown;
  readonly told: ChatSnapshot;
  /** When its last step was taken. */
  readonly lastStepAt: number;
  /** Why the answer was not sent. */
  readonly wrong?: { readonly error: string; readonly draft: string };
  readonly notice?: "alreadyAnswered" | "moved";
};

/**
 * Says what a form says, for a page without script. Starts the chat where the form has no session yet, and passes what only a
 * script could do. Every step has a key that follows from the form's, so posting a form twice is posting it once.
 */
export async function postForm(
  deps: Dependencies,
  {
    publicId,
    form,
    words,
    origins,
  }: { publicId: string; form: PostedForm; words(settings: PageSettings): Promise<Words>; origins: Origins },
): Promise<SessionView> {
  if (form.sessionId !== null) await viewSession(deps, { sessionId: form.sessionId, publicId, origins });
  const sessionId = form.sessionId ?? (await start(deps, { publicId, form, origins }));
  const said = { sessionId, publicId, form, origins };
  await passActions(deps, { ...said, from: "start" });
  const now = await viewSession(deps, said);
  const { input, pause } = conversationOf(now.told.steps);
  if (now.told.isEnded) return now;
  if (!input) {
    // What waits for a call from outside is not ended by a button.
    if (form.blockId !== "" || pause === undefined || pause === "webhook") return now;
    return say(deps, { ...said, message: null });
  }
  if (form.blockId === "") return now;
  if (form.blockId !== input.id) return { ...now, notice: now.told.steps.length > 1 ? "alreadyAnswered" : "moved" };
  await loadInput(input);
  const spoken = await words(now.told.bot.settings);
  const fields = await storeFiles(deps, form.fields, {
    ...{ sessionId, input, words: spoken, origins },
    postedTo: form.postedTo,
  });
  if (typeof fields === "string") return { ...now, wrong: { error: fields, draft: textOf(form) } };
  const read = inputKind(input).read(fields, input, spoken);
  if (read.kind === "wrong") return { ...now, wrong: { error: read.error, draft: read.draft ?? textOf(form) } };
  return say(deps, { ...said, message: read.message });
}

/** A session as it stands, without saying anything. One of another bot than the page's is none of the page's. */
export async function viewSession(
  deps: Dependencies,
  { sessionId, publicId, origins }: Pick<Said, "sessionId" | "publicId" | "origins">,
): Promise<SessionView> {
  const bot = await deps.reads.publishedBots.add(publicId);
  const history = await findSession(deps, sessionId, origins, bot?.botId);
  const told = readSession(history);
  return { history, told, lastStepAt: Date.parse(history.steps.at(-1)?.createdAt ?? history.createdAt) };
}

type Said = {
  readonly sessionId: string;
  readonly publicId: string;
  readonly form: PostedForm;
  readonly origins: Origins;
};

async function start(
  deps: Dependencies,
  { publicId, form, origins }: { publicId: string; form: PostedForm; origins: Origins },
): Promise<string> {
  const { response } = await startChat(deps, {
    publicId,
    message: null,
    isStreamEnabled: false,
    isOnlyRegistering: false,
    resultId: null,
    prefilledVariables: form.prefilled,
    contentFormat: "richText",
    key: derivedKey(form.key, "start"),
    origins,
    dialect: "bot",
  });
  const sessionId = textAt(JSON.parse(response), "sessionId");
  if (sessionId === undefined) throw new Error("A start answered without a session");
  return sessionId;
}

async function say(deps: Dependencies, { message, ...said }: Said & { message: Message }): Promise<SessionView> {
  try {
    await step(deps, { ...said, message, key: derivedKey(said.form.key, "answer") });
  } catch (error) {
    // Another answer was sent with this form before, or the chat ended meanwhile.
    const isLate = error instanceof AppError && ["idempotency.key_reused", "session.ended"].includes(error.code);
    if (!isLate) throw error;
    return { ...(await viewSession(deps, said)), notice: "alreadyAnswered" };
  }
  await passActions(deps, { ...said, from: "answer" });
  return viewSession(deps, said);
}

/** Answers for a script where the flow waits for one; what a visitor can wait for is left to them. */
async function passActions(deps: Dependencies, { from, ...said }: Said & { from: string }): Promise<void> {
  for (let round = 0; round < limits.page.passedActions; round++) {
    const { told } = await viewSession(deps, said);
    const last = told.steps.at(-1);
    const action = last && awaitedAction(last);
    if (!action || told.isEnded) return;
    const key = derivedKey(said.form.key, `${from} ${round}`);
    await step(deps, { ...said, message: replyWithoutScript(action), key });
  }
}

function awaitedAction(last: Step): Step["actions"][number] | undefined {
  return pauseOf(last) === "action" ? last.actions.find((action) => action.expectsDedicatedReply === true) : undefined;
}

async function step(
  deps: Dependencies,
  { sessionId, origins, message, key }: Pick<Said, "sessionId" | "origins"> & { message: Message; key: string },
) {
  await continueChat(deps, { sessionId, message, contentFormat: "richText", key, origins });
}

function textOf({ fields }: PostedForm): string {
  const text = fields.get("text");
  return typeof text === "string" ? text : "";
}
