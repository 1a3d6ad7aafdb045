import type { Reply } from "../core/interpreter/program/state.ts";
import { AppError } from "../errors.ts";
import { isId, newId } from "../platform/ids.ts";
import { type ContinueRequest, storedSession } from "./continue-chat.ts";
import { goBack } from "./go-back.ts";
import { findStepWithKey } from "./reads/steps.sql.ts";
import type { ChatAnswer } from "./steps/answers-under-way.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { requestHash } from "./steps/replies.ts";
import { takeStep } from "./steps/take-step.ts";

type TryAgainRequest = Pick<
  ContinueRequest,
  "sessionId" | "contentFormat" | "key" | "origins" | "hops" | "reader" | "afterRevision"
>;

/**
 * Requests another answer to the last reply of a session. A first step goes back, and a second step sends the same
 * reply. The first step is saved under a key that clients cannot send. A repeated request finds the first step by this
 * key, and continues with the second step, which has the request's own key. Only the first step compares the request's
 * `afterRevision`. Throws `session.nothing_to_repeat` if no reply can be sent again.
 */
export async function tryAgain(deps: ChatDependencies, request: TryAgainRequest): Promise<ChatAnswer> {
  const { sessionId, contentFormat, key, origins, hops, reader, afterRevision: known } = request;
  if (!isId(sessionId)) throw new AppError("session.not_found");
  const place = { sessionId, key: `again ${key ?? newId()}` };
  const find = () => findStepWithKey(deps.sql, place);
  const first = { ...place, origins, hops, afterRevision: known, isTryingAgain: true };
  const wentBack = (await find()) ?? (await goBack(deps, first).then(find));
  if (!wentBack) throw new AppError("session.nothing_to_repeat");
  const { takenBack }: { takenBack: { reply: Reply | null } } = JSON.parse(wentBack.response);
  const hash = requestHash(["try again", contentFormat, ...(known === undefined ? [] : [known])]);
  const source = storedSession(deps, { id: sessionId, key, movesFor: hash, contactId: null });
  // If another answer to the open question arrives in between, that answer is used, and this request is rejected.
  const afterRevision = wentBack.revision;
  return takeStep(deps, source, {
    reply: takenBack.reply,
    contentFormat,
    key,
    hash,
    origins,
    hops,
    reader,
    afterRevision,
    drawsAnew: true,
  });
}
