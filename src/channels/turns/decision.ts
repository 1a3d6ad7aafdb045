import type { ChatContact } from "../../core/interpreter/program/contact.ts";
import type { MessageBody } from "../../core/interpreter/program/message.ts";

/**
 * What is done with a row, written down whole before it is done: a repeat reads it and builds nothing, since the step's
 * key is bound to the request's content.
 */
export type Decision = {
  readonly act: "continue" | "start";
  /** For `continue`. */
  readonly sessionId?: string;
  /** For `start`. */
  readonly bot?: { readonly id: string; readonly publicId: string };
  readonly resultId?: string | null;
  readonly message: MessageBody;
  readonly contact: ChatContact;
  /** The hours without a message after which the chat ends; absent: as they were. */
  readonly expiryHours?: number;
  /** The chat that ends before this one starts. */
  readonly ends?: string;
  /** False: a contact who wanted no more messages gets them again. */
  readonly optedOut?: false;
};
