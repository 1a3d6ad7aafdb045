import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import type { Ending } from "./decisions.ts";
import type { Held, Step, Taken } from "./replica.ts";

/** The listener of an open draft. */
export type Listener = {
  /** The draft, as the author sees it, has changed. */
  onView?(view: DraftDocument): void;
  /** The service's order advanced; the shown draft and the pending changes are already up to date. */
  onSteps?(steps: readonly Step[]): void;
  /** Any other change: of pending or held changes, or of the history. */
  onState?(): void;
  /** Others changed something. */
  onOthers?(sets: Extract<Taken, { kind: "taken" }>["others"]): void;
  /** A pending decision is no longer needed. */
  onEnded?(how: Ending, held: Held): void;
};
