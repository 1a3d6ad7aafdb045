/** @jsxImportSource preact */
import { limits } from "../../../limits/index.ts";
import { ContinueForm, type FormPlace } from "../../components/InputForm.tsx";
import { say } from "../../conversation/rare-words.ts";
import { numberAt } from "../../conversation/read.ts";
import type { Step } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";

/** The reason why a page without script waits, and after how many seconds it reloads; 0: the wait is over. */
export type Waiting = { readonly kind: "wait" | "webhook"; readonly seconds: number };

/**
 * What a page without script waits for: its next step, which is being taken, or something after its last one. A step of
 * a future that the clock has stepped back from waits no more.
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
  /** Whether the first step was begun, and takes its time. */
  readonly isStarting: boolean;
  readonly pause: string | undefined;
  /** Whether the page is in a frame, whose sandbox may keep it from reloading by itself. */
  readonly inFrame: boolean;
  readonly words: Words;
  readonly place: FormPlace;
};

/** How the visitor continues where no script runs. */
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
 * Why nothing may happen in a frame: neither a script nor the server can know that a sandbox forbids both scripts and
 * forms.
 */
export function FormsMayBeBlocked({ words }: { readonly words: Words }) {
  return (
    <noscript>
      <p class="chat-note">{say(words, "formsBlocked", { token: "allow-forms" })}</p>
    </noscript>
  );
}
