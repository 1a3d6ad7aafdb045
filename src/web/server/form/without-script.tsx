/** @jsxImportSource preact */
import { limits } from "../../../limits/index.ts";
import { ContinueForm, type FormPlace } from "../../components/InputForm.tsx";
import { say } from "../../conversation/rare-words.ts";
import { numberAt } from "../../conversation/read.ts";
import type { Step } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";

/** Why a page without a script waits, and the seconds until it reloads. With 0 seconds, the wait is over. */
export type Waiting = { readonly kind: "wait" | "webhook"; readonly seconds: number };

/**
 * Returns why and how long a page without a script waits: for the running step, or for an event after the last step.
 * Undefined if the page does not wait. A wait that began in the future, because the clock stepped back, is over.
 */
export function waitOf(
  last: Step | undefined,
  { isUnderWay, lastStepAgoMs: agoMs }: { readonly isUnderWay: boolean; readonly lastStepAgoMs: number },
): Waiting | undefined {
  if (isUnderWay) return { kind: "wait", seconds: limits.page.refreshSeconds };
  const awaited = last?.actions.find((action) => action.expectsDedicatedReply === true);
  if (last?.input || !awaited) return undefined;
  if (awaited.type === "listenForWebhook") return { kind: "webhook", seconds: limits.page.refreshSeconds };
  if (awaited.type !== "wait") return undefined;
  const wanted = numberAt(awaited, "wait", "secondsToWaitFor") ?? 0;
  return { kind: "wait", seconds: agoMs < 0 ? 0 : Math.max(0, Math.ceil(wanted - agoMs / 1000)) };
}

type WithoutScriptProps = {
  readonly waiting: Waiting | undefined;
  readonly isPartial: boolean;
  /** Whether the first step has started and is still running. */
  readonly isStarting: boolean;
  readonly pause: string | undefined;
  /** Whether the page is in a frame, whose sandbox may prevent it from reloading automatically. */
  readonly inFrame: boolean;
  readonly words: Words;
  readonly place: FormPlace;
};

/** The controls with which the visitor continues if no script runs. */
export function WithoutScript({ waiting, isPartial, isStarting, pause, words, place, inFrame }: WithoutScriptProps) {
  if (waiting && waiting.seconds > 0) {
    return (
      <noscript>
        <p class="chat-note">{waiting.kind === "wait" ? words.waiting : words.waitingOutside}</p>
        {inFrame && <ContinueForm place={place} label={words.continue} />}
      </noscript>
    );
  }
  if (!waiting && !isPartial && !isStarting && pause === undefined) return null;
  return (
    <noscript>
      <div class="typebot-input-container">
        {isStarting && <p class="chat-note">{words.waiting}</p>}
        <ContinueForm place={place} label={words.continue} />
      </div>
    </noscript>
  );
}

/**
 * Explains why a frame may not react. Neither a script nor the server can detect that a sandbox forbids both scripts
 * and forms.
 */
export function FormsMayBeBlocked({ words }: { readonly words: Words }) {
  return (
    <noscript>
      <p class="chat-note">{say(words, "formsBlocked", { token: "allow-forms" })}</p>
    </noscript>
  );
}
