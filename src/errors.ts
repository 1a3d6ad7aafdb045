/**
 * Every error that a caller can meet: its status, its sentence, and how many seconds to wait before trying again
 * (absent: the same request will fail the same way).
 */
export const errorCatalogue = {
  "request.malformed": {
    status: 400,
    message: "The body is not valid JSON, or its content type is not application/json.",
  },
  "request.invalid": { status: 400, message: "Input validation failed." },
  "request.invalid_address": {
    status: 400,
    message: "The address of this request makes no URL: its header Host is wrong, or it has a fragment.",
  },
  "request.incomplete": { status: 400, message: "The connection was closed before the whole request had arrived." },
  "request.too_slow": {
    status: 408,
    message: "The body came in too slowly: send at least 1 kB a second, and all of it within a few minutes.",
  },
  "request.too_large": { status: 413, message: "The body is larger than this endpoint accepts." },
  "precondition.failed": {
    status: 412,
    message: "It was changed after the version that If-Match names: read it again.",
  },
  "route.not_found": { status: 404, message: "There is nothing at this address." },
  "route.method_not_allowed": { status: 405, message: "This address does not answer to that method." },
  "token.missing": { status: 401, message: "Send an API token in the header Authorization: Bearer <token>." },
  "token.invalid": { status: 401, message: "This API token is unknown, expired or revoked." },
  "token.scope": { status: 403, message: "This API token may see this but not do it." },
  "token.not_found": { status: 404, message: "API token not found." },
  "sign_in.not_here": {
    status: 403,
    message:
      "Nobody signs in at this address: send it to that of the builder, with the header Parley-App: 1, as its own pages do.",
  },
  "sign_in.link_invalid": {
    status: 401,
    message:
      'This link is unknown, was used, or is older than 30 minutes: whoever runs this instance gets another by "parley sign-in".',
  },
  "sign_in.code_invalid": {
    status: 401,
    message: "This code is wrong, was used, was tried too often, or is older than 10 minutes: ask for another.",
  },
  "sign_in.no_mail": {
    status: 409,
    message: "This instance sends no mails, so it mails no codes: its operator has to set SMTP_URL.",
  },
  "sign_in.not_found": { status: 404, message: "Sign-in not found: it never was, or has ended." },
  "user.not_found": { status: 404, message: "User not found." },
  "user.email_taken": { status: 409, message: "Another user has this e-mail address." },
  "user.last_administrator": { status: 409, message: "The instance needs at least one active administrator." },
  "user.last_admin": {
    status: 409,
    message:
      "This user is the last active ADMIN of workspaces: name a successorId, or make somebody else ADMIN there first.",
  },
  "workspace.not_found": { status: 404, message: "Workspace not found." },
  "workspace.forbidden": { status: 403, message: "Your role in this workspace does not allow this." },
  "workspace.suspended": { status: 403, message: "This bot is now closed." },
  "member.not_found": { status: 404, message: "Member not found." },
  "member.last_admin": { status: 409, message: "A workspace needs at least one ADMIN." },
  "invitation.not_found": { status: 404, message: "Invitation not found, expired or already used." },
  "invitation.other_address": {
    status: 403,
    message: "This invitation is for another e-mail address: accept it with a token of the user who has it.",
  },
  "invitation.not_mailed": {
    status: 503,
    message:
      "The mail server did not take the invitation: invite again, and if that does not help ask the operator about SMTP_URL.",
    retryAfterSeconds: 30,
  },
  "folder.not_found": { status: 404, message: "Folder not found." },
  "folder.cycle": { status: 409, message: "A folder cannot lie inside itself." },
  "bot.not_found": { status: 404, message: "Bot not found." },
  "bot.archived": { status: 409, message: "This bot is archived: restore it before you change it." },
  "bot.too_many_results": {
    status: 409,
    message: "This bot has more results than one request copies: duplicate it without them.",
  },
  "bot.closed": { status: 400, message: "This bot is now closed" },
  "bot.conflict": { status: 409, message: "The bot was changed after the version you read." },
  "bot.public_id_taken": { status: 409, message: "Another bot has this publicId." },
  "bot.custom_domain_taken": { status: 409, message: "Another bot of this workspace has this customDomain." },
  "custom_domain.not_found": { status: 404, message: "Custom domain not found." },
  "custom_domain.too_many": { status: 409, message: "This workspace has claimed as many domains as it may." },
  "bot.not_published": { status: 404, message: "This bot is not published." },
  "canary.not_found": { status: 404, message: "No canary runs beside what visitors of this bot meet." },
  "block.not_found": { status: 404, message: "This bot's draft has no such block, or one of another type." },
  "block.no_address": { status: 409, message: "This block has no address yet: give it one before you try it." },
  "publication.not_found": { status: 404, message: "Publication not found." },
  "revision.not_found": {
    status: 404,
    message: "The log of this draft has no such revision: it keeps 90 days, and the last 10,000 change sets.",
  },
  "collaborator.not_found": { status: 404, message: "Collaborator not found." },
  "flow.no_start": {
    status: 400,
    message: "This flow has no start event and no start block, so it cannot be converted.",
  },
  "flow.broken": {
    status: 422,
    message:
      "Chats with this flow would break: data.findings says where. Mend it, or publish it all the same with force: true.",
  },
  "flow.start_group_not_found": { status: 400, message: "Start group doesn't exist" },
  "flow.start_event_not_found": { status: 400, message: "Start event doesn't exist" },
  "flow.start_block_not_found": { status: 400, message: "The flow has no such block to start at." },
  "secret.no_key": {
    status: 409,
    message: "Secrets cannot be stored on this instance: its operator has to set ENCRYPTION_KEY.",
  },
  "test_conversation.not_found": { status: 404, message: "Test conversation not found." },
  "test_conversation.too_many": { status: 409, message: "This bot has as many test conversations as it may." },
  "test_conversation.too_long": {
    status: 409,
    message: "These test conversations take too long together: name fewer of them, or make them shorter.",
  },
  "flow.tests_failed": {
    status: 409,
    message: "Test conversations that this bot requires fail: mend them, or publish with `force`.",
  },
  "theme_template.not_found": { status: 404, message: "Theme template not found." },
  "theme_template.too_many": { status: 409, message: "This workspace has as many theme templates as it may have." },
  "secret.not_found": { status: 404, message: "Secret not found." },
  "secret.too_many": { status: 409, message: "This workspace has as many secrets as it may have." },
  "credentials.not_found": { status: 404, message: "Credentials not found." },
  "credentials.too_many": { status: 409, message: "This workspace has as many credentials as it may have." },
  "credentials.unreadable": {
    status: 409,
    message: "No key of this instance opens these credentials: give all their members anew, or ask the operator.",
  },
  "credentials.no_models": { status: 409, message: "There is no list of models for credentials of this type." },
  "credentials.provider_failed": { status: 502, message: "The provider did not answer as it should." },
  "event_endpoint.not_found": { status: 404, message: "Event endpoint not found." },
  "event_endpoint.too_many": { status: 409, message: "This workspace has as many event endpoints as it may have." },
  "event_endpoint.disabled": { status: 409, message: "This event endpoint is disabled: enable it first." },
  "result_export.not_found": { status: 404, message: "Export not found: it never was, was deleted, or has expired." },
  "result_export.not_ready": {
    status: 409,
    message: "This export is not ready, or could not be made: see its status.",
  },
  "result_export.too_many": {
    status: 409,
    message: "This workspace has as many exports under way as it may have: wait for one, or delete one.",
  },
  "event_delivery.not_found": { status: 404, message: "Event delivery not found." },
  "queue.not_found": { status: 404, message: "Queue not found." },
  "job.not_found": { status: 404, message: "Job not found." },
  "job.not_possible": { status: 409, message: "This cannot be done with the job as it is." },
  "bin.not_there": { status: 409, message: "This is not in the bin: delete it first." },
  "result.not_found": { status: 404, message: "Result not found." },
  "cursor.invalid": { status: 400, message: "This cursor was not given by this list." },
  "origin.not_allowed": { status: 403, message: "Origin not allowed" },
  "session.not_found": { status: 404, message: "Session not found." },
  "session.ended": { status: 404, message: "This chat has ended. Start a new one." },
  "session.expired": { status: 404, message: "Session expired. You need to start a new session." },
  "session.go_back_not_allowed": { status: 403, message: "This bot does not let its visitors go back." },
  "session.nothing_before": { status: 409, message: "There is no earlier answer to go back to." },
  "session.not_preview": {
    status: 409,
    message: "This is a visitor's chat: only the variables of previews can be set.",
  },
  "session.not_traced": {
    status: 404,
    message: "This chat has no trace. Start a preview with `isTraced: true`.",
  },
  "session.variable_not_found": { status: 400, message: "The flow that runs has no variable of this name." },
  "session.not_movable": {
    status: 409,
    message: "This chat cannot go on in what visitors of its bot meet now: data.obstacle says why.",
  },
  "session.busy": {
    status: 409,
    message: "Other messages of this chat are still being answered.",
    retryAfterSeconds: 2,
  },
  "idempotency.key_invalid": { status: 400, message: "An Idempotency-Key has 1 to 255 visible ASCII characters." },
  "idempotency.key_too_short": { status: 400, message: "The Idempotency-Key of a start has at least 16 characters." },
  "idempotency.key_reused": { status: 422, message: "This Idempotency-Key was used with another body." },
  "idempotency.busy": {
    status: 409,
    message: "The first request under this Idempotency-Key is still being answered.",
    retryAfterSeconds: 2,
  },
  "idempotency.in_doubt": {
    status: 409,
    message:
      "The first request under this Idempotency-Key was cut off, and it is not known whether it was done. Look, and send it under a new key if it was not.",
  },
  "upload.not_expected": { status: 400, message: "Current block does not expect file upload" },
  "upload.not_in_preview": { status: 403, message: "A preview without a token takes no files." },
  "upload.type_not_allowed": { status: 400, message: "This type of file is not allowed here." },
  "upload.size_not_allowed": { status: 400, message: "This file is larger than allowed here." },
  "upload.too_many": { status: 400, message: "This chat has taken as many files as one chat may." },
  "upload.address_invalid": { status: 403, message: "This upload address was not given by this service." },
  "upload.address_expired": { status: 403, message: "This upload address has expired. Ask for a new one." },
  "upload.empty": { status: 400, message: "The body is the file; this one is empty." },
  "upload.interrupted": { status: 400, message: "The file did not arrive whole." },
  "upload.conflict": { status: 409, message: "Another file was already uploaded to this address." },
  "file.not_found": { status: 404, message: "File not found." },
  "file.range_invalid": { status: 416, message: "The file is shorter than the range asked for." },
  "workspace_file.too_many": { status: 409, message: "This workspace has as many files as it may have: delete some." },
  "storage.unavailable": {
    status: 503,
    message: "The file storage does not answer at the moment.",
    retryAfterSeconds: 5,
  },
  "command.not_found": { status: 400, message: "Command event not found" },
  "step.over_budget": { status: 422, message: "This step does more work than one step may." },
  "step.too_many_starts": {
    status: 508,
    message: "One step has started as many chats by calls as it may: NESTED_STARTS says how many.",
  },
  "rate_limit.exceeded": {
    status: 429,
    message: "There were too many requests like this one. Send it again after the seconds in Retry-After.",
    retryAfterSeconds: 1,
  },
  "server.overloaded": { status: 503, message: "Too much is going on here at the moment.", retryAfterSeconds: 1 },
  "server.unavailable": { status: 503, message: "The database cannot be used at the moment.", retryAfterSeconds: 2 },
  "server.stopping": { status: 503, message: "This node is about to stop.", retryAfterSeconds: 1 },
  "server.save_in_doubt": {
    status: 503,
    message: "It is not known whether this step was saved. Ask again with the same key.",
    retryAfterSeconds: 2,
  },
  "server.newer_state": { status: 503, message: "This chat was last served by a newer release.", retryAfterSeconds: 5 },
  "server.internal": { status: 500, message: "Internal server error" },
} as const satisfies Record<string, { status: number; message: string; retryAfterSeconds?: number }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Facts for the caller, sent as `data`; `issues` on validation. Never anything internal. */
export type ErrorData = Readonly<Record<string, unknown>>;

type AppErrorOptions = {
  readonly data?: ErrorData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly cause?: unknown;
};

/** A caller's mistake or a state of the service that concerns the caller: it becomes the one error shape. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly data: ErrorData | undefined;
  /** Headers of its response. They replace the catalogue's `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  /** `message` replaces the catalogue's sentence, for words that belong to a bot. */
  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errorCatalogue[code].message, { cause: options.cause });
    this.code = code;
    this.data = options.data;
    this.headers = options.headers ?? {};
  }
}
