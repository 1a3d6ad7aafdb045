import type { Dialect } from "../core/flow/dialect.ts";
import type { StepReply } from "../core/interpreter/program/state.ts";
import type { Session } from "./reads/sessions.sql.ts";

/**
 * The differences of chats for existing clients. `existing-clients/` implements them; `service/dependencies.ts` passes
 * them in.
 */
export type ClientHooks = {
  /**
   * Asked when a visitor returns with a result: whether the client continues its session. Otherwise the visitor starts
   * over.
   */
  goesOn(visit: { resultId: string; publicationNumber: number; dialect: Dialect }): Promise<boolean>;
  /**
   * Asked before each step: returns the stored response when a reloaded client sends the session's last request again,
   * `reread` when the session has changed because of this check, and undefined for every other request. Synchronous if
   * no read is needed.
   */
  findResentReply(
    session: Session,
    request: { key: string | null; hash: string; reply: StepReply | null },
  ): Promise<{ readonly response: string } | "reread" | undefined> | undefined;
};
