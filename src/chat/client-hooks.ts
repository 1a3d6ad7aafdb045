import type { Dialect } from "../core/flow/dialect.ts";
import type { StepReply } from "../core/interpreter/program/state.ts";
import type { Session } from "./reads/sessions.sql.ts";

/**
 * The differences between chats of existing clients and other chats. `existing-clients/` implements the hooks, and
 * `service/dependencies.ts` passes them in.
 */
export type ClientHooks = {
  /**
   * Called when a visitor returns with a result. Returns whether the visitor continues this result; otherwise, the
   * visitor starts over.
   */
  goesOn(visit: { resultId: string; publicationNumber: number; dialect: Dialect }): Promise<boolean>;
  /**
   * Called before each step. Returns the stored response if a reloaded client repeats a recent request of the session,
   * and `reread` if the session must be read again. Otherwise returns undefined. Synchronous if nothing must be read.
   */
  findResentReply(
    session: Session,
    request: { key: string | null; hash: string; reply: StepReply | null },
  ): Promise<{ readonly response: string } | "reread" | undefined> | undefined;
};
