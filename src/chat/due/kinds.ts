import { call, postponedCall } from "./call.ts";
import type { DueKind } from "./kind.ts";
import { payment } from "./payment.ts";
import { timeout } from "./timeout.ts";
import { wait } from "./wait.ts";

/** Every kind, by the word in its rows. */
export const dueKinds: ReadonlyMap<string, DueKind> = new Map(
  Object.entries({ timeout, wait, call, postponedCall, payment }),
);
