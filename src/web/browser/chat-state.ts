import type { PageSettings } from "../conversation/settings.ts";
import type { ChatSnapshot, Message, PendingMessage, Step } from "../conversation/step.ts";
import type { Words } from "../conversation/words.ts";
import type { ActionTools } from "./actions/action.ts";
import type { Memory } from "./memory.ts";
import type { Transport, Trouble } from "./transport.ts";
import type { View } from "./view.ts";

export type ChatOptions = {
  readonly transport: Transport;
  readonly memory: Memory;
  readonly words: Words;
  readonly settings: PageSettings;
  /** Body of a start request, without the result id that is remembered. */
  readonly startBody: object;
  /** How the chat starts that the page has drawn already. */
  readonly drawn?: { readonly key: string; readonly shown: string } | undefined;
  /** The values from the addresses of its pages, this visit's and those of earlier ones. */
  readonly addressed: readonly string[];
  readonly tools: Pick<ActionTools, "nonce" | "isAuthorCodeDisabled">;
  readonly isMotionReduced: boolean;
};

/** A chat under way, and where it is. */
export type Chat = ChatOptions & {
  readonly tools: ActionTools;
  readonly view: View;
  /** Ends this chat and starts a new one. */
  startAgain(): void;
  /** Shows at once what the bot is typing. */
  skipTyping: () => void;
  steps: readonly Step[];
  /** The ratings of answers that the service had when the chat was read. */
  ratings?: readonly unknown[] | undefined;
  /** The number of the last step, where the service said it: a later one may have gone back. */
  revision: number | undefined;
  session: { readonly id: string; readonly resultId: string | null } | undefined;
  /** A message is being sent or a step shown: answers are not accepted yet. */
  isBusy: boolean;
  /** The session has not been started yet: an answer given meanwhile is kept in `earlyForm`. */
  isStarting: boolean;
  /** The form that was sent before the session had started, or before the bot had answered the one before. */
  earlyForm: FormData | undefined;
  /** What the code of an embed said before the session had started: nothing else would continue that chat. */
  earlySaid?: { readonly message: Message } | undefined;
  trouble: Trouble | undefined;
  /** Whether an answer is being written on the page. */
  isArriving: boolean;
};

/** Takes the steps and the session from an answer of the service. */
export function adopt(chat: Chat, snapshot: ChatSnapshot): void {
  chat.steps = snapshot.steps;
  chat.ratings = snapshot.ratings;
  chat.revision = snapshot.revision;
  if (snapshot.sessionId !== null) chat.session = { id: snapshot.sessionId, resultId: snapshot.resultId };
}

/** Appends a step that has arrived. */
export function addStep(chat: Chat, step: Step, revision = step.revision): void {
  chat.revision = revision;
  chat.steps = [...chat.steps, step];
  remember(chat);
}

/** Remembers the session, and the message that is on its way. */
export function remember({ session, memory, steps, addressed }: Chat, pending?: PendingMessage): void {
  if (!session) return;
  const { id: sessionId, resultId } = session;
  memory.write({ sessionId, resultId, addressed, ...(pending && { pending: { ...pending, after: steps.length } }) });
}
