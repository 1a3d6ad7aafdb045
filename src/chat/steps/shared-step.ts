import { AppError } from "../../errors.ts";
import { type Origins, requireOrigin } from "../../management/access/origins.ts";
import type { Session } from "../reads/sessions.sql.ts";
import type { HeldClaim } from "./answers-elsewhere.ts";
import type { ChatAnswer, StepReader, StepUnderWay } from "./answers-under-way.ts";
import type { ChatDependencies } from "./dependencies.ts";

type Request = {
  readonly key: string | null;
  readonly hash: string;
  readonly origins: Origins;
  readonly reader?: StepReader | undefined;
};

/** Shares the step of a request with other requests and other processes while the step waits for calls. */
export type SharedStep = {
  /**
   * Returns the step that other requests can join. The step is registered at its first call, because most steps make no
   * calls.
   */
  stepOf(session: Session, claim: HeldClaim): StepUnderWay;
  /** Passes on the progress of another process that runs the step of the same request. */
  follow(session: Session): void;
  isFollowing(): boolean;
  ended(answer: ChatAnswer): void;
  failed(error: unknown): void;
};

/**
 * Creates a step that can be shared. `limiterKey` identifies the session or start. It is null if no other request can
 * ask for this step.
 */
export function createSharedStep(
  { answersUnderWay, answersElsewhere }: Pick<ChatDependencies, "answersUnderWay" | "answersElsewhere">,
  limiterKey: string | null,
  { key, hash, reader }: Request,
): SharedStep {
  let step: StepUnderWay | undefined;
  let sharedStepId: string | undefined;
  let isFollowing = false;
  let endSharing = (): void => {};
  const begun = ({ id: sessionId, contactId, revision, allowedOrigins }: Session): StepUnderWay => {
    if (step) return step;
    const name = nameOf(limiterKey, key);
    const facts = { name, sessionId, contactId, afterRevision: revision, requestHash: hash, allowedOrigins };
    step = answersUnderWay.begin(facts);
    step.join(reader);
    return step;
  };
  return {
    stepOf(session, claim) {
      const one = begun(session);
      if (sharedStepId !== claim.stepId) {
        endSharing();
        endSharing = answersElsewhere.publish(one, claim);
        sharedStepId = claim.stepId;
        isFollowing = false;
      }
      return one;
    },
    follow(session) {
      const stepId = session.claim?.stepId ?? undefined;
      if (stepId === undefined || stepId === sharedStepId) return;
      const one = begun(session);
      endSharing();
      endSharing = answersElsewhere.follow(one, stepId);
      sharedStepId = stepId;
      isFollowing = true;
      // A repeated request switches to a stream immediately, which shows that the step is running.
      reader?.wake({ isUrgent: true });
    },
    isFollowing: () => isFollowing,
    ended(answer) {
      endSharing();
      step?.end(answer);
    },
    failed(error) {
      endSharing();
      step?.fail(error);
    },
  };
}

/** Finds the step of this request, if it waits for calls in this process and has room for another request. */
export function findJoinable(
  { answersUnderWay }: Pick<ChatDependencies, "answersUnderWay">,
  limiterKey: string | null,
  { key }: Pick<Request, "key">,
): StepUnderWay | undefined {
  if (answersUnderWay.isEmpty()) return undefined;
  const name = nameOf(limiterKey, key);
  const step = name === null ? undefined : answersUnderWay.find(name);
  return step?.hasRoom() ? step : undefined;
}

/**
 * Waits for the answer of a step that another request runs. The reader receives the step's progress in the meantime.
 * Throws `idempotency.key_reused` if the content of the requests differs.
 */
export async function joinStep(
  deps: Pick<ChatDependencies, "config" | "pageWords">,
  step: StepUnderWay,
  { hash, origins, reader }: Request,
): Promise<ChatAnswer> {
  if (step.requestHash !== hash) throw new AppError("idempotency.key_reused");
  requireOrigin(deps, origins, step.allowedOrigins);
  const leave = step.join(reader);
  // A repeated request switches to a stream immediately, which shows that the step is running.
  reader?.wake({ isUrgent: true });
  try {
    return { ...(await step.answer), isReplayed: true };
  } finally {
    leave();
  }
}

/** Returns a name that equal requests share, or null if no other request can be equal. */
function nameOf(limiterKey: string | null, key: string | null): string | null {
  return limiterKey === null || key === null ? null : `${limiterKey} ${key}`;
}
