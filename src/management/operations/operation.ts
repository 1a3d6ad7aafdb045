import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { ownSpelling, type Spelling, typebotSpelling } from "../../compatibility/spelling.ts";
import type { Dialect } from "../../core/flow/dialect.ts";
import type { ErrorCode } from "../../errors.ts";
import type { Act } from "../../limits/rate-rules.ts";
import { countAnnounced, readJsonBody } from "../../platform/http/body.ts";
import { isTagged, readIfMatch, tagger } from "../../platform/http/conditions.ts";
import type { AnswerEvents } from "../../platform/http/event-stream.ts";
import { createReportIgnored } from "../../platform/http/ignored.ts";
import { JsonAnswer } from "../../platform/http/json-answer.ts";
import { readQuery, searchOf } from "../../platform/http/query.ts";
import type { Seen } from "../../platform/http/requests/seen.ts";
import { exampleOf } from "../../platform/http/schemas.ts";
import { checker, checkInput, checkPath } from "../../platform/http/validation.ts";
import type { Admission } from "../../platform/rate-limits/rate-limits.ts";
import type { Caller } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { audited, isAuditedWrite } from "../audit/audit.ts";
import { type Authentication, isNobody, needsToken, secretOf } from "./authentication.ts";
import { bodySizeOf } from "./body-size.ts";
import { answeredOnce, isKeptForKey, shownContent } from "./idempotency.ts";
import { inputChecker } from "./input-checker.ts";
import { actOf, allErrors } from "./operation-errors.ts";
import { compatibleTag, type Named, type Tag, wordsOf } from "./operation-words.ts";
import { cleanParams, type PathIds, pathIds, requireSameNames, sessionIn } from "./path-ids.ts";
import type { SignInCookie } from "./sign-in-cookie.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/** The input of a handler: checked plain values, and the caller. */
export type Input<Params, Query, Body, Who> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Who;
  readonly headers: Headers;
  /** Headers to add to the response, such as `Idempotency-Replayed`. */
  readonly answerHeaders: Record<string, string>;
  /** The dialect of the called path. Fields of schemas are already renamed; the handler renames other names. */
  readonly dialect: Dialect;
  /** The request, for parts that schemas do not describe, such as a body that is not JSON or the requested address. */
  readonly request: Request;
  /** Applies rate limits that depend on data from the handler. */
  readonly admission: Admission;
  /** The cookie of the caller's sign-in, if a cookie is valid for the request. */
  readonly cookie: SignInCookie | undefined;
  /** The versions that `If-Match` may overwrite, for operations with `precondition.failed`. Undefined: all versions. */
  readonly seen: Seen;
};

/** The result of a handler: a value, or a complete response. */
type Handled<Answer> = Answer | Response | JsonAnswer;

/** A method and a path in Elysia's notation. Operations must use the same parameter name at the same position. */
type Route = `${Method} /api/${string}`;

type Definition<
  At extends Route,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Answer extends TSchema,
  Who extends Caller | undefined,
  Deps extends ManagementDependencies,
> = {
  readonly route: At;
  /** The operation's group in the documentation, if it differs from the group of its table. */
  readonly tag?: Tag;
  /** By default, a GET requires a token that may read, and any other method requires a token that may write. */
  readonly auth?: Authentication<Who>;
  /** `chat`: at CHAT_URL, for pages of any origin (CORS). `both`: at CHAT_URL and PUBLIC_URL. Others: at PUBLIC_URL. */
  readonly host?: "management" | "chat" | "both";
  /** Whether PUBLIC_URL also serves this `chat` endpoint, for the builder's previews. */
  readonly isForBuilder?: boolean;
  /** By default, the ids in the path (`path-ids.ts`). */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** By default `{}`. A DELETE has no default example, because it rarely has a body. */
  readonly bodyExample?: unknown;
  /** The content type of a body that is not JSON. The handler reads such a body from the request. */
  readonly bodyType?: string;
  /** The time of the object's last change, which becomes its `ETag`. By default, a GET's tag depends on its content. */
  version?(answer: Static<Answer>): Date | string | undefined;
  /** For a write with `If-Match`: fields that a GET returns in addition, so that both responses have the same tag. */
  readonly shownWith?: Readonly<Record<string, unknown>>;
  /** The maximum size of a body in bytes, which may depend on the caller. See `bodySizeOf` for the default. */
  readonly bodyBytes?: number | ((caller: Caller | undefined) => number);
  /** Throws if the request must be rejected for a reason other than its body. The body is then not read. */
  readonly beforeBody?: (given: { readonly cookie: SignInCookie | undefined }) => void;
  /** The response with status 200. Tests check responses against it, but the running service does not. */
  readonly answer: Answer;
  /** By default, the example is generated from the schema (`exampleOf`). A test checks it against the schema. */
  readonly answerExample?: unknown;
  /** The response's content type if it is not JSON. A list contains the types among which the caller can choose. */
  readonly answerType?: string | readonly string[];
  /** The events of a stream, for callers that accept a stream. */
  readonly answerEvents?: AnswerEvents;
  /** The codes that the operation throws, except those of token, path, query and body (`operation-errors.ts`). */
  readonly errors?: readonly ErrorCode[];
  /** The kind of rate limits that apply. By default `management` if a token is required, otherwise no kind. */
  readonly act?: Act;
  /** Whether a success counts as one step of a chat in the metrics. */
  readonly isStep?: boolean;
  /** If `false`, no response is stored for an `Idempotency-Key`, because it contains a secret that is never stored. */
  readonly isKept?: boolean;
  /**
   * Whether the response contains content of bots or results. A stored response is sent only to callers who may see
   * this content now. If absent, the response contains no such content.
   */
  readonly shows?: true | ((body: NoInfer<Static<Body>>) => boolean);
  /** The right to the bot that a caller needs to get a stored response, if it differs from the right for the scope. */
  readonly shownTo?: "read";
  /** Finds the bot of the content, if neither the path nor `bot` in the response identifies it. */
  shownBot?(deps: Deps, params: Static<Params>): Promise<string | undefined>;
  /** Whether the audit log contains the calls, or for which bodies. Defaults to true for changes by management. */
  readonly isAudited?: boolean | ((body: NoInfer<Static<Body>>) => boolean);
  /**
   * For paths below `/api/v1/bots`: whether `/api/v1/typebots` also serves the operation, with the names of the
   * reference product. The contract tests then require a test of this path.
   */
  readonly isCompatible?: boolean;
  /** The query on the compatible path, if existing clients may request more. */
  readonly compatibleQuery?: NoInfer<Query>;
  /** Waits until the caller may send a body that takes long to read. Returns a function that ends the caller's turn. */
  takeTurn?(deps: Deps, who: { readonly caller: Who; readonly address: string | undefined }): Promise<() => void>;
  /** Returns a response for clients that cannot handle an error. If it returns undefined, the error is thrown. */
  soften?(deps: Deps, error: unknown, call: Call): Promise<Response | JsonAnswer | undefined>;
  /** If the response is already JSON text, the handler must return it with `jsonAnswer`. */
  handle(
    deps: Deps,
    input: Input<Static<Params>, Static<Query>, Static<Body>, Who>,
  ): Handled<Static<Answer>> | Promise<Handled<Static<Answer>>>;
};

/** An operation as used by the router, the documentation and the contract test. */
export type Operation = {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string | undefined;
  readonly auth: Pick<Authentication<undefined>, "kind" | "scope">;
  readonly host: "management" | "chat" | "both";
  /** Whether a chat operation is also served at PUBLIC_URL. */
  readonly isForBuilder: boolean;
  readonly params: TObject;
  readonly query: TObject;
  readonly body: TSchema | undefined;
  readonly bodyExample: unknown;
  readonly bodyType: string | undefined;
  /** The maximum bytes of a JSON body. Undefined if a token is required, or if the body is not read. */
  readonly openBodyBytes: number | undefined;
  readonly answer: TSchema;
  readonly answerExample: unknown;
  readonly answerTypes: readonly string[];
  readonly answerEvents: AnswerEvents | undefined;
  /** All error codes of the operation, except `server.internal`, which is always a bug. */
  readonly errors: readonly ErrorCode[];
  /** The operation's kind for the rate limits. */
  readonly act: Act | undefined;
  readonly isStep: boolean;
  /** Whether the audit log contains calls of the operation. */
  readonly isAudited: boolean;
  /** Whether the operation's responses may contain content of bots or results. */
  readonly shows: boolean;
  /** Whether the operation's responses have an `ETag`, so that clients can send `If-None-Match`. */
  readonly isTagged: boolean;
  /** The operation with the names of the reference product, if it is also served with these names. */
  readonly compatible: Operation | undefined;
  /** Checks rate limits, token and input, and calls the handler. Throws if the caller's request is invalid. */
  perform(deps: ManagementDependencies, call: Call): Promise<unknown>;
};

/** The data of a request that the router passes to an operation. */
export type Call = {
  readonly request: Request;
  readonly params: Readonly<Record<string, unknown>>;
  readonly answerHeaders: Record<string, string>;
  admission(options: { readonly isPatient: boolean }): Admission;
  readonly cookie?: SignInCookie | undefined;
};

/**
 * Returns a function that defines operations of one group of the documentation (`operations.json`). The router, 405s,
 * validation, documentation and contract tests use them. A handler should only pass plain values to one service call.
 *
 * ```ts
 * const operation = operationFor("Folders");
 *
 * export const folderOperations: readonly Operation[] = [
 *   operation({
 *     id: "updateFolder",
 *     route: "PATCH /api/v1/folders/:folderId",
 *     body: Type.Object({ folder: Type.Object({ name: Type.Optional(Type.String()) }) }),
 *     answer: Type.Object({ folder: FolderSchema }),
 *     handle: async (deps, { caller, params, body }) => ({
 *       folder: await updateFolder(deps, caller, params.folderId, body.folder),
 *     }),
 *   }),
 * ];
 * ```
 *
 * `operations.json` contains the operation's summary. Add the list of operations to `src/service/operations.ts`. A noun
 * that needs more dependencies than the rest of management names them:
 * `operationFor<FileDependencies>("Files of authors")`. All keys of an answer's schema are required unless they are
 * optional. The checks run in the order token, path, query, body, handler. A missing body counts as `{}`.
 */
export function operationFor<Deps extends ManagementDependencies = ManagementDependencies>(tag: Tag) {
  return <
    const At extends Route,
    Answer extends TSchema,
    Who extends Caller | undefined = Caller,
    Params extends TObject = PathIds<At>,
    Query extends TObject = TObject<Record<never, never>>,
    Body extends TSchema = TObject<Record<never, never>>,
  >(
    definition: Named & Definition<At, Params, Query, Body, Answer, Who, Deps>,
  ): Operation => {
    const completed = complete(definition, tag);
    const own = spelled(completed, ownSpelling);
    if (!definition.isCompatible) return own;
    const path = own.path.replaceAll(/:(\w+)/g, "{$1}");
    const description = `The same as \`${own.method} ${path}\`, with the names that existing clients use.`;
    return { ...own, compatible: { ...spelled(completed, typebotSpelling), tag: compatibleTag, description } };
  };
}

type AnyDefinition = Named &
  Definition<Route, TObject, TObject, TSchema, TSchema, Caller | undefined, ManagementDependencies>;

/** Adds the defaults that a definition leaves out. */
function complete(definition: AnyDefinition, tag: Tag) {
  const [method, path] = partsOf(definition.route);
  const params = definition.params ?? pathIds(path);
  requireSameNames(path, params);
  const auth: Authentication<Caller | undefined> = definition.auth ?? needsToken(method === "GET" ? "read" : "write");
  const defaults = { tag, errors: [], ...(method !== "DELETE" && { bodyExample: {} }) };
  return { ...defaults, ...wordsOf(definition), ...definition, method, path, params, auth };
}

function partsOf(route: Route): [method: Method, path: string] {
  const space = route.indexOf(" ");
  const method = methods.find((each) => each === route.slice(0, space));
  if (!method) throw new Error(`${route} has no known method`);
  return [method, route.slice(space + 1)];
}

function spelled(definition: ReturnType<typeof complete>, spelling: Spelling): Operation {
  const host = definition.host ?? "management";
  const path = spelling.path(definition.path);
  const { dialect } = spelling;
  const query = (dialect === "typebot" && definition.compatibleQuery) || definition.query;
  const params = spelling.object(definition.params);
  const checkParams = inputChecker(definition.params, spelling, checkPath);
  const checkQuery = query && checker(query);
  const checkBody = definition.body && inputChecker(definition.body, spelling, checkInput);
  const bodyInTheirNames = definition.body && spelling.schema(definition.body);
  const reportIgnored = createReportIgnored({
    query: query ?? nothing,
    body: bodyInTheirNames,
    isBodyReported: host !== "chat",
  });
  const act = actOf(definition);
  const isAudited = isAuditedWrite(definition);
  const isAuditedOf = typeof definition.isAudited === "function" ? definition.isAudited : () => isAudited;
  const isKept = isKeptForKey(definition);
  const { shows = false } = definition;
  const showsOf = typeof shows === "function" ? shows : () => shows;
  const right = definition.shownTo ?? (definition.auth.scope === "read" ? "read" : "write");
  const takesIfMatch = definition.errors.includes("precondition.failed");
  const tag = tagger(definition);
  const bodySize = bodySizeOf(definition);
  const ownName = `${definition.method} ${definition.path.replaceAll(/:(\w+)/g, "{$1}")}`;
  const isWaitedFor = host === "chat" && definition.method !== "GET" && act !== "logs";

  /** A single function that awaits only missing parts, because every promise adds cost to each step of a chat. */
  const perform = async (deps: ManagementDependencies, call: Call): Promise<unknown> => {
    const { request, params: given, answerHeaders, cookie } = call;
    const { headers } = request;
    let caller: Caller | undefined;
    let endTurn: (() => void) | undefined;
    try {
      const credentials = { headers, cookie };
      // Above a limit, a chat request without a key waits for a moment. A request with a key is rejected, because the
      // client can repeat it safely.
      const admission = call.admission({ isPatient: isWaitedFor && !headers.has("idempotency-key") });
      const { address } = admission;
      if (act) {
        const admitted = admission.admit(act, { address, session: sessionIn(given) });
        if (admitted) await admitted;
      }
      if (act && definition.bodyType === undefined && isNobody(definition.auth, credentials)) {
        const counted = countAnnounced(request, admission);
        if (counted) await counted;
      }
      const found = definition.auth.authenticate(deps, credentials, admission);
      caller = found instanceof Promise ? await found : found;
      if (act && caller) await admission.admit(act, { token: caller.tokenId, user: caller.userId });
      if (caller) Object.assign(answerHeaders, admission.left());
      const { takeTurn } = definition;
      const turn =
        takeTurn &&
        (async () => {
          endTurn = await takeTurn(deps, { caller, address });
        });
      const search = searchOf(request.url);
      const checkedParams = checkParams(cleanParams(given));
      const checkedQuery = checkQuery ? checkInput(checkQuery(), readQuery(search, query ?? nothing)) : {};
      definition.beforeBody?.({ cookie });
      const bounds = {
        turn,
        clock: deps.clock,
        maxBytes: bodySize(caller),
        countFor: caller ? undefined : admission,
        apart: { threads: deps.threads, visitor: caller?.userId ?? address ?? "nobody" },
      };
      const sent = checkBody ? await readJsonBody(request, bounds) : {};
      const checkedBody = checkBody ? checkBody(sent) : {};
      reportIgnored(headers, { search, body: sent, answerHeaders });
      const input = {
        params: checkedParams,
        query: checkedQuery,
        body: checkedBody,
        caller,
        headers,
        answerHeaders,
        dialect,
        request,
        admission,
        cookie,
        seen: takesIfMatch ? readIfMatch(headers) : undefined,
      };
      if (!isAudited && !isKept) return answerOf(await definition.handle(deps, input), input);
      const write = { caller, address, operation: ownName, params: input.params, query: input.query, body: input.body };
      const handle = () => definition.handle(deps, input);
      const performOnce = () => (isAuditedOf(input.body) ? audited(deps, write, handle) : handle());
      if (!isKept) return answerOf(await performOnce(), input);
      const secret = caller && secretOf(credentials);
      const findBot = () => definition.shownBot?.(deps, input.params);
      const shown = showsOf(input.body) ? shownContent({ right, ...input, findBot }) : undefined;
      const respond = async () => {
        const handled = await performOnce();
        shown?.noteAnswer(handled);
        return answerOf(handled, input);
      };
      return await answeredOnce(deps, { caller, secret, request, body: sent, answerHeaders, shown }, respond);
    } catch (error) {
      const softened = await definition.soften?.(deps, error, call);
      if (softened === undefined) throw error;
      return softened;
    } finally {
      endTurn?.();
      caller?.place.end();
    }
  };
  const answerOf = (
    answer: Handled<unknown>,
    { headers, answerHeaders }: { headers: Headers; answerHeaders: Record<string, string> },
  ): unknown => {
    if (answer instanceof JsonAnswer || answer instanceof Response) return answer;
    const written = spelling.write(definition.answer, answer);
    return tag(written, { updatedAt: definition.version?.(answer), headers, answerHeaders });
  };
  return {
    id: spelling.operationId(definition.id),
    method: definition.method,
    path,
    tag: definition.tag,
    summary: definition.summary,
    description: definition.description,
    auth: definition.auth,
    host,
    isForBuilder: definition.isForBuilder ?? false,
    params,
    query: query ?? nothing,
    body: bodyInTheirNames,
    bodyExample: definition.body && spelling.write(definition.body, definition.bodyExample),
    bodyType: definition.bodyType,
    openBodyBytes: definition.body && definition.auth.kind !== "token" ? bodySize(undefined) : undefined,
    answer: spelling.schema(definition.answer),
    answerExample: spelling.write(definition.answer, definition.answerExample ?? exampleOf(definition.answer)),
    answerTypes: [definition.answerType ?? "application/json"].flat(),
    answerEvents: definition.answerEvents,
    errors: allErrors(definition),
    act,
    isStep: definition.isStep ?? false,
    isAudited,
    shows: shows !== false,
    isTagged: isTagged(definition),
    compatible: undefined,
    perform,
  };
}

const nothing = Type.Object({});
