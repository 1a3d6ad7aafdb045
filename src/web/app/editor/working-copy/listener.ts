import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import type { Ending } from "./decisions.ts";
import type { Held, Step, Taken } from "./replica.ts";

export type Listener = {
  /** Called when the draft that the author sees has changed. */
  onView?(view: DraftDocument): void;
  /** Called after the service added change sets. The shown draft and the pending changes are already up to date. */
  onSteps?(steps: readonly Step[]): void;
  /** Called after changes of the saving state, of the pending or held changes, or of the history. */
  onState?(): void;
  /** Called when other people changed something. */
  onOthers?(sets: Extract<Taken, { kind: "taken" }>["others"]): void;
  /** Called when a decision is no longer required. */
  onEnded?(how: Ending, held: Held): void;
};
