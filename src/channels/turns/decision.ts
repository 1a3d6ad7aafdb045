import type { ChatContact } from "../../core/interpreter/program/contact.ts";
import type { MessageBody } from "../../core/interpreter/program/message.ts";

/**
 * The decision for a row, stored whole before it is executed: a repeat reads it and builds nothing, since the step's
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
  /** The hours without a message after which the chat ends; absent: unchanged. */
  readonly expiryHours?: number;
  /** The chat that ends before this one starts. */
  readonly ends?: string;
  /** False: a contact who had opted out gets messages again. */
  readonly optedOut?: false;
};
