import type { Sql } from "../store/database/sql.ts";
import type { SafeFetch } from "./safe-fetch.ts";

/** What an effect may use. */
export type EffectContext = {
  readonly sql: Sql;
  readonly safeFetch: SafeFetch;
  readonly sessionId: string;
  /** Stable for this effect of this step, also when the step is taken up again after a crash. */
  readonly idempotencyKey: string;
  /** What is left of the step's time for effects: none takes longer, whatever its own limit. */
  readonly timeLeftMs: number;
  /** False once the step's claim was lost: nothing more may be sent for it. */
  readonly mayGoOn?: () => boolean;
};
