import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import type { Ending } from "./decisions.ts";
import type { Held, Step, Taken } from "./replica.ts";

/** The listener of an open draft. */
export type Listener = {
  /** The draft as the author sees it changed. */
  onView?(view: DraftDocument): void;
  /** The service's order went on; the draft as the author sees it, and what is pending, have followed already. */
  onSteps?(steps: readonly Step[]): void;
  /** Anything else changed: what is pending, held, or can be taken back. */
  onState?(): void;
  /** Others changed something. */
  onOthers?(sets: Extract<Taken, { kind: "taken" }>["others"]): void;
  /** Something need not be decided any more. */
  onEnded?(how: Ending, held: Held): void;
};
