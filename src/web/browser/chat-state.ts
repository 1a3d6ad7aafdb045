import type { ChatSnapshot, Message, Step } from "../conversation/step.ts";
import type { Words } from "../conversation/words.ts";
import type { Memory } from "./memory.ts";
import type { Player } from "./step-player.ts";
import type { Transport, Trouble } from "./transport.ts";
import type { View } from "./view.ts";

/** A chat under way, and where it is. */
export type Chat = {
  readonly transport: Transport;
  readonly memory: Memory;
  readonly words: Words;
  /** What a start is told, beside what is remembered. */
  readonly startBody: object;
  /** Whether results outlast a chat: a new one goes on with what is known. */
  readonly remembersResult: boolean;
  readonly view: View;
  readonly player: Player;
  /** Leaves this chat behind for a new one. */
  startAgain(): void;
  steps: readonly Step[];
  session: { readonly id: string; readonly resultId: string | null } | undefined;
  /** Something is being said, or shown: the input does not count yet. */
  isBusy: boolean;
  /** The chat has shown nothing of its own yet: what is answered meanwhile is kept. */
  isStarting: boolean;
  /** What was answered before the chat had started. */
  early: FormData | undefined;
  trouble: Trouble | undefined;
};

/** What the visitor says, and the key that has it count once however often it is sent. */
export type Said = { readonly message: Message; readonly key: string };

/** Takes over what the service has told of the chat. */
export function adopt(chat: Chat, told: ChatSnapshot): void {
  chat.steps = told.steps;
  if (told.sessionId !== null) chat.session = { id: told.sessionId, resultId: told.resultId };
}

/** Adds a step that has come. */
export function addStep(chat: Chat, step: Step): void {
  chat.steps = [...chat.steps, step];
  remember(chat);
}

/** Remembers where the chat is, and what is under way. */
export function remember({ session, memory, steps }: Chat, said?: Said): void {
  if (!session) return;
  const { id: sessionId, resultId } = session;
  memory.write({ sessionId, resultId, ...(said && { pending: { ...said, after: steps.length } }) });
}
