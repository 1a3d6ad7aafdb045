import { type Signal, signal } from "@preact/signals";
import type { Look } from "./bar.tsx";
import type { PreviewedDraft } from "./bot.ts";
import { createRun, type Given, type Run } from "./run.ts";
import type { PreviewService, StartPlace } from "./service.ts";

/** The place where a preview starts; without one, the start of the flow. A new object is a new request. */
export type Start = {
  readonly place: StartPlace | undefined;
  /** Replies of another chat, which are sent at once. */
  readonly replies?: readonly Given[] | undefined;
};

/**
 * A preview with all choices of its author. It outlives its panel, which moves to another place when the window gets
 * narrow.
 */
export type Sitting = {
  readonly run: Run;
  readonly place: Signal<StartPlace | undefined>;
  readonly variables: Signal<Readonly<Record<string, string>>>;
  readonly look: Signal<Look>;
  readonly note: Signal<string | undefined>;
  /** The request with which the preview began; undefined before. */
  begun: Start | undefined;
  /** The draft of the chat. */
  of: { readonly saved: number | undefined; readonly draft: PreviewedDraft } | undefined;
};

const sittings = new WeakMap<object, Sitting>();

/** The preview of an open bot: the last one if it is requested by the same request again. */
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

/** The start that a request means: the place is read once. */
export function startOf(asked: object | undefined, place: () => StartPlace | undefined): Start {
  const known = asked && starts.get(asked);
  if (known) return known;
  const made = { place: place() };
  if (asked) starts.set(asked, made);
  return made;
}
