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

/** A request that the client may repeat with the same key. */
export type KeyedRequest = {
  readonly key: string;
  /** The id of the token or sign-in. Undefined if the operation requires neither. */
  readonly tokenId: string | undefined;
  /**
   * The text of the token or cookie. The stored response is encrypted with this text, or with the content of the
   * request if there is no token. Only the client knows both texts.
   */
  readonly token: string | undefined;
  /** The content of the request: method, address and body. */
  readonly content: unknown;
  /** Absent for an operation whose responses contain no content of bots or results. */
  readonly shows?: ShownContent | undefined;
};

export type { ContentPlace };

/** The content that a response contains. The response may be repeated while the client may see this content. */
export type ShownContent = {
  /** The bot or workspace that the request names. */
  readonly place: ContentPlace;
  /** Throws unless the client may currently see content of this bot or workspace. */
  mayStillSee(place: ContentPlace): Promise<void>;
};

export type KeptAnswer = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** A response. `place` is set if the request did not name the bot or workspace whose content the response contains. */
type GivenAnswer = KeptAnswer & { readonly place?: ContentPlace | undefined };

/** The owner of the keys of requests without a token. */
const nobody = "00000000000000000000000000";
/** The delays before a request checks again whether an earlier request with the same key was answered. */
const pausesMs = [20, 50, 100, 200] as const;
/** Responses of at least this size are compressed before they are encrypted. */
const compressedFrom = 4_096;

/**
 * Performs a request once per key, regardless of the node and of repetitions, and returns the first response every
 * time:
 *
 *     (none) ─ a request claims the key ───────────────────→ running
 *     running ─ it is answered with success ───────────────→ answered, for a day; then (none)
 *     running ─ it is rejected, or had no effect ──────────→ (none): the key may be used again
 *     running ─ it failed, or its process ended ───────────→ in doubt, for a day: 409 `idempotency.in_doubt`, never performed again
 *
 * A response with content of bots or results (`shows`) is repeated while the client may see this content, and deleted
 * when the content is erased:
 *
 *     answered ─ content is erased ────────────────────────→ (none)
 *     running ─ content is erased before the response ─────→ in doubt
 *
 * A concurrent request with the same key waits for the first request, and finally fails with 409 `idempotency.busy`. A
 * different request with the same key fails with 422.
 */
export async function answerOnce(
  deps: PlatformDependencies,
  request: KeyedRequest,
  perform: () => Promise<GivenAnswer>,
): Promise<KeptAnswer & { readonly isReplayed: boolean }> {
  const name = { ownerId: request.tokenId ?? nobody, key: request.key };
  const content = JSON.stringify(request.content, sortedKeys);
  const secret = request.token ?? content;
  // The hash includes the secret. Passwords in bodies could be guessed from an unkeyed hash.
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
    deps.log.error("The response to a request could not be stored for its Idempotency-Key", { error });
  }
  return { ...answer, isReplayed: false };
}

/**
 * Claims the key and returns undefined, or returns the stored response. Throws if there is neither, or if the client
 * may not get the response.
 */
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

/**
 * Throws unless the caller may still read the stored response. Also throws if a node of an earlier release stored the
 * response, because such nodes do not record the bot or workspace.
 */
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

/**
 * Releases the key of a failed request, or records that its outcome is unknown. Never throws, so that the caller sees
 * the original error.
 */
async function afterFailure(deps: PlatformDependencies, name: RequestKey, error: unknown): Promise<void> {
  try {
    await (didNothing(error) ? releaseRequestKey(deps.sql, name) : giveUpRequestKey(deps.sql, name));
  } catch (cause) {
    deps.log.warn("An Idempotency-Key stays reserved although its request failed", { error: cause });
  }
}

/** Whether a request that threw this error had no effect and may be repeated. */
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
 * Encrypts a response with a secret that only the client knows, because the response may contain a new token or code.
 * The operator's key cannot decrypt it.
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
