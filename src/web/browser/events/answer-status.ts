import { quietBlocks } from "../../components/bubbles/quiet.ts";
import { say } from "../../conversation/rare-words.ts";
import { numberIn } from "../../conversation/words.ts";
import { activeElement } from "../attention/focus.ts";
import type { Chat } from "../chat-state.ts";

/**
 * The length in characters of the longest answer that screen readers read out, which takes about half a minute. For a
 * longer answer, only the number of paragraphs is announced.
 */
export const longestReadOut = 600;

/** The delay before a new live region gets its text. Screen readers ignore changes of a region that was just added. */
const regionKnownMs = 150;

const regions = new WeakMap<Chat, HTMLElement>();

/**
 * Announces that the bot is writing, once the stop button is shown. If the send button had the focus, the stop button
 * gets it. If the focus was lost with a removed form, the field for the next message gets it, or the stop button if
 * there is no such field. The field comes first because a visitor who continues typing would otherwise press the stop
 * button.
 */
export function beginAnswer(chat: Chat, stop: HTMLElement): void {
  const active = activeElement(stop);
  const isLost = !active || active.contains(stop);
  const field = isLost && stop.closest("form")?.querySelector<HTMLElement>(".text-input");
  if (isLost || active.matches("form:has(.stop-button) [type=submit]")) (field || stop).focus({ preventScroll: true });
  const region = regions.get(chat) ?? addRegion(stop);
  regions.set(chat, region);
  setTimeout(() => {
    if (stop.isConnected) region.textContent = chat.words.writing;
  }, regionKnownMs);
}

/**
 * Announces the number of paragraphs of an answer that is too long to be read out. A short answer is read out like any
 * other message of the conversation.
 */
export function endAnswer(chat: Chat, answer: { readonly id: string; readonly text: string } | undefined): void {
  const region = regions.get(chat);
  if (!answer || !region) return;
  const isLong = answer.text.length > longestReadOut;
  if (isLong) quietBlocks.add(answer.id);
  else quietBlocks.delete(answer.id);
  const count = answer.text.trim().split(/\n\s*\n/).length;
  const { words } = chat;
  region.textContent = isLong ? say(words, "answerOf", { count: numberIn(words, count) }) : "";
}

function addRegion(beside: HTMLElement): HTMLElement {
  const region = document.createElement("p");
  region.className = "visually-hidden";
  region.role = "status";
  // The region is at the top, because it would make the page longer at the end.
  region.style.top = "0";
  beside.closest(".typebot-container")?.append(region);
  return region;
}
