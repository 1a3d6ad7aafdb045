import { limits } from "../../../limits/index.ts";
import { parseJsonOr } from "../../interpreter/language/json.ts";
import { findVariables } from "../../interpreter/language/template-scan.ts";
import type { ModelMessage, ModelPart } from "../../interpreter/program/model.ts";
import type { StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { info } from "./call.ts";

/** A message as entered by the author. */
export type WrittenMessage = {
  readonly role?: "system" | "user" | "assistant" | "Dialogue";
  readonly content?: string;
  /** A message of a dialogue, which replaces `content` and is not evaluated as a template. */
  readonly spoken?: string;
  readonly dialogueVariableId?: string;
  readonly startsBy?: "user" | "assistant";
};

/**
 * Returns the messages that are sent to a model. System messages come first, and blank messages are removed. `leftOut`
 * is the number of messages that do not fit into a call.
 */
export function conversationOf(
  written: readonly WrittenMessage[],
  view: View,
): { readonly messages: readonly ModelMessage[]; readonly leftOut: number } {
  const all = written
    .flatMap((one): ConversationMessage[] => {
      const isTurn = one.role === "Dialogue" || one.spoken !== undefined;
      const messages = one.role === "Dialogue" ? turnsOf(one, view) : textOf(one, view);
      return messages.map((message) => ({ message, isTurn }));
    })
    .filter(({ message }) => message.content.trim() !== "");
  const system = all.filter(({ message }) => message.role === "system");
  const others = all.filter(({ message }) => message.role !== "system");
  const kept = newest(others, system);
  const messages = [...system, ...others.filter((one) => kept.has(one))].map(({ message }) => message);
  return { messages, leftOut: others.length - kept.size };
}

/** `isTurn`: whether the message is a turn of a dialogue rather than a message of the author. */
type ConversationMessage = { readonly message: ModelMessage; readonly isTurn: boolean };

export function leftOutLogs(leftOut: number, context: string): StepLog[] {
  if (leftOut === 0) return [];
  return [info(`The conversation is too long, so its oldest messages (${leftOut}) were left out`, context)];
}

/** Returns the log entry for a conversation that newer models reject. */
export function endingLogs(messages: readonly ModelMessage[], context: string): StepLog[] {
  if (messages.at(-1)?.role !== "assistant") return [];
  return [info("The conversation ends with a message of the assistant, which newer models reject", context)];
}

function textOf({ role, content = "", spoken }: WrittenMessage, view: View): ModelMessage[] {
  if (spoken !== undefined) return role === "assistant" ? [{ role, content: spoken }] : [said(spoken)];
  switch (role) {
    case "system":
    case "assistant":
      return [{ role, content: view.text(content) }];
    case "user":
      return [messageOf(content, view)];
    default:
      return [];
  }
}

/** Returns a user message rendered from a template. */
export function messageOf(template: string, view: View): ModelMessage {
  return said(view.text(template), attachedIn(template, view));
}

/** Creates a user message from text and attached files. */
function said(content: string, attached: readonly string[] = []): ModelMessage {
  const own = content.split(/\n\s*\n/).flatMap(partsIn);
  const mentioned = new Set(own.flatMap((part) => ("address" in part ? [part.address] : [])));
  const parts = [...own, ...attached.filter((address) => !mentioned.has(address)).map((address) => ({ address }))];
  return { role: "user", content, ...(parts.some((part) => "address" in part) && { parts }) };
}

/**
 * Parses a paragraph. A paragraph becomes file addresses if it is a JSON list of addresses, or consists only of
 * addresses separated by whitespace, with or without commas. Any other paragraph is text.
 */
function partsIn(text: string): ModelPart[] {
  if (text.trim() === "") return [];
  const words = text.trim();
  const listed: unknown = words.startsWith('["http') ? parseJsonOr(words, undefined) : undefined;
  const addresses = Array.isArray(listed) ? listed : words.split(/,\s+|\s+/);
  return addresses.length > 0 && addresses.every(isAddress) ? addresses.map((address) => ({ address })) : [{ text }];
}

function isAddress(text: unknown): text is string {
  return typeof text === "string" && /^https?:\/\/\S+$/.test(text);
}

/**
 * Returns the file addresses in the variables that a template mentions. A variable contains a single address or a list,
 * because inputs store a reply's attachments in this format.
 */
function attachedIn(template: string, view: View): string[] {
  return findVariables(template).flatMap(({ inner }) => {
    const held = view.variables.byName(inner);
    const value = typeof held === "string" ? [held] : held;
    return Array.isArray(value) && value.length > 0 && value.every(isAddress) ? value : [];
  });
}

/**
 * Returns the turns of a dialogue, whose items alternate between the user and the assistant. An empty item is skipped,
 * but still counts when roles alternate. If the assistant starts the dialogue, only the first item is the assistant's.
 */
function turnsOf({ dialogueVariableId, startsBy = "user" }: WrittenMessage, view: View): ModelMessage[] {
  if (dialogueVariableId === undefined) return [];
  const value = view.variables.get(dialogueVariableId) ?? [];
  const items = typeof value === "string" ? [value] : value;
  return items.flatMap((content, index): ModelMessage[] => {
    const isAssistant = startsBy === "assistant" ? index === 0 : index % 2 === 1;
    if (!content) return [];
    return [isAssistant ? { role: "assistant", content } : said(content)];
  });
}

/**
 * Selects the messages that fit into a call. The author's messages take precedence over dialogue turns, and newer
 * messages over older messages.
 */
function newest(
  others: readonly ConversationMessage[],
  system: readonly ConversationMessage[],
): ReadonlySet<ConversationMessage> {
  let room: number = limits.models.characters - system.reduce((sum, { message }) => sum + message.content.length, 0);
  const kept = new Set<ConversationMessage>();
  const [turns, written] = [others.filter(({ isTurn }) => isTurn), others.filter(({ isTurn }) => !isTurn)];
  for (const one of [...written.toReversed(), ...turns.toReversed()]) {
    room -= one.message.content.length;
    if (room < 0 || kept.size + system.length >= limits.models.messages) break;
    kept.add(one);
  }
  return kept;
}
