import { quietBlocks } from "../../components/bubbles/quiet.ts";
import { say } from "../../conversation/rare-words.ts";
import { numberIn } from "../../conversation/words.ts";
import { activeElement } from "../attention/focus.ts";
import type { Chat } from "../chat-state.ts";

/**
 * Longer answers take a screen reader more than half a minute: it says that they are there, and the visitor reads on at
 * will.
 */
export const longestReadOut = 600;

/** A region that has just come is not listened to at once. */
const regionKnownMs = 150;

const regions = new WeakMap<Chat, HTMLElement>();

/**
 * Says that the bot writes, once the button that stops it is there. A focus that was on what sent a form moves to it;
 * one that was in a form which is gone moves to the field for the next message, if there is one: a visitor who
 * continues writing would press the button.
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
 * Says how long an answer is that is not read out whole. A short one is read out by the conversation, as any other
 * message.
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
  // At the top: below the end it would make the page longer.
  region.style.top = "0";
  beside.closest(".typebot-container")?.append(region);
  return region;
}
