import type { ModelMessage } from "../../interpreter/effect.ts";
import type { View } from "../../interpreter/view.ts";
import { limits } from "../../limits.ts";

/** A message as an author writes it. */
export type WrittenMessage = {
  readonly role?: "system" | "user" | "assistant" | "Dialogue";
  readonly content?: string;
  readonly dialogueVariableId?: string;
  readonly startsBy?: "user" | "assistant";
};

/** What a model is told: system messages first, blank ones left out, and as many of the newest as a call may have. */
export function conversationOf(
  written: readonly WrittenMessage[],
  view: View,
): { readonly messages: readonly ModelMessage[]; readonly leftOut: number } {
  const all = written
    .flatMap((message) => (message.role === "Dialogue" ? turnsOf(message, view) : spoken(message, view)))
    .filter(({ content }) => content.trim() !== "");
  const system = all.filter(({ role }) => role === "system");
  const turns = all.filter(({ role }) => role !== "system");
  const kept = newest(turns, system);
  return { messages: [...system, ...kept], leftOut: turns.length - kept.length };
}

function spoken({ role, content }: WrittenMessage, view: View): ModelMessage[] {
  return role === undefined || role === "Dialogue" ? [] : [{ role, content: view.text(content) }];
}

/**
 * The turns of a dialogue, by position: an item that is empty is left out, and counts. One that the assistant begins has the user in every
 * other place.
 */
function turnsOf({ dialogueVariableId, startsBy = "user" }: WrittenMessage, view: View): ModelMessage[] {
  if (dialogueVariableId === undefined) return [];
  const value = view.variables.get(dialogueVariableId) ?? [];
  const items = typeof value === "string" ? [value] : value;
  return items.flatMap((content, index): ModelMessage[] => {
    const isAssistant = startsBy === "assistant" ? index === 0 : index % 2 === 1;
    return content ? [{ role: isAssistant ? "assistant" : "user", content }] : [];
  });
}

function newest(turns: readonly ModelMessage[], system: readonly ModelMessage[]): ModelMessage[] {
  let room: number = limits.models.characters - system.reduce((sum, { content }) => sum + content.length, 0);
  const kept: ModelMessage[] = [];
  for (const turn of turns.toReversed()) {
    room -= turn.content.length;
    if (room < 0 || kept.length + system.length >= limits.models.messages) break;
    kept.unshift(turn);
  }
  return kept;
}
