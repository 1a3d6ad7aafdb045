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
  /** The body of a start request, without the stored result id. */
  readonly startBody: object;
  /** The start of a chat whose first step is already shown on the page. */
  readonly drawn?: { readonly key: string; readonly shown: string } | undefined;
  /** The values from the URLs of the chat's pages. `createChat` adds the values of earlier visits. */
  readonly addressed: readonly string[];
  readonly tools: Pick<ActionTools, "nonce" | "isAuthorCodeDisabled">;
  readonly isMotionReduced: boolean;
};

/** A running chat and its state. */
export type Chat = ChatOptions & {
  readonly tools: ActionTools;
  readonly view: View;
  /** Leaves this chat and starts a new one. */
  startAgain(): void;
  /** Ends the typing pause of the current message, so that the message is shown immediately. */
  skipTyping: () => void;
  steps: readonly Step[];
  /** The ratings of answers that the service had stored when the chat was read. */
  ratings?: readonly unknown[] | undefined;
  /**
   * The number of the last step, if the service sent it. After going back, it differs from the number of shown steps.
   */
  revision: number | undefined;
  session: { readonly id: string; readonly resultId: string | null } | undefined;
  /**
   * Whether the chat is starting, a message is being sent or a step is being shown. Answers are not sent in the
   * meantime.
   */
  isBusy: boolean;
  /** Whether the session is still being started. An early answer is stored in `earlyForm`. */
  isStarting: boolean;
  /** The form that was sent before the session had started, or before the bot had answered the previous form. */
  earlyForm: FormData | undefined;
  /**
   * The first message that was sent before the session had started and did not come from a form. It is sent if the
   * first step waits for the message of an embed.
   */
  earlySaid?: { readonly message: Message } | undefined;
  trouble: Trouble | undefined;
  /** Whether the service has begun to stream the step that answers the last message. */
  isArriving: boolean;
};

/** Sets the steps and the session of a chat from a response of the service. */
export function adopt(chat: Chat, snapshot: ChatSnapshot): void {
  chat.steps = snapshot.steps;
  chat.ratings = snapshot.ratings;
  chat.revision = snapshot.revision;
  if (snapshot.sessionId !== null) chat.session = { id: snapshot.sessionId, resultId: snapshot.resultId };
}

/** Appends a step from the service, and stores the chat in the browser. */
export function addStep(chat: Chat, step: Step, revision = step.revision): void {
  chat.revision = revision;
  chat.steps = [...chat.steps, step];
  remember(chat);
}

/**
 * Stores the session in the browser, and the message that is being sent, if any. Does nothing before the session has
 * started.
 */
export function remember({ session, memory, steps, addressed }: Chat, pending?: PendingMessage): void {
  if (!session) return;
  const { id: sessionId, resultId } = session;
  memory.write({ sessionId, resultId, addressed, ...(pending && { pending: { ...pending, after: steps.length } }) });
}
