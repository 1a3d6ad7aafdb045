import type { Dialect } from "../core/flow/dialect.ts";
import type { Session } from "./reads/sessions.sql.ts";

/** What chats do otherwise for existing clients. `compatibility/` implements it, `dependencies.ts` hands it in. */
export type ClientHooks = {
  /**
   * Asked when a visitor comes back with a result: whether their client goes on with it. Otherwise the visitor begins again.
   */
  goesOn(visit: { resultId: string; publicationNumber: number; dialect: Dialect }): Promise<boolean>;
  /**
   * Asked before each step: the stored response when the request is the session's last one, sent again by a client that was
   * loaded anew. `reread` when the session has changed by the asking; undefined for every other request.
   */
  findResentReply(
    session: Session,
    request: { key: string | null; hash: string },
  ): Promise<{ readonly response: string } | "reread" | undefined>;
};
