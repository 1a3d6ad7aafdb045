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
    message: "The URL of this request is not valid: its Host header is wrong, or it has a fragment.",
  },
  "request.incomplete": { status: 400, message: "The connection was closed before the whole request had arrived." },
  "request.too_slow": {
    status: 408,
    message: "The body arrived too slowly: send at least 1 kB a second, and all of it within a few minutes.",
  },
  "request.too_large": { status: 413, message: "The body is larger than this endpoint accepts." },
  "precondition.failed": {
    status: 412,
    message: "The resource has changed since the version in If-Match. Read it again.",
  },
  "route.not_found": { status: 404, message: "There is nothing at this address." },
  "route.method_not_allowed": { status: 405, message: "This address does not support that method." },
  "token.missing": { status: 401, message: "Send an API token in the header Authorization: Bearer <token>." },
  "token.invalid": { status: 401, message: "This API token is unknown, expired or revoked." },
  "token.scope": { status: 403, message: "The scope of this API token does not allow this." },
  "token.not_found": { status: 404, message: "API token not found." },
  "sign_in.not_here": {
    status: 403,
    message:
      "You cannot sign in at this address. Send the request to the builder's address, with the header Parley-App: 1.",
  },
  "sign_in.link_invalid": {
    status: 401,
    message:
      'This link is unknown, already used, or older than 30 minutes. The operator of this instance can create another with "parley sign-in".',
  },
  "sign_in.code_invalid": {
    status: 401,
    message: "This code is wrong, already used, tried too often, or older than 10 minutes. Ask for another.",
  },
  "sign_in.no_mail": {
    status: 409,
    message: "This instance cannot send codes by e-mail: its operator has to set SMTP_URL.",
  },
  "sign_in.not_found": { status: 404, message: "Sign-in not found: it does not exist or has ended." },
  "user.not_found": { status: 404, message: "User not found." },
  "user.email_taken": { status: 409, message: "Another user has this e-mail address." },
  "user.last_administrator": { status: 409, message: "The instance needs at least one active administrator." },
  "user.last_admin": {
    status: 409,
    message:
      "This user is the last active ADMIN of a workspace. Send a successorId, or make another user ADMIN there first.",
  },
  "workspace.not_found": { status: 404, message: "Workspace not found." },
  "workspace.forbidden": { status: 403, message: "Your role in this workspace does not allow this." },
  "workspace.suspended": { status: 403, message: "This bot is now closed." },
  "workspace.takes_nothing": { status: 409, message: "Nothing can be put into a suspended workspace." },
  "member.not_found": { status: 404, message: "Member not found." },
  "member.last_admin": { status: 409, message: "A workspace needs at least one ADMIN." },
  "invitation.not_found": { status: 404, message: "Invitation not found, expired or already used." },
  "invitation.other_address": {
    status: 403,
    message: "This invitation is for another e-mail address. Accept it with a token of the user who has that address.",
  },
  "invitation.not_mailed": {
    status: 503,
    message:
      "The mail server did not accept the invitation. Try again; if it fails again, ask the operator to check SMTP_URL.",
    retryAfterSeconds: 30,
  },
  "folder.not_found": { status: 404, message: "Folder not found." },
  "folder.cycle": { status: 409, message: "A folder cannot be inside itself." },
  "bot.not_found": { status: 404, message: "Bot not found." },
  "bot.archived": { status: 409, message: "This bot is archived. Restore it before you change it." },
  "bot.too_many_results": {
    status: 409,
    message: "This bot has too many results to copy in one request. Duplicate it without them.",
  },
  "bot.closed": { status: 400, message: "This bot is now closed" },
  "bot.conflict": { status: 409, message: "The bot has changed since the version you read." },
  "bot.public_id_taken": { status: 409, message: "Another bot has this publicId." },
  "bot.custom_domain_taken": { status: 409, message: "Another bot of this workspace has this customDomain." },
  "custom_domain.not_found": { status: 404, message: "Custom domain not found." },
  "custom_domain.too_many": { status: 409, message: "This workspace has reached its limit of custom domains." },
  "bot.not_published": { status: 404, message: "This bot is not published." },
  "comment.not_found": { status: 404, message: "Comment not found." },
  "comment.not_yours": { status: 403, message: "This comment is somebody else's." },
  "comment.too_many": { status: 409, message: "This bot has reached its limit of comments. Delete some of them." },
  "canary.not_found": { status: 404, message: "This bot has no canary." },
  "block.not_found": { status: 404, message: "The bot's draft has no such block, or the block has another type." },
  "block.no_address": { status: 409, message: "This block has no URL yet. Set one before you test it." },
  "field.no_options": { status: 404, message: "This block has no such field whose options a service has." },
  "block.no_call": { status: 409, message: "This block makes no call as it is set." },
  "block.writes": {
    status: 409,
    message: "This block changes something at the service that it calls. Send `mayWrite: true` if it may.",
  },
  "publication.not_found": { status: 404, message: "Publication not found." },
  "publication.number_taken": { status: 409, message: "This bot has another publication of this number." },
  "bot.already_published": {
    status: 409,
    message: "This bot is published. Unpublish it first, or publish a new version.",
  },
  "revision.not_found": {
    status: 404,
    message: "The draft's log has no such revision. It keeps 90 days and at most 10,000 change sets.",
  },
  "collaborator.not_found": { status: 404, message: "Collaborator not found." },
  "flow.no_start": {
    status: 400,
    message: "This flow has no start event and no start block, so it cannot be converted.",
  },
  "flow.broken": {
    status: 422,
    message:
      "Every chat with this flow would fail at once: see data.findings. Fix the flow, or publish it anyway with force: true.",
  },
  "flow.start_group_not_found": { status: 400, message: "Start group doesn't exist" },
  "flow.start_event_not_found": { status: 400, message: "Start event doesn't exist" },
  "flow.start_block_not_found": { status: 400, message: "The flow has no such block to start at." },
  "secret.no_key": {
    status: 409,
    message: "This instance cannot store secrets: its operator has to set ENCRYPTION_KEY.",
  },
  "test_conversation.not_found": { status: 404, message: "Test conversation not found." },
  "test_conversation.too_many": { status: 409, message: "This bot has reached its limit of test conversations." },
  "test_conversation.too_long": {
    status: 409,
    message: "These test conversations take too long in one run. Run fewer of them, or make them shorter.",
  },
  "flow.tests_failed": {
    status: 409,
    message: "Required test conversations fail. Fix the bot or the conversations, or publish with `force`.",
  },
  "theme_template.not_found": { status: 404, message: "Theme template not found." },
  "theme_template.too_many": { status: 409, message: "This workspace has reached its limit of theme templates." },
  "secret.not_found": { status: 404, message: "Secret not found." },
  "secret.in_use": {
    status: 409,
    message: "A published bot uses this secret. Send force=true to delete it all the same.",
  },
  "secret.too_many": { status: 409, message: "This workspace has reached its limit of secrets." },
  "credentials.not_found": { status: 404, message: "Credentials not found." },
  "credentials.too_many": { status: 409, message: "This workspace has reached its limit of credentials." },
  "credentials.unreadable": {
    status: 409,
    message:
      "This instance has no key that decrypts these credentials. Enter all their fields again, or ask the operator.",
  },
  "credentials.in_use": {
    status: 409,
    message: "A published bot uses these credentials. Send force=true to delete them all the same.",
  },
  "workspace_file.no_room": {
    status: 409,
    message: "The workspace has too little room for the files that the bots show. Delete files there first.",
  },
  "workspace_file.in_use": {
    status: 409,
    message: "A published bot shows this file. Send force=true to delete it all the same.",
  },
  "credentials.no_models": { status: 409, message: "Credentials of this type have no list of models." },
  "credentials.no_webhook": { status: 409, message: "Services of this type report nothing to Parley." },
  "oauth.state_invalid": {
    status: 400,
    message: "This connection was not begun by you, is over or was used already. Connect the account again.",
  },
  "oauth.refused": { status: 400, message: "The provider did not connect the account." },
  "oauth.no_client": {
    status: 409,
    message:
      "This instance has no OAuth client of Google. Enter the id and the secret of a client of your own, or ask the operator to set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.",
  },
  "oauth.no_builder": {
    status: 409,
    message:
      "The provider leads people back to the builder, whose address is unknown here. Ask the operator to set PUBLIC_URL.",
  },
  "credentials.provider_failed": { status: 502, message: "The provider returned an error or an unexpected response." },
  "channel_connection.not_signed": {
    status: 401,
    message: "This call is not signed with a secret of the connection.",
  },
  "channel_connection.not_found": { status: 404, message: "Connection of a messenger not found." },
  "channel_connection.too_many": { status: 409, message: "This workspace has too many connections. Delete one." },
  "channel_connection.taken": {
    status: 409,
    message: "This account is already connected, perhaps in a workspace in the bin. Delete that connection first.",
  },
  "channel_connection.refused": { status: 422, message: "The messenger refused the connection." },
  "channel_connection.no_address": {
    status: 422,
    message:
      "The messenger cannot call this service: it needs an https address. Ask the operator to set CHAT_URL or PUBLIC_URL, or let the service ask for messages itself.",
  },
  "channel_connection.disabled": { status: 409, message: "This connection is disabled. Enable it first." },
  "channel_connection.unreadable": {
    status: 409,
    message: "This instance has no key that decrypts the secrets of this connection. Rotate them, or ask the operator.",
  },
  "channel_connection.off": {
    status: 409,
    message:
      "Messengers are switched off at this service (`CHANNELS=off`), so that it does not talk beside its original. Ask the operator.",
  },
  "channel_connection.older_nodes": {
    status: 409,
    message: "Nodes of an earlier release still run, which know no messengers. Try again when all are updated.",
  },
  "contact.not_found": { status: 404, message: "Contact not found." },
  "contact.opted_out": { status: 409, message: "This contact has asked for no more messages, until they allow them." },
  "contact.blocked": { status: 409, message: "This contact has blocked the bot." },
  "sending.not_found": { status: 404, message: "Message not found, or it has not failed." },
  "sending.passed": { status: 409, message: "A later message has already reached this contact. Drop this one." },
  "event_endpoint.not_found": { status: 404, message: "Event endpoint not found." },
  "event_endpoint.too_many": { status: 409, message: "This workspace has reached its limit of event endpoints." },
  "event_endpoint.disabled": { status: 409, message: "This event endpoint is disabled. Enable it first." },
  "result_export.not_found": {
    status: 404,
    message: "Export not found: it does not exist, was deleted, or has expired.",
  },
  "results.not_counted": {
    status: 409,
    message:
      "Not all results are found by the values of their variables yet: wait, or send allowPartial=true for those that are.",
    retryAfterSeconds: 60,
  },
  "result_export.not_ready": {
    status: 409,
    message: "This export is not ready or has failed: see its status.",
  },
  "result_export.too_many": {
    status: 409,
    message: "This workspace has too many exports in progress. Wait until one is ready, or delete one.",
  },
  "event_delivery.not_found": { status: 404, message: "Event delivery not found." },
  "queue.not_found": { status: 404, message: "Queue not found." },
  "job.not_found": { status: 404, message: "Job not found." },
  "job.not_possible": { status: 409, message: "The job's state does not allow this." },
  "bin.not_there": { status: 409, message: "This is not in the bin. Delete it first." },
  "result.not_found": { status: 404, message: "Result not found." },
  "cursor.invalid": { status: 400, message: "This cursor does not belong to this list." },
  "origin.not_allowed": { status: 403, message: "Origin not allowed" },
  "session.not_found": { status: 404, message: "Session not found." },
  "session.ended": { status: 404, message: "This chat has ended. Start a new one." },
  "session.expired": { status: 404, message: "Session expired. You need to start a new session." },
  "callback.not_found": { status: 404, message: "There is nothing at this address." },
  "callback.over": { status: 410, message: "The chat that this address leads to is over." },
  "session.go_back_not_allowed": { status: 403, message: "This bot does not let its visitors go back." },
  "session.nothing_before": { status: 409, message: "There is no earlier answer to go back to." },
  "session.nothing_to_repeat": {
    status: 409,
    message: "The last reply cannot be answered once more: only a step that did nothing but ask models can.",
  },
  "rating.not_offered": { status: 404, message: "This bot takes no ratings." },
  "rating.no_answer": {
    status: 409,
    message:
      "There is no answer of a language model to rate: not of this block in this step, or the visitor went back over it.",
  },
  "session.moved_on": {
    status: 409,
    message: "The chat went on since the step that you know: see data.steps.",
  },
  "session.not_preview": {
    status: 409,
    message: "This is a visitor's chat. You can set variables of previews only.",
  },
  "session.nothing_due": { status: 409, message: "This chat waits for no time to pass." },
  "session.not_traced": {
    status: 404,
    message: "This chat has no trace. Start a preview with `isTraced: true`.",
  },
  "session.variable_not_found": { status: 400, message: "The running flow has no variable with this name." },
  "session.not_movable": {
    status: 409,
    message: "This chat cannot continue on the published version: see data.obstacle.",
  },
  "session.busy": {
    status: 409,
    message: "This chat is still processing other messages.",
    retryAfterSeconds: 2,
  },
  "idempotency.key_invalid": {
    status: 400,
    message: "An Idempotency-Key must have 1 to 255 visible ASCII characters.",
  },
  "idempotency.key_too_short": {
    status: 400,
    message: "The Idempotency-Key of a start must have at least 16 characters.",
  },
  "idempotency.key_reused": { status: 422, message: "This Idempotency-Key was used with another body." },
  "idempotency.busy": {
    status: 409,
    message: "The first request with this Idempotency-Key is still in progress.",
    retryAfterSeconds: 2,
  },
  "idempotency.in_doubt": {
    status: 409,
    message:
      "The first request with this Idempotency-Key was interrupted, and its outcome is unknown. Check whether it took effect; if not, send it with a new key.",
  },
  "payment.report_invalid": {
    status: 400,
    message: "This report is not signed with a webhook secret of these credentials, or it is older than five minutes.",
  },
  "payment.provider_failed": {
    status: 503,
    message: "The payment provider could not be asked about this payment. Send the report again.",
    retryAfterSeconds: 30,
  },
  "payment.made": {
    status: 409,
    message: "This was paid, or is being paid: nobody goes back to before a payment that was made.",
  },
  "workspace.storage_full": {
    status: 429,
    message: "No more files are accepted today. Chats continue.",
    retryAfterSeconds: 86_400,
  },
  "upload.not_expected": { status: 400, message: "Current block does not expect file upload" },
  "upload.not_in_preview": { status: 403, message: "A preview without a token does not accept files." },
  "upload.type_not_allowed": { status: 400, message: "This type of file is not allowed here." },
  "upload.size_not_allowed": { status: 400, message: "This file is larger than allowed here." },
  "upload.too_many": { status: 400, message: "This chat has taken as many files as one chat may." },
  "upload.address_invalid": { status: 403, message: "This upload URL was not issued by this service." },
  "upload.address_expired": { status: 403, message: "This upload URL has expired. Request a new one." },
  "upload.empty": { status: 400, message: "The file is empty: send its content as the body." },
  "upload.interrupted": { status: 400, message: "The upload was interrupted. Send the file again." },
  "upload.conflict": { status: 409, message: "Another file was already uploaded to this URL." },
  "file.not_found": { status: 404, message: "File not found." },
  "file.range_invalid": { status: 416, message: "The requested range is beyond the end of the file." },
  "workspace_file.too_many": {
    status: 409,
    message: "This workspace has reached its limit of files. Delete some first.",
  },
  "storage.unavailable": {
    status: 503,
    message: "The file storage is not available at the moment.",
    retryAfterSeconds: 5,
  },
  "command.not_found": { status: 400, message: "Command event not found" },
  "step.over_budget": { status: 422, message: "This step does more work than one step may." },
  "step.too_many_starts": {
    status: 508,
    message: "This step has started too many chats by HTTP calls. NESTED_STARTS sets the limit.",
  },
  "rate_limit.exceeded": {
    status: 429,
    message: "Too many requests. Wait for the number of seconds in Retry-After, then send it again.",
    retryAfterSeconds: 1,
  },
  "server.overloaded": { status: 503, message: "Too much is going on here at the moment.", retryAfterSeconds: 1 },
  "server.unavailable": { status: 503, message: "The database is not available at the moment.", retryAfterSeconds: 2 },
  "server.stopping": { status: 503, message: "This node is shutting down.", retryAfterSeconds: 1 },
  "server.save_in_doubt": {
    status: 503,
    message: "It is unknown whether this step was saved. Send the request again with the same key.",
    retryAfterSeconds: 2,
  },
  "server.newer_state": {
    status: 503,
    message: "A newer release of the service saved this chat last.",
    retryAfterSeconds: 5,
  },
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
