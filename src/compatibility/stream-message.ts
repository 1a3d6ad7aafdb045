import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { isId } from "../ids.ts";
import { type Origins, requireOrigin } from "../services/origins.ts";
import { findSession } from "../store/chat/sessions.ts";

/**
 * What an existing client draws while an answer is streamed, and then sends back as its report: lines of a code, a colon and
 * JSON. No block of ours tells a client to ask for this, and one that asks all the same is left stuck by an error and by an
 * empty stream, so there is always a line of text.
 */
export async function streamMessage(deps: Dependencies, sessionId: string, origins: Origins): Promise<string> {
  const session = isId(sessionId) ? await findSession(deps.sql, sessionId, null) : undefined;
  if (!session) throw new AppError("session.not_found");
  requireOrigin(deps, origins, session.allowedOrigins);
  return `0:${JSON.stringify(fallback)}\n`;
}

const fallback = "There is no answer at the moment.";
