/** Outgoing traffic: calls of flows, mails and outbound events. */
export const outside = {
  /** Calls that flows make to other servers. */
  outgoing: {
    /**
     * Running calls on this node, shared among its processes: their responses fit into memory, their sockets into the
     * bounds of any system.
     */
    calls: 500,
    /** A response, both before and after decompression, and a request body: chats need far less. */
    bytes: 10 * 1024 * 1024,
    redirects: 10,
    /** Calls in a chain of chats that call each other, also through linked bots: legitimate chains need one or two. */
    hops: 5,
    /** Retries after the first attempt, within the call's own time. */
    retries: 2,
    /**
     * How long a block waits for an answer: by default, and at most. The latter is the default for hosts known to be
     * slow.
     */
    httpSeconds: 10,
    maxHttpSeconds: 120,
    /** How long a block waits for a service such as a table. */
    serviceSeconds: 30,
    /** Concurrent calls of steps with one set of credentials, in a process, and those that wait for their turn. */
    callsOfCredentials: 10,
    waitingOfCredentials: 200,
    /**
     * Records of a table that a block reads, in the largest pages of a service: beyond that, a visitor would wait too
     * long.
     */
    recordsPerPage: 1_000,
    recordPages: 10,
    /** For a text that Dify searches for: it refuses longer ones. */
    knowledgeQueryCharacters: 250,
    /** Pages of 100 data sets that an author can choose from: as many as fit into a list of options. */
    dataSetPages: 5,
    /** Records that a block changes, and those of one request. */
    recordsChanged: 1_000,
    recordsAtOnce: 100,
    /** How long a script's `fetch` waits for an answer. */
    scriptFetchMs: 10_000,
    /** Characters of a body, and of a response, that are shown to an author who tests a call. */
    shownCharacters: 100_000,
    /** Characters of each header. */
    shownHeaderCharacters: 2_000,
  },

  /** Credentials of workspaces for other services. A page of the builder lists all of them. */
  credentials: {
    perWorkspace: 100,
    /** Tokens of clouds have some thousand characters. */
    memberCharacters: 8_000,
    urlCharacters: 2_048,
    /**
     * How long a provider may take to check a key, or to list its models, and how much of either answer is reported.
     */
    timeoutMs: 15_000,
    sentenceCharacters: 300,
    models: 5_000,
    /** Bots that are listed with credentials, a secret or an authors' file. */
    users: 100,
    /** How often a refused key is recorded and notified, since each chat causes a refusal. */
    problemSeconds: 3_600,
    /**
     * How long a person may take at the provider's page, and how many such pages a person may have open: older ones no
     * longer count.
     */
    connectSeconds: 600,
    connectsPerUser: 20,
    /**
     * Options of a field that an author can choose from, and the calls for them: a list of tables in each of several
     * bases.
     */
    options: 500,
    optionCalls: 20,
    /** The number of bots, most recently changed first, whose drafts are searched for values of other blocks. */
    recentBots: 100,
    /** Number of these values whose names are requested from the service: each takes a call of the account's quota. */
    recentValues: 10,
  },

  /** Payments of visitors. */
  payments: {
    /** For one chat: each is an object at the provider, and no legitimate chat creates so many. */
    perChat: 20,
    /**
     * A call to the provider, and all calls of a visitor's step together, including retries and pauses: visitors wait
     * for them.
     */
    callMs: 6_000,
    stepMs: 15_000,
    /**
     * If the provider was unreachable when a visitor had paid, it is asked again after these pauses, one after another.
     */
    awayPausesSeconds: [5, 10, 45],
    /** The age of a signed report that still counts: clocks differ, and a copied report must not live long. */
    toleranceSeconds: 300,
    reportBytes: 256 * 1024,
    /**
     * The provider is asked about payments without a report: first after this time, then each hour of a day, then each
     * day while a chat with a timer may live.
     */
    checkSeconds: 600,
    checkAgainSeconds: 3_600,
    checkDaySeconds: 86_400,
    checkDays: 32,
    /**
     * A page that takes a payment: it lasts no longer than its session, because a visitor cannot return to the chat
     * afterwards.
     */
    pageSeconds: 86_400,
  },

  /** Calls whose responses are streamed. */
  streams: {
    /** Running calls on this node: each holds a socket for minutes. They do not count towards `outgoing.calls`. */
    calls: 300,
    waiting: 100,
    waitMs: 10_000,
    /** Bounds of a response, of a line of events, and of the part that waits for its reader before the sender waits. */
    answerBytes: 10 * 1024 * 1024,
    lineBytes: 1024 * 1024,
    unreadBytes: 256 * 1024,
  },

  /** Pictures of codes: the largest QR code holds 2,953 bytes. */
  qrCodes: { bytes: 2_900 },

  /** Calls of language models. */
  models: {
    /** Pauses before retries, until the first text: shorter than a visitor's patience. A server may ask for longer. */
    pausesMs: [500, 2_000],
    retryAfterMs: 20_000,
    firstByteMs: 60_000,
    silenceMs: 120_000,
    /** How long a block waits, by default and at most: `step.effectsMs`. */
    seconds: 180,
    mostSeconds: 240,
    mostTokens: 200_000,
    /** For an answer whose maximum is missing or not a number. */
    tokens: 16_384,
    fallbacks: 3,
    /** Retries and fall-backs of one step together: each may cost as much as the first call. */
    extraCalls: 20,
    /** How often the oldest message is removed from a conversation that is too long for its model. */
    trims: 5,
    /** An answer is stored in variables, and shown. */
    answerCharacters: 64_000,
    /** For an app that is called in place of a model. */
    appInputs: 50,
    /** The messages of a call: more would cost its workspace much, and few models read them. */
    messages: 200,
    characters: 400_000,
    /** Pictures and documents of one call. Together they fit into a request, as base64. */
    files: 10,
    fileBytes: 10 * 1024 * 1024,
    filesBytes: 20 * 1024 * 1024,
    fileMs: 30_000,
    requestBytes: 32 * 1024 * 1024,
    /** For a text that a voice speaks: providers accept no more, and bill it by the character. */
    spokenCharacters: 10_000,
    /** A recording. */
    audioBytes: 25 * 1024 * 1024,
    /**
     * Calls for one answer with the model's tool calls between them; the last is made without tools, so that it gives
     * an answer.
     */
    rounds: 6,
    askModelRounds: 10,
    /** Tools that a call may offer, and tool calls that one answer may make. */
    tools: 64,
    parameters: 64,
    schemaCharacters: 16_000,
    /** The nesting of schemas: models do not read deeper ones, and each level is walked for each call. */
    schemaDepth: 10,
    /** The problems with arguments that are reported to a model. */
    argumentProblemCharacters: 1_000,
    callsAtOnce: 16,
    argumentCharacters: 64_000,
    /** The data of one answer that a provider requires back: it is sent with each further call of the turn. */
    echoBytes: 64 * 1024,
    /** The part of a tool's value that is sent to a model. */
    toolCharacters: 32_000,
  },

  /** Budgets for calls of models, and the stored records of them. */
  modelBudgets: {
    /** For one chat, unless its bot sets another limit: a loop of a flow or of a visitor ends at this number. */
    sessionTokens: 500_000,
    sessionCalls: 200,
    /**
     * The reservation for a running call: characters for a token, and tokens for a picture, a document or a recording.
     */
    charactersPerToken: 3,
    fileTokens: 1_000,
    /**
     * The usual maximum that an answer with tool calls uses for these calls: a chat with less left gets its answer
     * immediately.
     */
    roundTokens: 500,
    /** A reservation expires after this time: no call takes that long. */
    reservedSeconds: 600,
    /** Shares of a budget at which the workspace's endpoints are notified. */
    notifiedPercents: [80, 100],
    /** Amounts of a budget. */
    tokens: 1_000_000_000_000,
    money: 1_000_000_000,
    prices: 500,
    modelCharacters: 200,
    /**
     * For how many days calls are stored with their content, by default and at most, and how much of a request and of
     * an answer.
     */
    keepDays: 7,
    mostKeepDays: 90,
    keptBytes: 64 * 1024,
    /** Calls of one page: each can have the full stored content. */
    callsPageSize: 20,
    /** Days of usage, and the bots or models in it, that one response lists. */
    usageDays: 366,
    usageRows: 1_000,
  },

  /** Rows of spreadsheets. */
  sheets: {
    /**
     * How long a block waits, by default and at most, pauses included: Google counts reads and writes by the minute.
     */
    seconds: 60,
    mostSeconds: 120,
    /** For a searched sheet tab, which is read as a whole, within `outgoing.bytes`. */
    rows: 50_000,
    columns: 200,
    /** For a cell: Google accepts no more. */
    cellCharacters: 50_000,
    /** Concurrent calls with the same credentials, in a process, and those that wait: Google allows 60 a minute. */
    callsAtOnce: 10,
    waiting: 1_000,
    /**
     * The last rows, among which a second attempt looks for the row that the first one may have written. The second
     * comes after a lease of 15 seconds at most, in which others write: one account a row a second, or fifty if rows
     * are left for later.
     */
    lookedAtRows: 1_000,
  },

  /** Values that flows name as `{{secret.NAME}}`. */
  secrets: {
    perWorkspace: 200,
    characters: 8_000,
    hosts: 20,
  },

  /** Domains at which workspaces have their bots served. */
  customDomains: {
    /** Each domain is resolved repeatedly. */
    perWorkspace: 100,
    /**
     * How long a claim may wait for its proof: the person who requests the records and the one who creates them often
     * work in different companies.
     */
    pendingDays: 7,
    /**
     * How long a verified domain is served after its proof is removed: people are on holiday. Another workspace that
     * proves it meanwhile gets it immediately.
     */
    graceDays: 14,
    /** How soon a claim is checked again: on its first day, afterwards, and once it is proved. */
    eagerSeconds: 300,
    patientSeconds: 3_600,
    provedSeconds: 86_400,
    /** The answer of a DNS server, and of the web server of a domain, once for http and once for https. */
    lookUpMs: 5_000,
    fetchMs: 5_000,
    /** The file is one line; the rest of a page in its place is not read. */
    fileBytes: 4 * 1024,
  },

  mails: {
    /** Further mails of a step are logged instead. */
    perStep: 5,
    /** More recipients are the work of a mailing list, and a visitor's reply can name recipients. */
    recipients: 100,
    /** A mail over Gmail with its attachments: as base64 it fits into a request (`outgoing.bytes`). */
    gmailBytes: 7 * 1024 * 1024,
    /** Mails that a node delivers at the same time: mail servers bound connections, often at 10. */
    atOnce: 10,
    /** One delivery, from connecting to the server's last response. */
    deliveryMs: 60_000,
    /** Mail servers take 25 MB, and less. */
    attachments: 10,
    attachmentBytes: 25_000_000,
    /**
     * The default of DELIVERY_ATTEMPTS, over six to twelve hours: servers are updated, greylist, and are down for a
     * night.
     */
    attempts: 12,
    /** How long mails are kept that failed for good, or whose job is missing. */
    keptDays: 30,
  },

  /** Calls to services whose answers the flow does not read. */
  deferredCalls: {
    /** Further calls of a step are logged instead: a flow that loops would fill the queue. */
    perStep: 20,
    /** Calls that a node takes from the queue at once, so that calls of one account share a request. */
    atOnce: 100,
    /** One request with calls, from connecting to the answer's last byte. */
    deliveryMs: 20_000,
    /**
     * Calls in one request, where the service takes several, and their size: Segment takes 500 KB, and 32 KB for each.
     */
    batch: 50,
    batchBytes: 500_000,
    bytes: 32_000,
    /** How long calls are kept that failed for good, or whose job is missing. */
    keptDays: 30,
  },

  /** Outbound events. Times follow the recommendations of Standard Webhooks. */
  events: {
    /** Endpoints of a workspace: with each, every event becomes one more row and one more call. */
    endpoints: 20,
    urlCharacters: 2_048,
    /** The most concurrent calls to an endpoint, on all nodes together: the most that it can set, and the default. */
    maxConcurrency: 256,
    defaultConcurrency: 128,
    /** The most events of a call that carries several, and the size at which such a call takes no further one. */
    maxBatchSize: 100,
    batchBytes: 256 * 1024,
    /** Running calls on this node, at most half of `outgoing.calls`: the rest is for chats. */
    callsAtOnce: 250,
    /** An attempt, from looking up the host to the status of the answer. */
    attemptMs: 15_000,
    /**
     * A process that died, is paused or lost the database is replaced after this time. Its leases are renewed every
     * `renewMs`.
     */
    leaseSeconds: 6,
    renewMs: 2_000,
    /** The delay of events that are due in lanes of another process, after which this process asks it for lanes. */
    lateSeconds: 1,
    /** How long a process keeps the lanes of an endpoint without events. */
    idleLaneMs: 10_000,
    /**
     * Pauses after failed attempts: those that Standard Webhooks recommends, and 30 seconds, within which most
     * restarted receivers are back. After the last one, about three days in all, an event fails for good. The default
     * of EVENT_RETRY_SECONDS.
     */
    retrySeconds: [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    /** The longest pause of that setting, and the longest that a receiver can request with `Retry-After`. */
    retryAfterSeconds: 86_400,
    /**
     * Pauses of an endpoint that cannot be reached, by the number of such jobs in a row. After a pause a single event
     * is tried first.
     */
    pauseSeconds: [5, 15, 60, 300, 600],
    /** An endpoint that has failed for this long without a success is disabled. */
    failureDays: 5,
    /**
     * An endpoint whose oldest event is older than this falls behind, and its workspace is notified; again when only
     * this much time is left for one.
     */
    fallingBehindSeconds: 600,
    givingUpHours: 24,
    /**
     * Pending events of an endpoint that are counted, for metrics and responses: counting more in the index takes long.
     */
    countedPending: 100_000,
    shownPending: 10_000,
    /** How long the previous secret also signs after a rotation. */
    oldSecretHours: 24,
    /** The part of a response that the delivery log keeps, and the part that is read for it. */
    responseCharacters: 500,
    responseBytes: 4 * 1024,
    /**
     * A listener (`parley listen`) that does not ask for this long is removed: a laptop that sleeps for a moment loses
     * nothing, and events do not pile up for a disconnected one.
     */
    listenerMinutes: 5,
    /** Events that a listener gets at once, in bytes of their bodies, and outcomes that it reports at once. */
    receivedBytes: 1024 * 1024,
    receivedOutcomes: 1_000,
    /** Earlier events of another endpoint that a listener can begin with. */
    replayed: 100,
    /** How long the delivery log is kept: longer than an event can wait and an endpoint can fail. */
    logDays: 14,
  },
} as const;
