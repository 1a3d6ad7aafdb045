import { quietBlocks } from "../../components/bubbles/quiet.ts";
import { say } from "../../conversation/rare-words.ts";
import { numberIn } from "../../conversation/words.ts";
import { activeElement } from "../attention/focus.ts";
import type { Chat } from "../chat-state.ts";

/**
 * A screen reader would take more than half a minute for a longer answer: it announces only that the answer has
 * arrived, and the visitor can read it.
 */
export const longestReadOut = 600;

/** Screen readers do not notice changes of a region that has just been added. */
const regionKnownMs = 150;

const regions = new WeakMap<Chat, HTMLElement>();

/**
 * Announces that the bot is writing, once the button that stops it is shown. If the focus was on the button that sent a
 * form, it moves to the new one. If it was in a form that was removed, it moves to the field for the next message, if
 * there is one: otherwise a visitor who continues typing would press the button.
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
 * Announces the length of an answer that is not read out completely. The conversation reads out a short answer like any
 * other message.
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
  // Placed at the top: below the end it would make the page longer.
  region.style.top = "0";
  beside.closest(".typebot-container")?.append(region);
  return region;
}
