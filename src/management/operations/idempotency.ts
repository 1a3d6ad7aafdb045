import { AppError, type ErrorCode } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { JsonAnswer, jsonAnswer } from "../../platform/http/json-answer.ts";
import { answerOnce, type ContentPlace } from "../../platform/http/requests/request-keys.ts";
import { isId } from "../../platform/ids.ts";
import { type Caller, requireBot, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";

const visibleAscii = /^[\x21-\x7e]+$/;

/**
 * Returns the request's `Idempotency-Key`, or undefined if it has no such header. Throws `idempotency.key_invalid`
 * unless the key has 1 to 255 visible ASCII characters, and `idempotency.key_too_short` if it has fewer than `minimum`.
 */
export function readIdempotencyKey(headers: Headers, options: { minimum?: number } = {}): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key.length > limits.idempotency.keyCharacters || !visibleAscii.test(key)) {
    throw new AppError("idempotency.key_invalid");
  }
  if (key.length < (options.minimum ?? 1)) throw new AppError("idempotency.key_too_short");
  return key;
}

/**
 * The header that distinguishes a replayed response from a new response. A handler adds it to the headers of its
 * response.
 */
export const replayedHeader = { "Idempotency-Replayed": "true" } as const;

type KeyedOperation = {
  readonly method: string;
  readonly host?: "management" | "chat" | "both";
  readonly auth: { readonly kind: "token" | "optional" | "none" };
  readonly errors: readonly ErrorCode[];
  readonly bodyType?: string;
  readonly isKept?: boolean;
  readonly shows?: unknown;
};

/**
 * Whether responses are stored for the keys of an operation: for POSTs of the management API, unless `isKept` is false.
 * Operations whose steps store their own responses are excluded. Operations whose body only the handler reads are also
 * excluded, because such bodies cannot be compared.
 */
export function isKeptForKey({
  method,
  host = "management",
  errors,
  bodyType,
  isKept = true,
}: Omit<KeyedOperation, "auth">): boolean {
  const isKeeping = isKept && method === "POST" && host !== "chat" && bodyType === undefined;
  return isKeeping && !errors.includes("idempotency.key_invalid");
}

/** Returns the errors of requests with a key, if responses are stored. */
export function keptErrors(operation: KeyedOperation): readonly ErrorCode[] {
  if (!isKeptForKey(operation)) return [];
  const tooShort = operation.auth.kind === "token" ? [] : (["idempotency.key_too_short"] as const);
  const codes = [
    "idempotency.key_invalid",
    "idempotency.key_reused",
    "idempotency.busy",
    "idempotency.in_doubt",
  ] as const;
  return [...codes, ...tooShort, ...(operation.shows ? shownErrors : [])];
}

/** The errors for a caller who repeats a request and may no longer see the stored response. */
const shownErrors = [
  "bot.not_found",
  "workspace.not_found",
  "workspace.forbidden",
  "workspace.suspended",
] as const satisfies readonly ErrorCode[];

type Keyed = {
  readonly caller: Caller | undefined;
  /** The text of the caller's token or cookie. */
  readonly secret: string | undefined;
  readonly request: Request;
  /** The body as sent, including unknown keys. */
  readonly body: unknown;
  readonly answerHeaders: Record<string, string>;
  readonly shown: Shown | undefined;
};

/** The content of a bot, or of several bots of a workspace, and the right that its readers need. */
export type Shown = {
  readonly place: ContentPlace;
  readonly right: "read" | "write";
  /** Finds the bot if only the response contains its id, or if only the handler can find it. */
  placeOf(): Promise<ContentPlace | undefined> | ContentPlace | undefined;
};

/**
 * Runs the request and returns its response. A request with a key runs only once. Without a token, only the key
 * distinguishes callers, as it does for the start of a chat.
 */
export async function answeredOnce(
  deps: ManagementDependencies,
  { caller, secret, request, body, answerHeaders, shown }: Keyed,
  respond: () => Promise<unknown>,
): Promise<unknown> {
  const { headers, method, url } = request;
  const key = readIdempotencyKey(headers, caller ? {} : { minimum: limits.idempotency.startKeyMinCharacters });
  if (key === undefined) return await respond();
  const { pathname, search } = new URL(url);
  const shows = shown && caller && { place: shown.place, mayStillSee: readerOf(deps, caller, shown) };
  const keyed = { key, tokenId: caller?.tokenId, token: secret, content: [method, pathname, search, body], shows };
  const kept = await answerOnce(deps, keyed, async () => {
    const answer = await respond();
    const text = await textOf(answer);
    return { body: text, headers: { ...answerHeaders }, place: await shown?.placeOf() };
  });
  Object.assign(answerHeaders, kept.headers, kept.isReplayed ? replayedHeader : {});
  return jsonAnswer(kept.body);
}

/** Returns a check of the caller's rights that needs a single read. Content of several bots requires ADMIN. */
function readerOf(deps: ManagementDependencies, caller: Caller, { right }: Shown) {
  return async ({ workspaceId, botId }: ContentPlace): Promise<void> => {
    if (botId !== null) await requireBot(deps, caller, botId, right, { evenArchived: true });
    else await requireWorkspace(deps, caller, workspaceId ?? "", "administer");
  };
}

async function textOf(answer: unknown): Promise<string> {
  if (answer instanceof JsonAnswer) return answer.text;
  return answer instanceof Response ? await answer.text() : JSON.stringify(answer);
}

type Call = Pick<Shown, "right"> & {
  readonly params: unknown;
  readonly body: unknown;
  /** Finds the bot if neither the path nor `bot` in the response identifies it. */
  findBot(): Promise<string | undefined> | undefined;
};

/**
 * Returns the owner of the content in a response that is stored under the request's key. `noteAnswer` receives the
 * response before it is serialized as JSON.
 */
export function shownContent({ right, params, body, findBot }: Call): Shown & { noteAnswer(answer: unknown): void } {
  let answer: unknown;
  return {
    right,
    place: { botId: idAt(params, "botId"), workspaceId: idAt(params, "workspaceId") ?? idAt(body, "workspaceId") },
    noteAnswer(given) {
      answer = given;
    },
    async placeOf() {
      const bot: unknown = Object(answer).bot;
      const botId = idAt(bot, "id") ?? (await findBot()) ?? null;
      return botId === null ? undefined : { botId, workspaceId: idAt(bot, "workspaceId") };
    },
  };
}

function idAt(value: unknown, key: keyof ContentPlace | "id"): string | null {
  const id: unknown = Object(value)[key];
  return typeof id === "string" && isId(id) ? id : null;
}
