import { type Signal, signal } from "@preact/signals";
import type { Look } from "./bar.tsx";
import type { PreviewedDraft } from "./bot.ts";
import { createRun, type Given, type Run } from "./run.ts";
import type { PreviewService, StartPlace } from "./service.ts";

/**
 * A request to start a preview at a place, which is undefined for the start of the flow. A new object is a new request.
 */
export type Start = {
  readonly place: StartPlace | undefined;
  /** Replies of another chat, which are sent immediately. */
  readonly replies?: readonly Given[] | undefined;
};

/**
 * A preview with its author's choices. It outlives its panel, which moves to another part of the screen when the window
 * becomes narrow.
 */
export type Sitting = {
  readonly run: Run;
  readonly place: Signal<StartPlace | undefined>;
  readonly variables: Signal<Readonly<Record<string, string>>>;
  readonly look: Signal<Look>;
  readonly note: Signal<string | undefined>;
  /** The request that started the preview; undefined before the start. */
  begun: Start | undefined;
  /** The draft with which the chat started. */
  of: { readonly saved: number | undefined; readonly draft: PreviewedDraft } | undefined;
};

const sittings = new WeakMap<object, Sitting>();

/** Returns the preview of an open bot. If the request is the same object as before, returns the existing preview. */
export function sittingOf(open: object, start: Start, service: () => PreviewService): Sitting {
  const known = sittings.get(open);
  if (known?.begun === start) return known;
  const made: Sitting = {
    run: createRun(service()),
    place: signal(start.place),
    variables: signal({}),
    look: signal({ kind: "page", size: "phone" }),
    note: signal(undefined),
    begun: undefined,
    of: undefined,
  };
  sittings.set(open, made);
  return made;
}

const starts = new WeakMap<object, Start>();

/** Returns the start for a request. The position is read only once per request. */
export function startOf(asked: object | undefined, place: () => StartPlace | undefined): Start {
  const known = asked && starts.get(asked);
  if (known) return known;
  const made = { place: place() };
  if (asked) starts.set(asked, made);
  return made;
}
