import type { ChangeSet } from "../../../../core/editing/changes/change.ts";
import type { Entry } from "./history.ts";
import type { KeptText } from "./pending-texts.ts";
import type { QueueState } from "./queue.ts";
import type { Held } from "./replica.ts";

/** The saving state that is shown to the author. Pending decisions are shown separately. */
export type SavingState =
  | { readonly kind: "saved" | "saving" | "refused" | "closed" }
  | { readonly kind: "offline"; readonly nextTryAt: number }
  | { readonly kind: "stopped"; readonly why: Extract<QueueState, { kind: "stopped" }>["why"] };

/** The unsaved work and the undo history, which survive a reload. */
export type Remains = {
  readonly revision: number;
  readonly pending: readonly ChangeSet[];
  readonly held: readonly Held[];
  readonly undo: readonly Entry[];
  readonly redo: readonly Entry[];
  /**
   * The texts that the pending changes edit, with their stored values. Needed if the draft at `revision` is no longer
   * available.
   */
  readonly texts?: readonly KeptText[];
};

export function savingOf(state: QueueState, pending: number, held: readonly Held[]): SavingState {
  if (state.kind === "closed") return { kind: "closed" };
  if (state.kind === "stopped") return { kind: "stopped", why: state.why };
  if (state.kind === "retrying") return { kind: "offline", nextTryAt: state.at };
  if (held.some(({ reason }) => reason.kind === "refused")) return { kind: "refused" };
  return { kind: pending > 0 || state.kind === "sending" ? "saving" : "saved" };
}
