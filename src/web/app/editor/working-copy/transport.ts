import type { ChangeSet, DraftDocument } from "../../../../core/editing/changes/change.ts";
import type { ReceivedSet } from "./replica.ts";

/** Why nothing can be saved any more, until a person resolves the cause. */
export type Stop = "signed-out" | "forbidden" | "archived" | "suspended" | "gone" | "outdated";

/** The result of sending sets. */
export type Sent =
  | { readonly kind: "written"; readonly revision: number; readonly others: readonly ReceivedSet[] }
  /** Nothing was written: another person meant something different. */
  | {
      readonly kind: "conflict";
      readonly others: readonly ReceivedSet[];
      readonly conflicts: readonly { readonly path: readonly (string | number)[] }[];
    }
  /** Nothing was written: a set can never be stored. */
  | { readonly kind: "refused"; readonly issues: readonly Issue[] }
  /** The service did not answer, or not now. The sets may have been written nevertheless. */
  | { readonly kind: "lost"; readonly retryAfterMs?: number }
  | { readonly kind: "stopped"; readonly why: Stop };

export type Issue = { readonly path: string; readonly message: string };

export type Read<Value> =
  | { readonly kind: "read"; readonly value: Value }
  /** The log does not go back far enough. */
  | { readonly kind: "behind" }
  | { readonly kind: "lost"; readonly retryAfterMs?: number }
  | { readonly kind: "stopped"; readonly why: Stop };

export type DraftAt = { readonly revision: number; readonly draft: DraftDocument };

/** The connection to the service. It never throws: a failure is one of its answers. */
export type Transport = {
  send(base: number, sets: readonly ChangeSet[]): Promise<Sent>;
  /** The log after a revision, up to the current draft. */
  log(after: number): Promise<Read<readonly ReceivedSet[]>>;
  draft(): Promise<Read<DraftAt>>;
};

/** Time, which a test can control. */
export type Clock = { now(): number; startTimer(ms: number, call: () => void): () => void };
