/** Limits for the service as a whole: threads, database, process, jobs, and the removal of expired data. */
export const service = {
  /** Limits for steps that wait for worker threads. */
  threads: {
    /** The maximum number of waiting steps per thread. Further clients are asked to retry later. */
    queue: 256,
    /**
     * How long a step waits before its client is asked to retry later. The sum of this time and `step.effectsMs` is
     * below the client's timeout.
     */
    waitMs: 30_000,
    /**
     * How long a bot is isolated after a step exceeded its quota, and the maximum number of waiting steps of isolated
     * bots.
     */
    runawayMinutes: 10,
    runawayQueue: 64,
    /**
     * The maximum number of waiting anonymous previews. These previews share one lane, and a single address may use
     * half of its queue.
     */
    anonymousPreviewQueue: 16,
  },

  database: {
    /**
     * The maximum number of steps that wait for their state to be read. Further clients are asked to retry later.
     * Reading this number of states takes about a third of a second, so the limit is only reached if the database does
     * not respond.
     */
    readQueue: 2_000,
    /**
     * A server that has not responded for this long is treated as unavailable. A busy server responds within
     * milliseconds.
     */
    silenceMs: 8_000,
    /**
     * How long a command of an operator (`restore`, `backup`, `migrate`, `rotate-key`) waits for an unresponsive
     * database. A slow disk may need a minute.
     */
    patienceMs: 300_000,
    /**
     * The time limit for a statement of background work, which usually takes milliseconds, or seconds behind other
     * statements. After this time, the statement is treated as failed and is retried.
     */
    answerMs: 20_000,
    /**
     * The server ends a transaction that is idle for this long. Its process is suspended or waits forever, while other
     * processes wait for its locks. The time between two statements is usually milliseconds.
     */
    idleTransactionMs: 30_000,
    /** The maximum number of requests that wait for a database slot, and their waiting time. */
    placeQueue: 300,
    placeWaitMs: 15_000,
    /** A read replica with a greater delay is not used. Operators who look at results accept this delay. */
    replicaLagMs: 5_000,
    /** A replica that takes longer to report its position is treated as unavailable. */
    replicaAnswerMs: 2_000,
    /** How long a start waits for a database that is starting. After a crash, the database replays its log. */
    startMs: 60_000,
  },

  /** Limits for a process of the service. */
  process: {
    /**
     * The idle timeout of connections, set to Bun's maximum. A request that waits for slow effects receives nothing for
     * minutes (Bun's default is 10 s).
     */
    idleSeconds: 255,
    /** The time limit for the response of a database or thread in a readiness check. */
    readinessMs: 5_000,
    /** The time limit for running requests when the process stops. Afterwards, their connections are closed. */
    drainMs: 20_000,
    /**
     * The time limit for stopping housekeeping, even on an unresponsive connection. The unanswered statement was
     * executed, or is repeated by the next start or by another node.
     */
    housekeepingEndMs: 3_000,
    /**
     * The time limit for stopping a process: `drainMs` for requests, the same time for jobs and deliveries, and some
     * time for the rest.
     */
    endMs: 50_000,
  },

  /** Limits for the job queue and its board. */
  jobs: {
    /** The maximum length of a log line, which contains the outcome of an attempt. */
    logCharacters: 2_000,
    shownLogs: 200,
    /** How long job logs are kept, which is longer than any job is kept. */
    logDays: 30,
    /** The maximum number of jobs per page of the board. */
    pageSize: 100,
  },

  /** Limits for deleting bots, workspaces and results. */
  erasure: {
    /** The time between the deletion of a bot or a workspace and the removal of its data. */
    graceDays: 30,
    /** The maximum number of results that one request may name. */
    resultIds: 10_000,
    /**
     * The time limit for erasing results in one request, enough for about a million results. The client is then asked
     * to repeat the request.
     */
    requestMs: 60_000,
    /** The time limit for ending chats during a deletion. A job ends the remaining chats. */
    endingMs: 30_000,
    /**
     * The number of chats that one statement ends. The statement also reads the bot's ended chats, so the number must
     * not be too small.
     */
    endedChats: 500,
    /**
     * The number of results that one statement erases. With a small number, locks are short and no replica falls
     * behind.
     */
    batch: 100,
  },

  /** Limits for copying bots and for changing several bots in one request. */
  duplication: {
    /** The maximum number of results that one request copies: about ten seconds' work in one transaction. */
    results: 100_000,
    batch: 1_000,
    /** The maximum number of bots that are archived, moved or deleted in one request. */
    bulk: 100,
  },

  /** Limits for the variable values by which results are found. */
  resultValues: {
    /** The length of the indexed part of a name and of a value. An index entry has at most 2,700 bytes. */
    keyCharacters: 200,
    /** The maximum number of indexed values of one result. */
    perResult: 500,
    /** The maximum number of values by which one request may filter. */
    perSearch: 5,
    /**
     * How long an export waits for values that are not indexed yet. Afterwards, it is rejected with the time up to
     * which the index is complete.
     */
    waitMs: 60_000,
    /** The number of results whose values one statement reads. A result may have a megabyte of values. */
    perRead: 100,
    /**
     * The maximum number of variable names that a search reads from the results of a bot, in addition to the names in
     * its versions.
     */
    namesPerBot: 1_000,
    /**
     * The longest time between two checks of a result whose chat may continue. If a visitor returns after days, the new
     * answers are indexed with this delay.
     */
    longestWaitMinutes: 240,
  },

  /**
   * The maximum lengths of the lists in the receipt of a person's erasure, and the maximum number and length of the
   * spellings in a dry run.
   */
  personErasure: { resultHashes: 1_000, exports: 1_000, spellings: 50, spellingCharacters: 200 },

  /** The maximum retention time of results that a bot may set. */
  resultRetention: { maxDays: 3_650 },

  /** Limits for exports of results by jobs. */
  resultExports: {
    /** The maximum number of waiting exports of a workspace. Exports are created one at a time. */
    waiting: 10,
    /** How long an export file is kept. The time is short, because the file is a copy of visitors' answers. */
    hours: 24,
    /** The maximum size of an export. An S3-compatible storage accepts 5 GB in one request. */
    bytes: 4 * 1024 * 1024 * 1024,
    keepMs: 3_600_000,
    /**
     * The size of one part of an export in characters of JSON, and also the number of bytes of a part that are read in
     * one batch. After a crash, one part is repeated.
     */
    partCharacters: 4 * 1024 * 1024,
  },

  /** Limits for people's notes about a result. */
  resultNotes: { tags: 20, tagCharacters: 50, noteCharacters: 2_000 },

  /** Limits for counting the statistics of results. */
  insight: {
    /**
     * The longest time between two checks of a result whose chat may continue. If the chat continues, its result is
     * checked soon, unless the process that served it dies within ten seconds.
     */
    longestWaitMinutes: 240,
    /**
     * The number of results of one workspace that are counted, or whose values are read, before other workspaces have
     * their turn: one and a half minutes' work.
     */
    perTurn: 2_000,
    /**
     * The numbers of bots, results of one bot, and payments that are read in one batch to recount the statistics of an
     * earlier release.
     */
    recounted: { bots: 100, results: 5_000, payments: 1_000 },
    /**
     * The maximum number of counted answers, edges and steps of one result, because a loop may create a large number.
     */
    rowsPerResult: 5_000,
    /**
     * The maximum numbers of bots with page views, and of results with changes, that a process records within ten
     * seconds. Further views are not counted, and further changes are recorded later.
     */
    notedBots: 5_000,
    notedResults: 20_000,
    /**
     * The maximum number of points of a series, and of bots in a workspace's response. The bots with the most chats are
     * included.
     */
    points: 400,
    bots: 200,
    /**
     * The maximum number of bots with problems in a response, and of problems per bot. The most frequent problems are
     * included.
     */
    failingBots: 200,
    problemsPerBot: 20,
    /**
     * The conditions for sending `bot.failing`: at least `fewestChats` chats have errors within an hour, and their
     * share is `factor` times the share of the previous week. The share of the previous week is assumed to be at least
     * `leastUsualShare`. For a bot that often fails, `highestShare` suffices if it is twice the usual share. The event
     * is not repeated within `quietHours`.
     */
    alarms: { fewestChats: 5, factor: 10, leastUsualShare: 0.005, highestShare: 0.9, quietHours: 24 },
  },

  /** Limits for the log of writes by the management API. */
  audit: {
    days: 365,
    /** The maximum number of paths that an entry lists. All paths are counted. */
    paths: 100,
    pathCharacters: 200,
    /** The maximum number of objects that one entry names. A folder with more bots has several entries. */
    subjects: 1_000,
    /** The number of entries that an export reads in one batch, about half a megabyte. */
    exportPage: 1_000,
  },

  /** Limits for the jobs that remove expired data. */
  cleanUp: {
    /**
     * The number of rows that one statement removes. With a small number, locks are short and no replica falls behind.
     */
    batch: 500,
    /** The time limit of one run. The next run removes the remaining rows. */
    runMs: 480_000,
    /**
     * The time limit for one run of a patient task (`CleanUp.isPatient`), which is idle for most of this time and must
     * not block other tasks.
     */
    patientRunMs: 50_000,
  },
} as const;
