/** Bots on messengers. */
export const channels = {
  channels: {
    /** Messages that one text is split into: more would bury the question below them. */
    textParts: 10,
    /** Choices that a messenger shows: contacts can type the others. */
    itemsShown: 100,
    /** As long as chats of visitors that a bot remembers: a connection's own times end chats earlier. */
    sessionMinutes: 43_200,
    /** Messages of one step: the others are left out. */
    sendingsPerStep: 100,
    /** The longest pause before a message: its column has room for 24 days. */
    longestDelayMs: 24 * 86_400_000,
    /** Concurrent messages of a connection, each to another contact, and contacts that are read for them. */
    sendsAtOnce: 20,
    headsAtOnce: 200,
    /** One sending, and one sign. */
    sendMs: 10_000,
    signMs: 5_000,
    /** The interval between drafts of an answer; an unchanged draft is shown again before it disappears. */
    draftMs: 1_000,
    draftAgainMs: 25_000,
    /**
     * The transfer of a file, in either direction; files of contacts that a process fetches at once, and attempts for
     * each.
     */
    mediaMs: 60_000,
    /** The largest file that a provider takes, with its caption. */
    uploadBytes: 51 * 1024 * 1024,
    mediaAtOnce: 10,
    mediaTries: 3,
    /** How long a provider's copy of a file is sent by its id: our own files never change, other files may. */
    ownMediaDays: 30,
    mediaSeconds: 3_600,
    /** An address by which a contact opens a private file. */
    openAddressDays: 30,
    /** Files that arrive within this time of each other are one answer, if a question takes several. */
    filesGatherMs: 3_000,
    /** How often and for how long a failed message is retried, with pauses of at most five minutes. */
    retries: 12,
    retryHours: 24,
    longestRetryMs: 300_000,
    /** How long a connection pauses whose provider refuses everything; the pause doubles each time, up to an hour. */
    refusedMs: 300_000,
    longestRefusedMs: 3_600_000,
    /** A connection with this many refusals within this time is disabled: only people can give it other secrets. */
    refusals: 3,
    refusedHours: 24,
    /** After a failure of the database a contact's messages are retried after this time. */
    failedRunMs: 1_000,
    /** Steps that a chat may take in a row without the contact, past blocks that only a browser answers. */
    actionsPassed: 50,
    /** After this time no further step is taken, because the answer of a dry run is waited for. */
    passedSeconds: 100,
    /** The body of a webhook's call. The largest that a provider documents is 3 MB. */
    webhookBytes: 4 * 1024 * 1024,
    /** Events in one call. */
    updatesPerCall: 1_000,
    /** How long the answer to a call may take: providers repeat unanswered calls. */
    webhookMs: 1_000,
    /** Nobody waits for an answer to an older message: providers repeat for a week at most. */
    replayDays: 7,
    /** How often a connection stores that it received a message. */
    noteSeconds: 10,
    /** An earlier message that is late by less than this goes first. */
    settleMs: 250,
    /** How often a process looks for rows that others stored for its connections, while these have traffic. */
    pollMs: 250,
    /** Contacts of a process whose messages are answered concurrently. */
    turnsAtOnce: 50,
    /** Messages that wait in the memory of a process; and of each connection, even if others have many. */
    waitingAtOnce: 20_000,
    waitingAtLeast: 200,
    /** Messages of a contact that wait for their turn; further messages are dropped. */
    waitingPerContact: 500,
    /** Messages that wait to be sent to a contact; its own messages wait while there are more. */
    pendingPerContact: 300,
    /** Texts that are merged into one reply. */
    gathered: 20,
    /** Contacts whose chats a holder checks at once for expiry. */
    expiriesAtOnce: 100,
    /** How long a message waits for a question, if the chat waits for something else. */
    holdSeconds: 60,
    /** How long a message whose step fails is retried, with pauses from the first to the last. */
    triedSeconds: 3_600,
    firstPauseSeconds: 1,
    lastPauseSeconds: 300,
    /** How long a process keeps a connection without traffic. */
    idleMs: 10_000,
    /** How long a released connection waits for running steps: its other contacts wait for its next holder. */
    leaveMs: 3_000,
    /** Connections of a workspace, and bots in the list of one connection. */
    connections: 100,
    bots: 100,
    /** Waiting messages of a contact that are counted. */
    shownUnsent: 1_000,
    /** Messages that wait while a workspace is suspended are dropped after this time. */
    suspendedHours: 24,
    /** A connection that is not registered after this time was left by a process that died. */
    leftMinutes: 5,
    /** How long rows of messages without content, and contacts without any other data, are kept. */
    rowDays: 90,
    contactDays: 400,
    /** Numbers of updates are consecutive for a week at least: a day less, since clocks differ. */
    numberedDays: 6,
    /** Concurrent calls of a process that wait for updates. */
    polls: 50,
    /** A call that checks or registers a connection. */
    planMs: 10_000,
    /** How long the former secrets still sign calls after a rotation. */
    oldSecretHours: 24,
    /** How long a connection stays in the cache. */
    rememberedMs: 10_000,
  },
} as const;
