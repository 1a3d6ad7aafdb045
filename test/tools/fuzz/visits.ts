import { valueAt } from "../../support/client.ts";
import { diceOf } from "./dice.ts";
import type { DocumentedOperation } from "./document.ts";
import type { Draft } from "./draft.ts";
import { mutateRequest } from "./mutations.ts";
import { pageRequest } from "./pages.ts";
import { type Material, replyOf, validRequest } from "./valid-requests.ts";
import type { WireOutcome } from "./wire.ts";
import type { World } from "./world.ts";

/** A request with the information to judge its response. */
export type Sent = {
  readonly draft: Draft;
  /** The operation to which the request certainly belongs. */
  readonly operation: DocumentedOperation | undefined;
  /** Whether the request is not mutated. */
  readonly isValid: boolean;
};

/** Consecutive requests of one client. A response may determine the next request. */
export type Visit = Generator<Sent, void, WireOutcome>;

/** Returns the visit with this number. For the same seed, the visit is always the same except for ids. */
export function* visitOf({ visit, seed, world, material }: VisitPlace): Visit {
  const dice = diceOf({ seed, visit });
  const { operations } = material.document;
  if (visit % 12 === 0) {
    const { draft } = mutateRequest(pageRequest({ dice, world, host: material.host }), { dice, world, value: null });
    yield { draft, operation: undefined, isValid: false };
    return;
  }
  // Every operation has its turn, even if the number of operations shares a divisor with twelve.
  const turn = visit - Math.floor(visit / 12) - 1;
  const operation = operations[turn % operations.length];
  if (!operation) return;
  const make = (one: DocumentedOperation, known?: Readonly<Record<string, string>>) =>
    validRequest(one, { dice, material, world }, known);
  const mutate = (draft: ReturnType<typeof make>, one: DocumentedOperation): Sent => {
    const changed = mutateRequest(draft, { dice, world, value: draft.value });
    return { draft: changed.draft, operation: changed.isAimed ? one : undefined, isValid: changed.draft === draft };
  };

  if (!dice.oneIn(triesPerErasure(operation))) {
    const other = make(operation, { workspaceId: "nobody", botId: "nobody" });
    yield mutate(other, operation);
    return;
  }
  if (!namesSession(operation)) {
    const outcome: WireOutcome = yield mutate(make(operation), operation);
    const sessionId = textIn(outcome, "sessionId");
    if (sessionId !== undefined) yield* chat(sessionId);
    return;
  }
  const starting = operations.filter(({ path }) => /^\/api\/v1\/bots\/\{\w+\}\/(preview\/)?startChat$/.test(path));
  // Only a traced preview has a trace and writable variables.
  const isOfPreview = /\/(trace|variables)$/.test(operation.path);
  const start = isOfPreview ? starting.find(({ path }) => path.includes("/preview/")) : dice.pick(starting);
  if (!start) return;
  const beginning = isOfPreview ? withBody(make(start), { isTraced: true }) : make(start);
  const started: WireOutcome = yield { draft: beginning, operation: start, isValid: true };
  const sessionId = textIn(started, "sessionId");
  const known = sessionId === undefined ? {} : { sessionId };
  if (operation.path === "/api/uploads/{token}") {
    const asking = operations.find(({ path }) => path.endsWith("generate-upload-url"));
    if (sessionId !== undefined) yield say(sessionId, "Ana");
    const asked: WireOutcome | undefined =
      asking && (yield { draft: make(asking, known), operation: asking, isValid: true });
    const token = asked && textIn(asked, "presignedUrl")?.split("/").at(-1);
    yield mutate(make(operation, token === undefined ? {} : { token }), operation);
    return;
  }
  if (sessionId !== undefined && dice.oneIn(2)) yield say(sessionId, "Ana");
  const draft = make(operation, known);
  const isNamed = operation.path.endsWith("/variables") && dice.oneIn(2);
  yield mutate(isNamed ? { ...draft, ...withBody(draft, { variables: { Name: "Ana" } }) } : draft, operation);
  if (sessionId !== undefined) yield* chat(sessionId);

  function* chat(id: string): Visit {
    for (let left = dice.below(4); left > 0; left--) yield say(id, replyOf({ dice, material }));
  }

  function say(id: string, message: unknown): Sent {
    const saying = operations.find(({ path }) => path.endsWith("/continueChat"));
    if (!saying) throw new Error("The document does not tell how to reply");
    return { draft: withBody(make(saying, { sessionId: id }), { message }), operation: saying, isValid: true };
  }
}

function withBody(draft: Draft, body: object): Draft {
  return { ...draft, body: Buffer.from(JSON.stringify(body)) };
}

type VisitPlace = {
  readonly visit: number;
  readonly seed: number;
  readonly world: World;
  readonly material: Material;
};

/**
 * Returns the number of visits for each erasure. Objects that other objects need are erased most rarely. Returns 1 for
 * operations that erase nothing.
 */
function triesPerErasure({ method, path }: DocumentedOperation): number {
  if (method !== "DELETE" && !path.endsWith("/unpublish")) return 1;
  return /\/(workspaces|bots|typebots)\/\{\w+\}$/.test(path) ? 30 : 6;
}

function namesSession({ path }: DocumentedOperation): boolean {
  return path.includes("{sessionId}") || path.endsWith("generate-upload-url") || path === "/api/uploads/{token}";
}

function textIn(outcome: WireOutcome, path: string): string | undefined {
  if (outcome.kind !== "answered" || outcome.status !== 200) return undefined;
  if (outcome.body.length === 0 || !/^application\/json(?:;|$)/.test(outcome.headers.get("content-type") ?? ""))
    return undefined;
  const value = valueAt(JSON.parse(outcome.body.toString()), path);
  return typeof value === "string" ? value : undefined;
}
