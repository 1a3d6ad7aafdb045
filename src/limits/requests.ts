/** Limits for requests: their size, their responses, and their rate. */
export const requests = {
  /** Limits for the content of a request. */
  request: {
    /**
     * The maximum body size of a chat request. A chat message with the addresses of all its attachments is far smaller.
     */
    chatBodyBytes: 256 * 1024,
    /** The maximum body size of a management request. A flow of 10,000 blocks has about 5 MB. */
    managementBodyBytes: 10 * 1024 * 1024,
    /**
     * The maximum body size of a request for an upload address. The longest file names of operating systems have 4 kB.
     */
    uploadWishBytes: 16 * 1024,
    /** The maximum size of unknown content in a small form: blanks, and keys that newer clients send. */
    foreignBodyBytes: 1024,
    /** The maximum body size of a webhook call. The body becomes a reply, so the limit is just below `reply.bytes`. */
    webhookBodyBytes: 60 * 1024,
    /**
     * The maximum number of keys in a JSON body, and of distinct keys. A flow of 10,000 blocks has 120,000 keys. Its
     * distinct keys are field names and some hundreds of ids.
     */
    keys: 500_000,
    keyNames: 50_000,
    /**
     * A larger body is parsed on a thread. For smaller bodies, the transfer costs more than it saves (measurements are
     * in `chat/threads/aside.ts`).
     */
    bodyOnThreadBytes: 256 * 1024,
    /**
     * The maximum number of large bodies that wait for the thread, how long each body waits, and how long parsing may
     * take.
     */
    bodiesWaiting: 64,
    bodyWaitMs: 30_000,
    bodyReadMs: 20_000,
    /**
     * The maximum depth of a JSON body. A flow with its deepest rich text has a lower depth, and processing a body of
     * this depth never overflows the stack.
     */
    jsonDepth: 200,
    /**
     * The bandwidth of the slowest supported connection, and a grace period. A phone on EDGE is ten times as fast.
     * `bodyMs`, the limit for all bodies, is less than `process.idleSeconds`.
     */
    bodyBytesPerSecond: 1_000,
    bodyGraceMs: 20_000,
    bodyMs: 240_000,
    /** The maximum number of problems in the response to an invalid request. */
    issues: 20,
    /** A request that takes longer than this is logged, even if most requests are not logged. */
    slowMs: 1_000,
    /** A longer `X-Request-Id` is replaced by a generated id. */
    idCharacters: 128,
  },

  /** Limits for the rate of actions. The rules are in `limits/rate-rules.ts`. */
  rateLimits: {
    /**
     * How long a request waits if its client cannot retry it, and the maximum number of waiting requests per process
     * and per key.
     */
    waitMs: 5_000,
    waiting: 500,
    waitingPerKey: 4,
    /**
     * The number of rejections that a process sends immediately per second, how long further rejections are delayed,
     * and the maximum number of delayed rejections.
     */
    refusalsAtOnce: 100,
    refusalHoldMs: 250,
    refusalsHeld: 2_000,
  },

  /** Limits for requests with an idempotency key. */
  idempotency: {
    keyCharacters: 255,
    /**
     * The minimum length of the key of a start. Only the key distinguishes two visitors who start a chat, so it must be
     * hard to guess.
     */
    startKeyMinCharacters: 16,
    /** How long a response is stored for its key. */
    hours: 24,
    /** How long a request of the management API waits for an earlier request with the same key. */
    waitMs: 30_000,
    /**
     * No request runs for longer than this, because `request.bodyMs` and all waiting times are less than
     * `process.idleSeconds`.
     */
    requestSeconds: 300,
  },

  /** Limits for fields that people fill in. */
  fields: {
    nameCharacters: 255,
    /** The longest email address that SMTP allows: 64 characters, `@` and 255 characters. */
    emailCharacters: 320,
    /** The maximum length of an icon: an emoji, an address or a small inline picture. Lists contain a hundred icons. */
    iconCharacters: 20_000,
    /** The maximum length of a note, for example of a publication. */
    noteCharacters: 1_000,
    publicIdCharacters: 255,
    /** The maximum length of a URL to call. Longer URLs may be truncated or rejected in transit. */
    addressCharacters: 2_048,
    /** The maximum length of a custom domain: the longest DNS name plus a path. */
    customDomainCharacters: 512,
    /** The maximum lengths of a DNS name and of its labels. */
    hostCharacters: 253,
    hostLabelCharacters: 63,
  },

  /** Limits for paginated lists. */
  lists: {
    pageSize: 100,
    defaultPageSize: 50,
    resultsPageSize: 100,
    resultsDefaultPageSize: 50,
    /** The maximum page size of results for existing clients. */
    compatibleResultsPageSize: 500,
    /**
     * The maximum number of results that a page scans if no index supports its filter. Totals also stop at this number.
     * Scanning this number takes some hundredths of a second.
     */
    searchedResults: 10_000,
    /** The maximum length of a search text or value. */
    searchCharacters: 1_000,
    /** The maximum number of bots and collaborators in a response to existing clients without pagination. */
    compatibleSize: 1_000,
  },

  /** Limits for summaries of a bot's results, which take up to three seconds. */
  summaries: {
    /** The number of newest results that a summary includes. */
    results: 100_000,
    /** The count of results stops at this number. */
    counted: 1_000_000,
    /** The maximum number of results that are scanned if no index supports the filter. */
    searched: 200_000,
    columns: 12,
    /** The number of distinct values of a column that are counted separately. */
    values: 2_000,
    /** The maximum number of days for a column of dates. Each day is a point of a chart. */
    days: 400,
  },

  invitations: {
    /**
     * The lifetime of an invitation code. An older code in a mailbox is more likely to be found by a stranger than to
     * be used by its owner.
     */
    days: 7,
  },

  /** Limits for sign-ins of people, which are stored in a browser cookie. */
  signIns: {
    /** A sign-in that was not used for this time expires. */
    days: 30,
    /** The interval at which a use is recorded and the cookie is renewed. */
    notedSeconds: 3_600,
    /** The maximum number of sign-ins of a user. A further sign-in ends the oldest sign-in. */
    perUser: 100,
    /** The lifetime of a sign-in link. The link is printed to a console or a log, and works once. */
    linkMinutes: 30,
    /**
     * The maximum number of codes that are sent to an email address per day. Beyond this number, the page still reports
     * that a code was sent.
     */
    codeMailsPerDay: 30,
    /**
     * The lifetime of a six-digit code, and the number of attempts. A code is hard to guess in five attempts, and only
     * few codes are sent to an address (`user.codes`).
     */
    codeMinutes: 10,
    codeTries: 5,
    /** The maximum size of the data that pages store for a user. */
    preferencesBytes: 16 * 1024,
  },
} as const;
