/** Limits for outgoing traffic: calls of flows, mails and outbound events. */
export const outside = {
  /** Limits for calls that flows make to other servers. */
  outgoing: {
    /**
     * The maximum number of running calls on this node, shared among its processes. Their responses fit into memory,
     * and their sockets fit into the limits of any system.
     */
    calls: 500,
    /** The maximum size of a request body, and of a response before and after decompression. */
    bytes: 10 * 1024 * 1024,
    redirects: 10,
    /** The maximum length of a chain of chats that call each other. Legitimate chains need one or two calls. */
    hops: 5,
    /** The maximum number of retries, within the time limit of the call. */
    retries: 2,
    /**
     * The default and the maximum time that a block waits for a response. Calls to hosts that are known to be slow wait
     * for the maximum by default.
     */
    httpSeconds: 10,
    maxHttpSeconds: 120,
    /** The time that a block waits for a service such as a table. */
    serviceSeconds: 30,
    /** The maximum numbers of concurrent and of waiting calls with the same credentials in a process. */
    callsOfCredentials: 10,
    waitingOfCredentials: 200,
    /** The maximum page size, and number of pages, of records that a block reads from a table. */
    recordsPerPage: 1_000,
    recordPages: 10,
    /** The maximum length of a search text for Dify, which rejects longer texts. */
    knowledgeQueryCharacters: 250,
    /**
     * The maximum number of pages of data sets that an author can choose from. Each page has 100 data sets, and a list
     * of options has at most 500 entries.
     */
    dataSetPages: 5,
    /** The maximum number of records that a block changes, and the number of records per request. */
    recordsChanged: 1_000,
    recordsAtOnce: 100,
    /** The time that a script's `fetch` waits for a response. */
    scriptFetchMs: 10_000,
    /** The number of characters of a request or response body that are shown to an author who tests a call. */
    shownCharacters: 100_000,
    /** The number of characters of each header that are shown. */
    shownHeaderCharacters: 2_000,
  },

  /** Limits for the credentials of workspaces for other services. A page of the builder lists all credentials. */
  credentials: {
    perWorkspace: 100,
    /** The maximum length of a value in credentials. The tokens of cloud providers have some thousand characters. */
    memberCharacters: 8_000,
    urlCharacters: 2_048,
    /** Limits for checking a provider's key and listing its models, and for the reported results. */
    timeoutMs: 15_000,
    sentenceCharacters: 300,
    models: 5_000,
    /** The number of bots that are listed as users of credentials, of a secret or of an author's file. */
    users: 100,
    /** The minimum interval at which a rejected key is reported, because each chat causes a rejection. */
    problemSeconds: 3_600,
    /**
     * The time that a person has to connect an account on the provider's page, and the number of such pages that a
     * person may have open. Older pages become invalid.
     */
    connectSeconds: 600,
    connectsPerUser: 20,
    /**
     * The number of options of a field that an author can choose from, and the number of calls to load them. For
     * example, tables are listed separately for each base.
     */
    options: 500,
    optionCalls: 20,
    /** The number of most recently changed bots whose drafts are searched for values of other blocks. */
    recentBots: 100,
    /**
     * The maximum number of values from other blocks whose names are requested from the provider. Each name uses a call
     * of the account's quota.
     */
    recentValues: 10,
  },

  /** Limits for payments of visitors. */
  payments: {
    /** The maximum number of attempts to pay per chat. Each attempt has an object at the provider. */
    perChat: 20,
    /**
     * The time limits for one call to the provider, and for all calls of a visitor's step including retries and pauses.
     * The visitor waits for these calls.
     */
    callMs: 6_000,
    stepMs: 15_000,
    /** The pauses before the provider is queried again if it was unavailable when a visitor had paid. */
    awayPausesSeconds: [5, 10, 45],
    /** The maximum age of a signed report. Clocks differ, but a copied report must soon become invalid. */
    toleranceSeconds: 300,
    reportBytes: 256 * 1024,
    /**
     * The intervals at which the provider is queried about payments without a report: first after `checkSeconds`, then
     * every hour of the first day, then every day while a chat with a timer can exist.
     */
    checkSeconds: 600,
    checkAgainSeconds: 3_600,
    checkDaySeconds: 86_400,
    checkDays: 32,
    /**
     * The lifetime of a payment page, which does not exceed the lifetime of its session, because the visitor must be
     * able to return to the chat.
     */
    pageSeconds: 86_400,
  },

  /** Limits for calls with streamed responses. */
  streams: {
    /**
     * The maximum number of running calls on this node. Each call uses a socket for minutes. These calls are not
     * included in `outgoing.calls`.
     */
    calls: 300,
    waiting: 100,
    waitMs: 10_000,
    /** The maximum size of a response, of a line of events, and of unread data before the sender has to wait. */
    answerBytes: 10 * 1024 * 1024,
    lineBytes: 1024 * 1024,
    unreadBytes: 256 * 1024,
  },

  /** A QR code can hold at most 2,953 bytes. */
  qrCodes: { bytes: 2_900 },

  /** Limits for calls of language models. */
  models: {
    /** The pauses before retries until the first text arrives. A server may request a longer pause. */
    pausesMs: [500, 2_000],
    retryAfterMs: 20_000,
    firstByteMs: 60_000,
    silenceMs: 120_000,
    /** The default and the maximum time that a block waits. The maximum is `step.effectsMs`. */
    seconds: 180,
    mostSeconds: 240,
    mostTokens: 200_000,
    /** The maximum number of tokens that is assumed if a block sets no valid maximum. */
    tokens: 16_384,
    fallbacks: 3,
    /** The maximum number of retries and fallbacks of one step. Each of them may cost as much as the first call. */
    extraCalls: 20,
    /** How often the oldest message is removed from a conversation that exceeds its model's context. */
    trims: 5,
    /** The maximum length of an answer, which is stored in variables and displayed. */
    answerCharacters: 64_000,
    /** The maximum number of inputs of an app that is called instead of a model. */
    appInputs: 50,
    /** The maximum number and length of the messages of a call. Few models accept more, and they would be expensive. */
    messages: 200,
    characters: 400_000,
    /** The maximum number and sizes of the files of one call. Together they fit into a request as base64. */
    files: 10,
    fileBytes: 10 * 1024 * 1024,
    filesBytes: 20 * 1024 * 1024,
    fileMs: 30_000,
    requestBytes: 32 * 1024 * 1024,
    /** The maximum length of a text for speech synthesis. Providers accept no more, and bill by the character. */
    spokenCharacters: 10_000,
    /** The maximum size of a recording. */
    audioBytes: 25 * 1024 * 1024,
    /** The maximum number of calls for one answer, including rounds of tool calls. The last call has no tools. */
    rounds: 6,
    askModelRounds: 10,
    /** The maximum number of tools that a call may offer, and the limits of their parameters and schemas. */
    tools: 64,
    parameters: 64,
    schemaCharacters: 16_000,
    /** The maximum depth of schemas. Models ignore deeper schemas, and every level is processed for each call. */
    schemaDepth: 10,
    /** The maximum length of the error messages about arguments that are reported to a model. */
    argumentProblemCharacters: 1_000,
    callsAtOnce: 16,
    argumentCharacters: 64_000,
    /** The maximum size of the data of an answer that a provider requires to be sent back in each call. */
    echoBytes: 64 * 1024,
    /** The maximum length of a tool's result that is sent to a model. */
    toolCharacters: 32_000,
  },

  /** Limits for the budgets of model calls, and for their stored records. */
  modelBudgets: {
    /** The default limit for one chat, which ends endless loops. A bot can set another limit. */
    sessionTokens: 500_000,
    sessionCalls: 200,
    /**
     * The assumptions for reserving the tokens of a running call: the characters per token, and the tokens of a
     * picture, a document or a recording.
     */
    charactersPerToken: 3,
    fileTokens: 1_000,
    /** The estimated tokens of a round of tool calls. With fewer tokens left, an answer is made without tools. */
    roundTokens: 500,
    /** A reservation expires after this time. No call takes that long. */
    reservedSeconds: 600,
    /** The percentages of a budget at which the workspace's endpoints are notified. */
    notifiedPercents: [80, 100],
    /** Upper bounds for the values of a budget and for the list of prices. */
    tokens: 1_000_000_000_000,
    money: 1_000_000_000,
    prices: 500,
    modelCharacters: 200,
    /**
     * The default and the maximum number of days for which calls are stored with their content, and the stored bytes of
     * a request and of an answer.
     */
    keepDays: 7,
    mostKeepDays: 90,
    keptBytes: 64 * 1024,
    /** The number of calls per page. Each call can contain its full stored content. */
    callsPageSize: 20,
    /** The maximum number of days of usage in one response, and of the bots or models that it lists. */
    usageDays: 366,
    usageRows: 1_000,
  },

  /** Limits for the rows of spreadsheets. */
  sheets: {
    /** The default and the maximum time that a block waits. Google limits reads and writes per minute. */
    seconds: 60,
    mostSeconds: 120,
    /** The maximum size of a sheet tab that is searched. The tab is read as a whole, within `outgoing.bytes`. */
    rows: 50_000,
    columns: 200,
    /** The maximum length of a cell's text, as accepted by Google. */
    cellCharacters: 50_000,
    /** The maximum numbers of concurrent and waiting calls with the same credentials. Google allows 60 a minute. */
    callsAtOnce: 10,
    waiting: 1_000,
    /**
     * The number of last rows in which a second attempt searches for the row that the first attempt may have written.
     * The second attempt follows after a lease of at most 15 seconds. During this time, one account writes one row a
     * second, or up to fifty if rows are deferred.
     */
    lookedAtRows: 1_000,
  },

  /** Limits for the values that flows reference as `{{secret.NAME}}`. */
  secrets: {
    perWorkspace: 200,
    characters: 8_000,
    hosts: 20,
  },

  /** Limits for the custom domains on which workspaces serve their bots. */
  customDomains: {
    /** The number is limited because each domain is resolved repeatedly. */
    perWorkspace: 100,
    /**
     * How long a claim of a domain may remain unverified. The person who requests the DNS records and the person who
     * creates them often work in different companies.
     */
    pendingDays: 7,
    /**
     * How long a verified domain remains active after its DNS record or file was removed, for example while people are
     * on holiday. Another workspace that verifies the domain in the meantime gets it immediately.
     */
    graceDays: 14,
    /** The intervals between checks of a claim: on its first day, on later days, and after the domain was verified. */
    eagerSeconds: 300,
    patientSeconds: 3_600,
    provedSeconds: 86_400,
    /** The time limits for a DNS lookup, and for each request to the domain's web server (HTTP and HTTPS). */
    lookUpMs: 5_000,
    fetchMs: 5_000,
    /** The file has one line. A larger response is not read to its end. */
    fileBytes: 4 * 1024,
  },

  mails: {
    /** The maximum number of mails of a step. Further mails are logged instead of being sent. */
    perStep: 5,
    /** The maximum number of recipients, because a visitor's reply can name recipients. */
    recipients: 100,
    /** The maximum size of a mail through Gmail. As base64, it fits into a request (`outgoing.bytes`). */
    gmailBytes: 7 * 1024 * 1024,
    /** The maximum number of concurrent deliveries of a node. Mail servers limit connections, often to 10. */
    atOnce: 10,
    /** The time limit for one delivery, from connecting to the server's last response. */
    deliveryMs: 60_000,
    /** The maximum number and total size of attachments. Mail servers accept 25 MB or less. */
    attachments: 10,
    attachmentBytes: 25_000_000,
    /**
     * The default of DELIVERY_ATTEMPTS. The attempts span six to twelve hours, because servers are updated, use
     * greylisting, and may be down for a night.
     */
    attempts: 12,
    /** How long mails are kept if they failed permanently or their job is missing. */
    keptDays: 30,
  },

  /** Limits for calls to services whose responses the flow does not use. */
  deferredCalls: {
    /** The maximum number of calls of a step, so that a loop cannot fill the queue. Further calls are logged. */
    perStep: 20,
    /** The number of calls that a node fetches in one batch, so that calls of one account share a request. */
    atOnce: 100,
    /** The time limit for one request with calls, from connecting to the last byte of the response. */
    deliveryMs: 20_000,
    /**
     * The maximum number of calls in one request to a service that accepts several calls, and their sizes. Segment
     * accepts 500 KB per request and 32 KB per call.
     */
    batch: 50,
    batchBytes: 500_000,
    bytes: 32_000,
    /** How long calls are kept if they failed permanently or their job is missing. */
    keptDays: 30,
  },

  /** Limits for outbound events. */
  events: {
    /**
     * The maximum number of endpoints of a workspace. Each endpoint adds a row and a call to the events that it
     * receives.
     */
    endpoints: 20,
    urlCharacters: 2_048,
    /** The maximum and the default number of concurrent calls to an endpoint, summed over all nodes. */
    maxConcurrency: 256,
    defaultConcurrency: 128,
    /** The maximum number of events in a batched call, and the size at which a call is complete. */
    maxBatchSize: 100,
    batchBytes: 256 * 1024,
    /** The maximum number of running calls on this node. Half of `outgoing.calls` is reserved for chats. */
    callsAtOnce: 250,
    /** The time limit for an attempt, from the DNS lookup to the end of the read response. */
    attemptMs: 15_000,
    /**
     * The lease of a process that died, is suspended or lost the database expires after this time. A running process
     * renews its leases every `renewMs`.
     */
    leaseSeconds: 6,
    renewMs: 2_000,
    /** If due events of another process are delayed by this time, a process requests lanes from it. */
    lateSeconds: 1,
    /** How long a process holds the lanes of an endpoint without events. */
    idleLaneMs: 10_000,
    /**
     * The default of EVENT_RETRY_SECONDS: the pauses after failed attempts. They are the pauses that Standard Webhooks
     * recommends, plus a pause of 30 seconds, within which most restarted receivers are available again. After the last
     * pause, about three days in total, an event fails permanently.
     */
    retrySeconds: [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    /** The longest pause in EVENT_RETRY_SECONDS and in a receiver's `Retry-After`. */
    retryAfterSeconds: 86_400,
    /** The pauses of an unreachable endpoint, by the number of consecutive failures. */
    pauseSeconds: [5, 15, 60, 300, 600],
    /** An endpoint that has failed for this long without a success is disabled. */
    failureDays: 5,
    /**
     * If the oldest event of an endpoint is older than `fallingBehindSeconds`, the workspace is notified. The workspace
     * is notified again when only `givingUpHours` are left before an event fails permanently.
     */
    fallingBehindSeconds: 600,
    givingUpHours: 24,
    /** The counts of pending events in metrics and responses stop here, because counting more is slow. */
    countedPending: 100_000,
    shownPending: 10_000,
    /** How long the previous secret is also used for signatures after a rotation. */
    oldSecretHours: 24,
    /** The stored length of a response in the delivery log, and the number of bytes that are read for it. */
    responseCharacters: 500,
    responseBytes: 4 * 1024,
    /**
     * A listener (`parley listen`) that sends no request for this long is removed. A laptop that sleeps for a short
     * time misses no events, and events do not accumulate for a disconnected listener.
     */
    listenerMinutes: 5,
    /**
     * Limits for a listener: the total size of the event bodies in one response, and the number of outcomes that it
     * reports in one request.
     */
    receivedBytes: 1024 * 1024,
    receivedOutcomes: 1_000,
    /** The maximum number of earlier events of another endpoint with which a listener can start. */
    replayed: 100,
    /** How long entries of the delivery log are kept: longer than events are retried and endpoints may fail. */
    logDays: 14,
  },
} as const;
