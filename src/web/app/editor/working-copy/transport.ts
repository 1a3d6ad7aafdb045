import type { ChangeSet, DraftDocument } from "../../../../core/editing/changes/change.ts";
import type { ReceivedSet } from "./replica.ts";

/** The reason why saving has stopped until a person resolves the cause. */
export type Stop = "signed-out" | "forbidden" | "archived" | "suspended" | "gone" | "outdated";

/** The result of sending change sets. */
export type Sent =
  | { readonly kind: "written"; readonly revision: number; readonly others: readonly ReceivedSet[] }
  /** Nothing was written, because the changes conflict with another person's changes. */
  | {
      readonly kind: "conflict";
      readonly others: readonly ReceivedSet[];
      readonly conflicts: readonly { readonly path: readonly (string | number)[] }[];
    }
  /** Nothing was written, because a change set is invalid. */
  | { readonly kind: "refused"; readonly issues: readonly Issue[] }
  /** The service did not respond or is temporarily unavailable. The change sets may have been written nevertheless. */
  | { readonly kind: "lost"; readonly retryAfterMs?: number }
  | { readonly kind: "stopped"; readonly why: Stop };

export type Issue = { readonly path: string; readonly message: string };

export type Read<Value> =
  | { readonly kind: "read"; readonly value: Value }
  /** The log does not reach back far enough. */
  | { readonly kind: "behind" }
  | { readonly kind: "lost"; readonly retryAfterMs?: number }
  | { readonly kind: "stopped"; readonly why: Stop };

export type DraftAt = { readonly revision: number; readonly draft: DraftDocument };

/** The connection to the service. Its methods return the failures of requests as results instead of throwing them. */
export type Transport = {
  send(base: number, sets: readonly ChangeSet[]): Promise<Sent>;
  /** Returns the log after a revision, up to the current draft. */
  log(after: number): Promise<Read<readonly ReceivedSet[]>>;
  draft(): Promise<Read<DraftAt>>;
};

/** A clock that tests can control. */
export type Clock = { now(): number; startTimer(ms: number, call: () => void): () => void };
