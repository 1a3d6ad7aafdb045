/** Bounds on callers' requests: their size, their answers, and their rate. */
export const requests = {
  /** The content of a request. */
  request: {
    /** A chat message with the addresses of all its attachments is far smaller. */
    chatBodyBytes: 256 * 1024,
    /** A flow of 10,000 blocks has about 5 MB. */
    managementBodyBytes: 10 * 1024 * 1024,
    /** The question about a file before its upload: the longest file names of systems have 4 kB. */
    uploadWishBytes: 16 * 1024,
    /** Other content of a small form besides its own fields: blanks, and keys that newer clients send. */
    foreignBodyBytes: 1024,
    /** The body of a call that a `Webhook` block listens for becomes a reply: just below `reply.bytes`. */
    webhookBodyBytes: 60 * 1024,
    /**
     * Keys of a JSON body: a flow of 10,000 blocks has 120,000. And distinct keys: a flow has its fields and some
     * hundreds of ids.
     */
    keys: 500_000,
    keyNames: 50_000,
    /**
     * A larger body is read on a thread. Below this size the transfer costs more than it saves: `chat/threads/aside.ts`
     * has the figures.
     */
    bodyOnThreadBytes: 256 * 1024,
    /** Large bodies that wait for their turn on the thread, how long each waits, and how long the longest may take. */
    bodiesWaiting: 64,
    bodyWaitMs: 30_000,
    bodyReadMs: 20_000,
    /**
     * Nesting of a JSON body. A flow with its deepest rich text stays below, and walking a body never exhausts the
     * stack.
     */
    jsonDepth: 200,
    /**
     * The slowest connection for a body, and the extra time: a phone on EDGE is ten times as fast. `bodyMs` for all
     * bodies ends before `process.idleSeconds`.
     */
    bodyBytesPerSecond: 1_000,
    bodyGraceMs: 20_000,
    bodyMs: 240_000,
    /** Problems that the response to an invalid request lists. */
    issues: 20,
    /** A request that takes longer has a line in the log, even if few others have. */
    slowMs: 1_000,
    /** A longer `X-Request-Id` is replaced by one of ours. */
    idCharacters: 128,
  },

  /** How often an act may happen: the table of `limits/rate-rules.ts`. */
  rateLimits: {
    /** How long a request waits if its client cannot retry it, and how many of a process and of a key may wait. */
    waitMs: 5_000,
    waiting: 500,
    waitingPerKey: 4,
    /**
     * Refusals of a process in a second that are sent immediately, how long the next ones are held, and how many are
     * held at most.
     */
    refusalsAtOnce: 100,
    refusalHoldMs: 250,
    refusalsHeld: 2_000,
  },

  /** Requests that may be repeated. */
  idempotency: {
    keyCharacters: 255,
    /** The shortest key of a start. Only the key distinguishes two starting visitors, so it must be hard to guess. */
    startKeyMinCharacters: 16,
    /** How long the stored response to a key is returned. */
    hours: 24,
    /** How long a request of the management API waits for an earlier one with its key. */
    waitMs: 30_000,
    /** No request runs for longer: `request.bodyMs` and every wait end before `process.idleSeconds`. */
    requestSeconds: 300,
  },

  /** Fields that people fill in. */
  fields: {
    nameCharacters: 255,
    /** The longest e-mail address that SMTP allows: 64 characters, `@` and 255. */
    emailCharacters: 320,
    /** Emoji, addresses and small inline pictures. Lists contain a hundred of them. */
    iconCharacters: 20_000,
    /** The note of a publication or of an event endpoint. */
    noteCharacters: 1_000,
    publicIdCharacters: 255,
    /** The address of a call: longer addresses are cut or refused in transit. */
    addressCharacters: 2_048,
    /** The longest name in DNS, and a path. */
    customDomainCharacters: 512,
    /** The longest name in DNS, and the longest of its labels. */
    hostCharacters: 253,
    hostLabelCharacters: 63,
  },

  /** Pages of lists. */
  lists: {
    pageSize: 100,
    defaultPageSize: 50,
    resultsPageSize: 100,
    resultsDefaultPageSize: 50,
    /** The most results that existing clients may ask for. */
    compatibleResultsPageSize: 500,
    /**
     * Results that one page scans if no index serves its filter, and that totals count: some hundredths of a second.
     */
    searchedResults: 10_000,
    /** A search text or value for results. */
    searchCharacters: 1_000,
    /** Bots and collaborators in one response to existing clients that know no pages. */
    compatibleSize: 1_000,
  },

  /** Summaries of a bot's results, which take three seconds. */
  summaries: {
    /** The newest results that fit. */
    results: 100_000,
    /** The most results that are counted. */
    counted: 1_000_000,
    /** Results that are scanned, if no index serves the filter. */
    searched: 200_000,
    columns: 12,
    /** Distinct values of a column that are counted separately. */
    values: 2_000,
    /** Days of a column of dates: the points of a chart. */
    days: 400,
  },

  invitations: {
    /**
     * A code that has been in a mailbox for longer is more likely to be found by a stranger than to be used by its
     * owner.
     */
    days: 7,
  },

  /** People who are signed in, by a cookie of their browser. */
  signIns: {
    /** Without any use. */
    days: 30,
    /** How often a use is recorded, which also renews the cookie. */
    notedSeconds: 3_600,
    /** For one user. A further sign-in ends the oldest. */
    perUser: 100,
    /** A link is in a console or a log, and works once. */
    linkMinutes: 30,
    /**
     * Codes that are mailed to one address in a day, for any caller: beyond this number, the page still says that a
     * code was sent.
     */
    codeMailsPerDay: 30,
    /**
     * A code of six digits: it is hard to guess in five attempts, and only few codes are mailed to an address
     * (`user.codes`).
     */
    codeMinutes: 10,
    codeTries: 5,
    /** Data that pages store for one user. */
    preferencesBytes: 16 * 1024,
  },
} as const;
