/** The limits of bots on messengers. */
export const channels = {
  channels: {
    /**
     * The maximum number of messages into which a text is split. More messages would push the question below them out
     * of view.
     */
    textParts: 10,
    /** The maximum number of choices that a messenger shows. Contacts can type the other choices. */
    itemsShown: 100,
    /**
     * The lifetime of a chat, the same as for visitors that a bot remembers. Settings of the connection can end a chat
     * earlier.
     */
    sessionMinutes: 43_200,
    /** The maximum number of messages of one step. Further messages are dropped. */
    sendingsPerStep: 100,
    /** The longest delay before a message. The database column supports 24 days. */
    longestDelayMs: 24 * 86_400_000,
    /**
     * The maximum number of messages that a connection sends concurrently, each to another contact, and the maximum
     * number of contacts whose next messages are read in one batch.
     */
    sendsAtOnce: 20,
    headsAtOnce: 200,
    /** The longest time for which a bot appears to type before a message. */
    longestTypingMs: 10_000,
    /** The interval after which a typing indicator is shown again, because messengers hide it after five seconds. */
    typingAgainMs: 4_000,
    /** The time limits for sending a message and for sending a typing indicator. */
    sendMs: 10_000,
    signMs: 5_000,
    /** The interval between drafts of an answer. An unchanged draft is sent again before it disappears. */
    draftMs: 1_000,
    draftAgainMs: 25_000,
    /** The time limit for transferring a file. */
    mediaMs: 60_000,
    /** The size of the largest file that a provider accepts, including its caption. */
    uploadBytes: 51 * 1024 * 1024,

    /** The maximum number of concurrent downloads of contacts' files per process, and of attempts per file. */
    mediaAtOnce: 10,
    mediaTries: 3,
    /**
     * How long a provider's copy of a file is reused by its id. Parley's own files never change, but other files may
     * change.
     */
    ownMediaDays: 30,
    mediaSeconds: 3_600,
    /** The lifetime of an address at which a contact can open a private file. */
    openAddressDays: 30,
    /** Files that follow each other within this time are one answer, if the question accepts several files. */
    filesGatherMs: 3_000,
    /**
     * The maximum number of attempts to send a message, the time limit for retries, and the longest pause between
     * retries.
     */
    retries: 12,
    retryHours: 24,
    longestRetryMs: 300_000,
    /**
     * How long a connection pauses after its provider rejects all calls. The pause doubles each time, up to an hour.
     */
    refusedMs: 300_000,
    longestRefusedMs: 3_600_000,
    /**
     * A connection is disabled after this many rejections over at least this time, because only a person can enter new
     * secrets.
     */
    refusals: 3,
    refusedHours: 24,
    /** The delay before messages are sent to a contact again after an error of this process or its database. */
    failedRunMs: 1_000,
    /** The maximum number of steps that a preview performs to get past blocks that only a browser can answer. */
    actionsPassed: 50,
    /** After this time, a preview performs no further step, because the client waits for the result. */
    passedSeconds: 100,
    /** The maximum body size of a webhook call. The largest body that a provider documents is 3 MB. */
    webhookBytes: 4 * 1024 * 1024,
    /** The maximum number of events in one call. */
    updatesPerCall: 1_000,
    /** The time limit for answering a webhook call. Providers repeat unanswered calls. */
    webhookMs: 1_000,
    /** Older messages are ignored. Providers repeat calls for a week at most. */
    replayDays: 7,
    /** The interval at which a connection stores that it has received a message. */
    noteSeconds: 10,
    /** A message that is late by less than this time is still processed before later messages. */
    settleMs: 250,
    /**
     * The interval at which a process checks for rows that other processes have stored for its connections, while these
     * connections have traffic.
     */
    pollMs: 250,
    /** The maximum number of contacts whose messages a process answers concurrently. */
    turnsAtOnce: 50,
    /**
     * The maximum number of messages that wait in the memory of a process, and the number reserved for each connection.
     */
    waitingAtOnce: 20_000,
    waitingAtLeast: 200,
    /** The maximum number of messages of a contact that wait for their turn. Further messages are dropped. */
    waitingPerContact: 500,
    /**
     * The maximum number of messages that wait to be sent to a contact. The contact's incoming messages wait while the
     * limit is exceeded.
     */
    pendingPerContact: 300,
    /** The maximum number of texts or of files that are merged into one reply. */
    gathered: 20,
    /** The number of contacts whose chats are checked for expiry in one batch. */
    expiriesAtOnce: 100,
    /** How long a message waits for a question while the chat waits for something other than an answer. */
    holdSeconds: 60,
    /** How long a message is retried if its step fails, and the first and last pauses between retries. */
    triedSeconds: 3_600,
    firstPauseSeconds: 1,
    lastPauseSeconds: 300,
    /** How long a process holds a connection without traffic. */
    idleMs: 10_000,
    /**
     * How long a process waits for running steps before it releases a connection. The connection's other contacts wait
     * until another process holds it.
     */
    leaveMs: 3_000,
    /** The maximum number of connections of a workspace, and of bots of a connection. */
    connections: 100,
    bots: 100,
    /** The count of a contact's waiting messages stops at this number. */
    shownUnsent: 1_000,
    /** Messages that wait while a workspace is suspended are dropped after this time. */
    suspendedHours: 24,
    /** A connection that is still not registered after this time was left behind by a process that died. */
    leftMinutes: 5,
    /**
     * How long rows of messages whose content was deleted are kept, and how long contacts without other data are kept.
     */
    rowDays: 90,
    contactDays: 400,
    /**
     * How long after a message the number of the last update can be used to request the next updates. Providers restart
     * their numbers after at least a week without updates. This limit is a day less because clocks differ.
     */
    numberedDays: 6,
    /** The maximum number of concurrent calls of a process that wait for updates. */
    polls: 50,
    /** The time limit for a call that checks or registers a connection. */
    planMs: 10_000,
    /** How long the previous secrets remain valid for calls after a rotation. */
    oldSecretHours: 24,
    /** How long a connection remains in the cache. */
    rememberedMs: 10_000,
  },
} as const;
