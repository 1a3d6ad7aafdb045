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

/** What a request's step tells while it waits for calls. */
export type Telling = {
  /** The step, for whoever hears of it, once this process performs its calls: known from the first one on, since most steps have none. */
  stepOf(session: Session, claim: HeldClaim): StepUnderWay;
  /** Another process performs the same request's step: what it tells is told here, too. */
  follow(session: Session): void;
  isFollowing(): boolean;
  ended(answer: ChatAnswer): void;
  failed(error: unknown): void;
};

/** `limiterKey`: what the request is asked of; null where nobody else can ask for this step. */
export function createTelling(
  { answersUnderWay, answersElsewhere }: Pick<ChatDependencies, "answersUnderWay" | "answersElsewhere">,
  limiterKey: string | null,
  { key, hash, reader }: Request,
): Telling {
  let step: StepUnderWay | undefined;
  let toldStepId: string | undefined;
  let isFollowing = false;
  let endTelling = (): void => {};
  const begun = ({ id: sessionId, revision, allowedOrigins }: Session): StepUnderWay => {
    if (step) return step;
    const name = nameOf(limiterKey, key);
    step = answersUnderWay.begin({ name, sessionId, isNew: revision === 0, requestHash: hash, allowedOrigins });
    step.join(reader);
    return step;
  };
  return {
    stepOf(session, claim) {
      const one = begun(session);
      if (toldStepId !== claim.stepId) {
        endTelling();
        endTelling = answersElsewhere.tell(one, claim);
        toldStepId = claim.stepId;
        isFollowing = false;
      }
      return one;
    },
    follow(session) {
      const stepId = session.claim?.stepId ?? undefined;
      if (stepId === undefined || stepId === toldStepId) return;
      const one = begun(session);
      endTelling();
      endTelling = answersElsewhere.follow(one, stepId);
      toldStepId = stepId;
      isFollowing = true;
      // Whoever comes again hears at once that something is under way.
      reader?.wake({ isUrgent: true });
    },
    isFollowing: () => isFollowing,
    ended(answer) {
      endTelling();
      step?.end(answer);
    },
    failed(error) {
      endTelling();
      step?.fail(error);
    },
  };
}

/** The step that this request asks for, where it waits for calls in this process. */
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

/** Waits for the answer of a step that another request takes; its reader reads along. */
export async function joinStep(
  deps: Pick<ChatDependencies, "config" | "pageWords">,
  step: StepUnderWay,
  { hash, origins, reader }: Request,
): Promise<ChatAnswer> {
  if (step.requestHash !== hash) throw new AppError("idempotency.key_reused");
  requireOrigin(deps, origins, step.allowedOrigins);
  const leave = step.join(reader);
  // Whoever comes again hears at once that something is under way.
  reader?.wake({ isUrgent: true });
  try {
    return { ...(await step.answer), isReplayed: true };
  } finally {
    leave();
  }
}

/** One name for the same request; null where no other request can be the same. */
function nameOf(limiterKey: string | null, key: string | null): string | null {
  return limiterKey === null || key === null ? null : `${limiterKey} ${key}`;
}
