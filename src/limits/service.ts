/** The service as a whole: threads, database, process, jobs, and the removal of expired data. */
export const service = {
  /** Steps that wait for worker threads. */
  threads: {
    /** Waiting steps for each thread; further callers are asked to retry later. */
    queue: 256,
    /**
     * How long a step waits before its caller is asked to retry later. With `step.effectsMs` the caller is still
     * connected.
     */
    waitMs: 30_000,
    /**
     * How long a bot whose step exceeded its quota runs apart from the others, and how many steps of such bots may
     * wait.
     */
    runawayMinutes: 10,
    runawayQueue: 64,
    /** Previews without a token share one lane, and one address gets half of its queue. */
    anonymousPreviewQueue: 16,
  },

  database: {
    /**
     * Steps that wait to be read; further callers are asked to retry later. It is about a third of a second's work, and
     * is reached only when the database does not answer.
     */
    readQueue: 2_000,
    /** A server that has not answered for this long counts as unreachable. A busy one needs milliseconds. */
    silenceMs: 8_000,
    /**
     * A command that an operator watches (`restore`, `backup`, `migrate`, `rotate-key`) waits this long while the
     * database does not answer: a disk may need a minute.
     */
    patienceMs: 300_000,
    /**
     * A statement of background work takes milliseconds, and seconds behind others: after this long it counts as lost,
     * and is retried.
     */
    answerMs: 20_000,
    /**
     * The server ends a transaction that is idle for this long: its process is paused, or waits without end, while
     * others wait for its locks. Between two statements there are milliseconds.
     */
    idleTransactionMs: 30_000,
    /** Requests that wait for a place at the database, and how long. */
    placeQueue: 300,
    placeWaitMs: 15_000,
    /** A read replica that is further behind is not read. An operator who watches results accepts this delay. */
    replicaLagMs: 5_000,
    /** A replica that takes longer to report its position counts as unreachable. */
    replicaAnswerMs: 2_000,
    /** How long a start waits for a database that starts up: after a crash it replays its log. */
    startMs: 60_000,
  },

  /** The service as a process. */
  process: {
    /**
     * The maximum of Bun: a request that waits for slow effects receives nothing for minutes (Bun's default is 10 s).
     */
    idleSeconds: 255,
    /** A database or a thread that takes longer to answer is not ready. */
    readinessMs: 5_000,
    /** Graceful stop: running requests finish within this time, then their connections are cut. */
    drainMs: 20_000,
    /**
     * Housekeeping ends within this time once it is asked to stop, even on a connection without answers: its unanswered
     * statement was executed, or is repeated by the next start or by another node.
     */
    housekeepingEndMs: 3_000,
    /**
     * A process that is stopping ends within this time: `drainMs` for requests, as much for jobs and deliveries, and
     * some for the rest.
     */
    endMs: 50_000,
  },

  /** The job queue and its board. */
  jobs: {
    /** A log line with the reason of a failed attempt and the first lines of the stack. */
    logCharacters: 2_000,
    shownLogs: 200,
    /** Longer than any job is kept. */
    logDays: 30,
    /** Jobs on one page of the board; its address cannot ask for more. */
    pageSize: 100,
  },

  /** Bots, workspaces and results that were deleted. */
  erasure: {
    /** From the deletion of a bot or a workspace until all of its data is removed. */
    graceDays: 30,
    /** Results that one request may name. */
    resultIds: 10_000,
    /** How long a request erases before its caller is asked to repeat it for the rest: about a million results. */
    requestMs: 60_000,
    /** How long a deletion ends chats before it answers; a job ends the rest. */
    endingMs: 30_000,
    /**
     * Chats that one statement ends: it also reads the bot's chats that have ended before, so the number must not be
     * too small.
     */
    endedChats: 500,
    /** Results that one statement erases: few, so that its locks are short and no replica falls behind. */
    batch: 100,
  },

  /** Bots that are copied, or changed together. */
  duplication: {
    /** Results that one request copies: about ten seconds' work, in one transaction. */
    results: 100_000,
    batch: 1_000,
    /** Bots that are archived, moved or deleted together. */
    bulk: 100,
  },

  /** The values of variables by which results are found. */
  resultValues: {
    /** The indexed part of a name and of a value: an entry of an index has 2,700 bytes at most. */
    keyCharacters: 200,
    /** Values of one result. */
    perResult: 500,
    /** Values that one request may filter by. */
    perSearch: 5,
    /**
     * How long an export waits for values that the index lacks; then it is refused, with the time up to which the index
     * is complete.
     */
    waitMs: 60_000,
    /** Results whose values one statement reads: each may have a megabyte of values. */
    perRead: 100,
    /** Names of variables that a search looks up in the results of a bot, besides those of its versions. */
    namesPerBot: 1_000,
    /**
     * Between two checks of a result whose chat may continue: the answers of a visitor who returns after days are
     * indexed with this delay.
     */
    longestWaitMinutes: 240,
  },

  /** The lists in the receipt of a person's erasure, and the spellings that a dry run shows. */
  personErasure: { resultHashes: 1_000, exports: 1_000, spellings: 50, spellingCharacters: 200 },

  /** How long a bot may keep results, if it sets a time. */
  resultRetention: { maxDays: 3_650 },

  /** Exports of results that jobs make. */
  resultExports: {
    /** For one workspace: exports that are not created yet. They are created one at a time. */
    waiting: 10,
    /** How long a file is kept. It is a copy of visitors' answers, so not for long. */
    hours: 24,
    /** An S3-compatible storage accepts 5 GB in one piece. */
    bytes: 4 * 1024 * 1024 * 1024,
    keepMs: 3_600_000,
    /**
     * Bytes of results as JSON in one part of an export: a crash repeats one part. And bytes of a part that are read at
     * once.
     */
    partCharacters: 4 * 1024 * 1024,
  },

  /** People's notes about a result. */
  resultNotes: { tags: 20, tagCharacters: 50, noteCharacters: 2_000 },

  /** The counted measures of results. */
  insight: {
    /**
     * Between two checks of a result whose chat may continue. A continued one is checked soon, unless the process that
     * served it dies within ten seconds.
     */
    longestWaitMinutes: 240,
    /**
     * Results of one workspace that are counted, or whose values are read, before other workspaces have their turn: one
     * and a half minutes' work.
     */
    perTurn: 2_000,
    /**
     * Bots, then results of one bot, and payments that are read at once to recount the figures of an earlier release.
     */
    recounted: { bots: 100, results: 5_000, payments: 1_000 },
    /** Answers, edges and steps of one result that are counted: a loop may make very many. */
    rowsPerResult: 5_000,
    /**
     * Bots with page views, and results with changes, that a process records within ten seconds. Beyond this number,
     * views are not counted, and changes are recorded later.
     */
    notedBots: 5_000,
    notedResults: 20_000,
    /** Points of a series, and bots of a workspace in one answer: those with the most chats. */
    points: 400,
    bots: 200,
    /** Bots with problems in one answer, and problems of each: the most frequent ones. */
    failingBots: 200,
    problemsPerBot: 20,
    /**
     * When `bot.failing` is sent: at this many chats with errors within an hour, if their share is this many times that
     * of the week before. A bot that hardly ever fails counts with the least share; one that often fails, at 90 % if
     * that is twice the usual share.
     */
    alarms: { fewestChats: 5, factor: 10, leastUsualShare: 0.005, highestShare: 0.9, quietHours: 24 },
  },

  /** The log of writes by the management API. */
  audit: {
    /** How long entries are kept. */
    days: 365,
    /** Paths of one entry that are listed; all paths are counted. */
    paths: 100,
    pathCharacters: 200,
    /** Objects that one entry names: a folder with more bots has several entries. */
    subjects: 1_000,
    /** Entries that an export reads at a time: about half a megabyte. */
    exportPage: 1_000,
  },

  /** The jobs that remove expired data. */
  cleanUp: {
    /** Rows that one statement removes: few, so that its locks are short and no replica falls behind. */
    batch: 500,
    /** Time of one run: remaining rows wait for the next run. */
    runMs: 480_000,
    /** For a patient task, which is idle for most of this time: other tasks need its place. */
    patientRunMs: 50_000,
  },
} as const;
