import { createHmac } from "node:crypto";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { pause } from "../../concurrency/clock.ts";
import { outageOf } from "../../database/primary/outage.ts";
import type { PlatformDependencies } from "../../dependencies.ts";
import { createSecrets } from "../../secrets.ts";
import { asAppError } from "./failures.ts";
import {
  type ContentPlace,
  claimRequestKey,
  findRequestKey,
  giveUpRequestKey,
  keepAnswer,
  type RequestKey,
  type RequestKeyRow,
  releaseRequestKey,
} from "./request-keys.sql.ts";

/** A request that its sender may send again under its key. */
export type KeyedRequest = {
  readonly key: string;
  /** The token or sign-in, or undefined if the operation needs neither. */
  readonly tokenId: string | undefined;
  /**
   * The text of the token, or of the cookie. The stored response is encrypted with this text, or otherwise with the
   * content: only the sender knows either.
   */
  readonly token: string | undefined;
  /** The content of the request: method, address and body. */
  readonly content: unknown;
  /** Absent for an operation whose answers contain nothing of bots or results. */
  readonly shows?: ShownContent | undefined;
};

export type { ContentPlace };

/** The content that an answer contains. The answer may be returned as long as the caller may see this content. */
export type ShownContent = {
  /** The place as the request names it, before it is performed. */
  readonly place: ContentPlace;
  /** Throws unless the caller may see content of this place now. */
  mayStillSee(place: ContentPlace): Promise<void>;
};

export type KeptAnswer = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** The answer with the place whose content it contains, if the request did not name the place. */
type GivenAnswer = KeptAnswer & { readonly place?: ContentPlace | undefined };

/** The owner of keys of requests without a token. */
const nobody = "00000000000000000000000000";
/** How long a request waits before it checks again whether the first one is answered. */
const pausesMs = [20, 50, 100, 200] as const;
/** Responses from this size on are compressed before they are encrypted. */
const compressedFrom = 4_096;

/**
 * Performs a request once for its key, on whatever node and however often it is sent, and returns the first response
 * every time:
 *
 *     (none) ─ a request takes the key ────────────────────→ under way
 *     under way ─ it is answered with success ─────────────→ answered, for a day; then (none)
 *     under way ─ it is refused, or did nothing ───────────→ (none): the key may be tried again
 *     under way ─ it failed, or its process went away ─────→ in doubt, for a day: 409 `idempotency.in_doubt`, never done a second time
 *
 * An answer with content of bots or results (`shows`) is given again to who may still see it, and goes when content of
 * its place is erased:
 *
 *     answered ─ content is erased ────────────────────────→ (none)
 *     under way ─ content is erased, then it is answered ──→ in doubt
 *
 * A request that comes meanwhile waits for the first, at last with 409 `idempotency.busy`. Another request under the
 * key is 422.
 */
export async function answerOnce(
  deps: PlatformDependencies,
  request: KeyedRequest,
  perform: () => Promise<GivenAnswer>,
): Promise<KeptAnswer & { readonly isReplayed: boolean }> {
  const name = { ownerId: request.tokenId ?? nobody, key: request.key };
  const content = JSON.stringify(request.content, sortedKeys);
  const secret = request.token ?? content;
  // Hashed with the secret, since bodies contain passwords that could be guessed from a plain hash.
  const requestHash = createHmac("sha256", secret).update(content).digest();
  const kept = await takeKey(deps, name, { requestHash, shows: request.shows });
  if (kept) return { ...(await openAnswer(kept, { name, secret })), isReplayed: true };
  let answer: GivenAnswer;
  try {
    answer = await perform();
  } catch (error) {
    await afterFailure(deps, name, error);
    throw error;
  }
  try {
    const sealed = await sealAnswer(answer, { name, secret });
    const place = request.shows && (answer.place ?? request.shows.place);
    if (!(await keepAnswer(deps.sql, name, { answer: sealed, place }))) await giveUpRequestKey(deps.sql, name);
  } catch (error) {
    deps.log.error("The answer to a request could not be stored for its Idempotency-Key", { error });
  }
  return { ...answer, isReplayed: false };
}

/** Undefined once the key is the caller's, otherwise its stored response. */
async function takeKey(
  deps: PlatformDependencies,
  name: RequestKey,
  { requestHash, shows }: { requestHash: Buffer; shows: ShownContent | undefined },
): Promise<Uint8Array | undefined> {
  const giveUpAt = deps.clock.now() + limits.idempotency.waitMs;
  for (let round = 0; ; round++) {
    if (await claimRequestKey(deps.sql, { ...name, requestHash, place: shows?.place })) return undefined;
    const known = await findRequestKey(deps.sql, name);
    if (known && !requestHash.equals(known.requestHash)) throw reused();
    if (known?.answer) {
      if (shows) await requireShown(known, shows);
      return known.answer;
    }
    if (known?.isCutOff) throw new AppError("idempotency.in_doubt");
    if (deps.clock.now() >= giveUpAt) throw new AppError("idempotency.busy");
    await pause(deps.clock, pausesMs[Math.min(round, pausesMs.length - 1)] ?? 0);
  }
}

/** Checks the rights again. A node of an earlier release does not record whose content its answers contain. */
async function requireShown(
  { shows, workspaceId, botId }: RequestKeyRow,
  { mayStillSee }: ShownContent,
): Promise<void> {
  if (!shows) throw new AppError("idempotency.in_doubt");
  await mayStillSee({ workspaceId, botId });
}

function reused(): AppError {
  return new AppError("idempotency.key_reused", { message: "This Idempotency-Key was used with another request." });
}

/** Never throws: the caller has to see the original failure. */
async function afterFailure(deps: PlatformDependencies, name: RequestKey, error: unknown): Promise<void> {
  try {
    await (didNothing(error) ? releaseRequestKey(deps.sql, name) : giveUpRequestKey(deps.sql, name));
  } catch (cause) {
    deps.log.warn("An Idempotency-Key stays reserved although its request failed", { error: cause });
  }
}

/** Whether a request that threw this error may be sent again as if it had not been sent. */
function didNothing(error: unknown): boolean {
  if (error instanceof AppError) return true;
  const outage = outageOf(error);
  return outage ? outage.kind !== "lost" : asAppError(error).code !== "server.internal";
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Sealed = { readonly name: RequestKey; readonly secret: string };

/**
 * Stored responses cannot be read without the token, not even with the operator's key: they may show a new token or
 * code.
 */
function sealAnswer({ body, headers }: KeptAnswer, { name, secret }: Sealed): Promise<Uint8Array> {
  const text = JSON.stringify([headers, body]);
  const packed = text.length < compressedFrom ? text : Buffer.from(Bun.gzipSync(text)).toString("base64");
  return createSecrets({ current: secret }).seal(packed, placeOf(name));
}

async function openAnswer(sealed: Uint8Array, { name, secret }: Sealed): Promise<KeptAnswer> {
  const packed = await createSecrets({ current: secret }).open(sealed, placeOf(name));
  if (packed === undefined) throw new AppError("idempotency.in_doubt");
  const text = packed.startsWith("[")
    ? packed
    : new TextDecoder().decode(Bun.gunzipSync(Buffer.from(packed, "base64")));
  const [headers, body]: [Record<string, string>, string] = JSON.parse(text);
  return { headers, body };
}

function placeOf({ ownerId, key }: RequestKey): string {
  return `request-key:${ownerId}:${key}`;
}
