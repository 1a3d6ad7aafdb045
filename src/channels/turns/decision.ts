import type { ChatContact } from "../../core/interpreter/program/contact.ts";
import type { MessageBody } from "../../core/interpreter/program/message.ts";

/**
 * The decision for a row. The whole decision is stored before it is executed, and a retry reuses it, because the step's
 * key is bound to the request's content.
 */
export type Decision = {
  readonly act: "continue" | "start";
  /** Set if `act` is `continue`. */
  readonly sessionId?: string;
  /** Set if `act` is `start`. */
  readonly bot?: { readonly id: string; readonly publicId: string };
  readonly resultId?: string | null;
  readonly message: MessageBody;
  /** The message was truncated, because it is longer than a reply may be. */
  readonly isCut?: true;
  readonly contact: ChatContact;
  /** The reason to store with the row. Set if the pattern of another bot took too long. */
  readonly reason?: string;
  /** The chat ends after this many hours without a message. If absent, the time stays unchanged. */
  readonly expiryHours?: number;
  /** The chat to end before the new chat starts. */
  readonly ends?: string;
  /** Set if a contact who had opted out receives messages again. */
  readonly optedOut?: false;
};
