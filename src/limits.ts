/**
 * What the service promises and what protects it: every size, count, wait and lifetime that a visitor, an author, a caller,
 * an operator or a neighbour can meet, grouped by what it protects. Numbers that only make things fast (batch sizes, poll
 * intervals, cache sizes) stand beside the code that uses them.
 *
 * The unit comes last in a name: bytes are bytes of UTF-8, characters are UTF-16 code units. What has no unit is a count.
 */
export const limits = {
  /** What a request may send. */
  request: {
    /** A chat message with the addresses of all its attachments is far smaller. */
    chatBodyBytes: 256 * 1024,
    /** A flow of 10,000 blocks has about 5 MB. */
    managementBodyBytes: 10 * 1024 * 1024,
    /** The body of a call that a `Webhook` block listens for becomes a reply: just below `reply.bytes`. */
    webhookBodyBytes: 60 * 1024,
    /** Nesting of a JSON body. A flow with its deepest rich text stays below, and walking a body never exhausts the stack. */
    jsonDepth: 200,
    /** The slowest line for a body, and what it has on top: a phone on EDGE has ten times as much. `bodyMs` for all ends before `process.idleSeconds`. */
    bodyBytesPerSecond: 1_000,
    bodyGraceMs: 20_000,
    bodyMs: 240_000,
    /** Problems that the answer to an invalid request lists. */
    issues: 20,
    /** A longer `X-Request-Id` is replaced by one of ours. */
    idCharacters: 128,
  },

  /** How often somebody may do something: the table of `rate-limits/rules.ts`. */
  rateLimits: {
    /** How long a request waits whose client cannot send it again by itself, and how many of a process and of a key do. */
    waitMs: 5_000,
    waiting: 500,
    waitingPerKey: 4,
  },

  /** Requests that may be sent again. */
  idempotency: {
    keyCharacters: 255,
    /** The shortest key of a start. Only the key tells two starting visitors apart, so nobody may guess it. */
    startKeyMinCharacters: 16,
    /** How long a key is answered with its stored response. */
    hours: 24,
  },

  /** Fields that people fill in. */
  fields: {
    nameCharacters: 255,
    /** The longest e-mail address that SMTP allows: 64 characters, `@` and 255. */
    emailCharacters: 320,
    /** Emoji, addresses and small inline pictures. Lists carry a hundred of them. */
    iconCharacters: 20_000,
    /** The note of a publication or of an event endpoint. */
    noteCharacters: 1_000,
    publicIdCharacters: 255,
    /** The longest name in DNS, and a path. */
    customDomainCharacters: 512,
  },

  /** Pages of lists. */
  lists: {
    pageSize: 100,
    defaultPageSize: 50,
    resultsPageSize: 100,
    resultsDefaultPageSize: 50,
    /** The most results that existing clients may ask for. */
    compatibleResultsPageSize: 500,
    /** Bots and collaborators that existing clients are given in one answer where they know no pages. */
    compatibleSize: 1_000,
  },

  invitations: {
    /** A code that has been in a mailbox for longer is more likely to be found than to be wanted. */
    days: 7,
  },

  /** Flows that are saved, previewed or published. */
  flow: {
    groups: 2_000,
    blocks: 10_000,
    /** Warnings that the answer to a publication lists. */
    warnings: 100,
    /** A flow that anybody may preview without a token. */
    anonymousBytes: 1024 * 1024,
    /** A flow that is sent with a preview, with a token that may write the bot. */
    suppliedBytes: 5 * 1024 * 1024,
  },

  /** What previews without a token keep, flows, sessions and steps: all of them together, those of one address, and for how long. */
  anonymousPreviews: { flows: 2_000, megabytes: 256, flowsPerAddress: 200, megabytesPerAddress: 32, minutes: 60 },

  /** What a visitor answers. */
  reply: {
    bytes: 64 * 1024,
    /** The longest reply that is searched for a phone number or a date. The search backtracks: 2,000 characters take up to 40 ms. */
    searchedCharacters: 2_000,
    /** The longest address that the most limited browsers open. */
    webAddressCharacters: 2_083,
  },

  /** One visitor's chat. */
  session: {
    /** All variables together, so that the row of a session stays small. */
    variablesBytes: 1024 * 1024,
    lifetimeMinutes: 24 * 60,
    /** Where the bot's settings ask the browser to remember the visitor. */
    rememberedLifetimeMinutes: 30 * 24 * 60,
    /** Requests that wait while another one of the same session is under way. */
    queue: 8,
    /** How long such a request waits. */
    waitMs: 30_000,
    /** How far a transcript and the history of a session reach back, in steps. */
    transcriptSteps: 1_000,
    /** Sessions of one result among which a call from outside looks for one that listens: each reload of a page adds one. */
    perResult: 50,
  },

  /** What one step of a chat may use. */
  step: {
    /** Blocks walked: a loop without an input ends here. */
    blocks: 10_000,
    effects: 100,
    /** All waits for effects together. Less than `process.idleSeconds`. */
    effectsMs: 240_000,
    /** Work units of one script: about a second of common code (200 to 800 million at the extremes; two cores, Bun 1.4.4). */
    scriptTicks: 400_000_000,
    /** Work units of all scripts together. */
    allScriptsTicks: 1_200_000_000,
    /** Memory of a script. All scripts of a step share 1 MB of variables: this is room for working with them. */
    scriptMemoryBytes: 32 * 1024 * 1024,
    /**
     * What a step may make beside its scripts, in characters of JSON: what is inserted into texts, shown, logged and sent.
     * The largest variable fits twice as rich text, and memory stays bounded whatever a flow repeats.
     */
    characters: 8 * 1024 * 1024,
    /** What a script keeps across its network calls: the answers so far are sent along with each of them. */
    memoCharacters: 16 * 1024 * 1024,
    /** Linked flows that are open inside each other: a flow that links to itself for ever ends here. */
    linkedFlows: 100,
    /** Elements of a list variable, so that appending in a loop is bounded by more than bytes. */
    listElements: 10_000,
    /**
     * Time of one run on a worker thread, without waits for effects. The budgets above end a step long before: killing the
     * thread is the last resort.
     */
    threadMs: 30_000,
    /** How long a save whose outcome is unknown is tried again: about as long as a fail-over takes. */
    doubtMs: 5_000,
  },

  /** A claim makes sure that only one process performs the effects of a step. */
  claims: {
    /**
     * The process that performs effects renews its claim while the step is under way. After a crash the visitor waits for
     * these seconds, not for the longest step; a process that was suspended for longer performs nothing more if somebody took its claim.
     */
    seconds: 15,
    renewMs: 5_000,
    /** How often a request looks again whether another process has released its claim: the first pause, and the longest. */
    pollMs: 20,
    maxPollMs: 500,
  },

  /** Calls that flows make to other servers. */
  outgoing: {
    /** Calls under way on this node, parted among its processes: their answers fit into memory, their sockets into the bounds of any system. */
    calls: 500,
    /** An answer, both before and after decompression, and a body that is sent: a chat can use far less. */
    bytes: 10 * 1024 * 1024,
    redirects: 10,
    /** Calls in a row of chats that call each other, also through linked bots: honest ones need one or two. */
    hops: 5,
    /** Tries after the first, within the call's own time. */
    retries: 2,
    /** How long a block waits for an answer: by default, and at most. The latter is the default for hosts known to be slow. */
    httpSeconds: 10,
    maxHttpSeconds: 120,
    /** How long a script's `fetch` waits for an answer. */
    scriptFetchMs: 10_000,
  },

  mails: {
    /** Further mails of a step are logged instead. */
    perStep: 5,
    /** More is the work of a mailing list, and a visitor's reply can name recipients. */
    recipients: 100,
    /** Mails that a node delivers at the same time: mail servers bound connections, often at 10. */
    atOnce: 10,
    /** One delivery, from connecting to the server's last word. */
    deliveryMs: 60_000,
    /** How long mails that were given up, or whose job is gone, are kept. */
    keptDays: 30,
  },

  /** Log entries of results. */
  logs: {
    perResult: 500,
    descriptionCharacters: 1_000,
    detailsCharacters: 1_000,
    /** What one request of a visitor's client may report. */
    clientEntries: 50,
    clientBytes: 64 * 1024,
  },

  /** Rich text, in characters and nodes, never in time: equal input gives equal output. Costs are of `mdast-util-from-markdown`. */
  richText: {
    /** Nesting of stored nodes; deeper children are left out. A list costs two levels: this is about thirty nested lists. */
    depth: 64,
    /** Nesting of quotes, lists and items in one value; a deeper value is shown as plain paragraphs. */
    valueDepth: 32,
    /** The longest value read as markdown, twice a long answer of a language model. A longer one is shown as plain paragraphs. */
    markdownCharacters: 16_384,
    /** The parser is quadratic in lines of lists and headings: 500 lines take up to 35 ms, 4,000 take 360 ms. */
    markdownLines: 500,
    /** The parser is quadratic in `*` and `_`: 800 take up to 35 ms, 16,000 take 1.5 s. */
    emphasisCharacters: 800,
    /** The parser is quadratic in `[` and `![`: 300 take up to 30 ms, 4,000 take 1.2 s. */
    brackets: 300,
    /** Lines of a plain text; the rest stays together in the last one. A node costs 45 bytes in a response. */
    plainLines: 2_000,
    /**
     * What the references of one bubble may insert, in characters: as much as all variables of a session hold. Every value can
     * be shown once, but a text full of references to one large value stays bounded.
     */
    insertedCharacters: 1_000_000,
    /** What an inserted node counts against `insertedCharacters` besides its text: its size in a response. */
    charactersPerNode: 64,
  },

  /** The chat page for browsers without JavaScript. */
  page: {
    /** Actions for a script that are passed over in a row: a flow that loops through them ends here. */
    passedActions: 50,
    /** How often a page that waits for a call from outside loads itself again. */
    refreshSeconds: 5,
    /** How long the browser remembers the session of a page that waits. */
    waitSeconds: 3_600,
  },

  /** Waits that exist for clients of the reference product. */
  existingClients: {
    /**
     * A client's report that it listens for a call is held open this long, then the client is asked for another report. Less
     * than proxies wait, and less than a stopping process waits for requests under way.
     */
    listeningMs: 15_000,
    /** A page that is loaded again starts within the first time after its last reply, and sends that reply again within the second. */
    reloadSeconds: 30,
    resendSeconds: 10,
    /** After a refusal that will pass the client reports again after this time, as its own retry does. */
    retrySeconds: 3,
  },

  /** Steps that wait for worker threads. */
  threads: {
    /** Waiting steps for each thread, before callers are told to come back later. */
    queue: 256,
    /** How long a step waits before its caller is told to come back later. With `step.effectsMs` the caller is still connected. */
    waitMs: 30_000,
    /** How long a bot whose step took too much runs apart from the others, and steps that wait there. */
    runawayMinutes: 10,
    runawayQueue: 32,
    /** Previews without a token share one lane. It is short, so that they never keep visitors waiting. */
    anonymousPreviewQueue: 16,
  },

  database: {
    /**
     * Steps that wait to be read before callers are told to come back later: about a third of a second's work. It is reached
     * only when the database stands still.
     */
    readQueue: 2_000,
    /** A server that has not answered for this long counts as gone. A busy one needs milliseconds. */
    silenceMs: 8_000,
    /** How long a start waits for a database that starts up: after a crash it replays its log. */
    startMs: 60_000,
  },

  /** The service as a process. */
  process: {
    /** The most that Bun takes: a request that waits for slow effects receives nothing for minutes (Bun's default is 10 s). */
    idleSeconds: 255,
    /** A database or a thread that takes longer to answer is not ready. */
    readinessMs: 5_000,
    /** Graceful stop: requests under way finish within this time, then their connections are cut. */
    drainMs: 20_000,
  },

  /** Files that visitors upload. */
  uploads: {
    /** The largest file that a block or the operator may allow, in megabytes: it passes through this process, and through proxies. */
    fileMegabytes: 100,
    fileNameCharacters: 255,
    /** What one chat may leave here. */
    filesPerSession: 100,
    bytesPerSession: 500 * 1024 * 1024,
    /** From asking for an upload address until the upload begins. */
    addressSeconds: 600,
    /** The upload itself: 10 MB at 200 kbit/s take 7 minutes. */
    uploadMs: 600_000,
    /** Uploads under way on this node, parted among its processes: each holds a connection and a file on its way to the storage. */
    atOnce: 64,
    /** How much of them one session, one address and one bot may take, and of the forms below. */
    shares: { session: 1 / 8, address: 1 / 4, bot: 1 / 2 },
    formShares: { address: 1 / 2, bot: 1 / 2 },
    /** Uploads, and forms, that wait for a place on each process, and how long. */
    waiting: 64,
    waitMs: 15_000,
    /** All files of a form that a page without script posts, and such forms under way on this node: each is in memory while it is read. */
    formBytes: 32 * 1024 * 1024,
    formsAtOnce: 8,
    /** One request to the storage, its body included. */
    storageMs: 120_000,
    /** How long a file is locked while its content is stored: longer than a request to the storage. */
    storageLockSeconds: 180,
    /** A file that no answer names by then is removed: no chat waits that long with a chosen file. */
    unansweredHours: 24,
    /** Files that one list holds: a result has more only after many reloads. */
    listed: 1_000,
    /** How long browsers and caches keep a file: after this an erased one is gone there too. */
    cacheSeconds: 86_400,
  },

  /** Outbound events. Times follow the recommendations of Standard Webhooks. */
  events: {
    /** Endpoints of a workspace: with each, every event becomes one more row and one more call. */
    endpoints: 20,
    urlCharacters: 2_048,
    /** The most calls under way at once to an endpoint, on all nodes together: what it may ask for, and what it gets unless it does. */
    maxConcurrency: 256,
    defaultConcurrency: 128,
    /** The most events of a call that carries several, and what such a call may hold before it takes no further one. */
    maxBatchSize: 100,
    batchBytes: 256 * 1024,
    /** Calls under way on this node, at most half of `outgoing.calls`: the rest is for chats. */
    callsAtOnce: 250,
    /** An attempt, from looking up the host to the status of the answer. */
    attemptMs: 15_000,
    /** A process that died, stands still or lost the database is replaced after this time. Its leases are renewed every `renewMs`. */
    leaseSeconds: 12,
    renewMs: 4_000,
    /** Events that have been due for so long, in lanes of another process, are reason to ask it for lanes. */
    lateSeconds: 1,
    /** How long a process keeps the lanes of an endpoint without events. */
    idleLaneMs: 10_000,
    /** Pauses after failed attempts. After the last one, about three days in all, an event is given up. */
    retrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    /** The longest pause that a receiver can ask for with `Retry-After`. */
    retryAfterSeconds: 86_400,
    /** Pauses of an endpoint that cannot be reached, by the number of such jobs in a row. After a pause one event is tried first. */
    pauseSeconds: [5, 15, 60, 300, 600],
    /** An endpoint that failed this long without one success is switched off. */
    failureDays: 5,
    /** An endpoint whose oldest event is older than this falls behind, and its workspace is told; again when so little is left for one. */
    fallingBehindSeconds: 600,
    givingUpHours: 24,
    /** Pending events of an endpoint that are counted for metrics, and for whoever asks for the endpoint: an index of more takes long to read. */
    countedPending: 100_000,
    shownPending: 10_000,
    /** How long the previous secret signs as well after a rotation. */
    oldSecretHours: 24,
    /** What the delivery log keeps of an answer, and how much of the answer is read for it. */
    responseCharacters: 500,
    responseBytes: 4 * 1024,
    /** How long the delivery log is kept: longer than an event can wait and an endpoint can fail. */
    logDays: 14,
  },

  /** The job queue and its board. */
  jobs: {
    /** A log line says why an attempt failed, with the first lines of the stack. */
    logCharacters: 2_000,
    shownLogs: 200,
    /** Longer than any job is kept. */
    logDays: 30,
    /** Jobs on one page of the board, whatever its address asks for. */
    pageSize: 100,
  },

  /** Bots, workspaces and results that were deleted. */
  erasure: {
    /** From deleting a bot or a workspace until nothing of it is left. */
    graceDays: 30,
    /** Results that one request may name. */
    resultIds: 10_000,
    /** How long a request erases before its caller is told to ask again for the rest: about a million results. */
    requestMs: 60_000,
    /** Results that one statement erases: its locks are short, and no replica falls behind. */
    batch: 100,
  },

  /** The jobs that remove what has expired. */
  cleanUp: {
    /** Rows that one statement removes: its locks are short, and no replica falls behind. */
    batch: 500,
    /** Time of one run: what is left waits for the next. */
    runMs: 480_000,
  },
} as const;
