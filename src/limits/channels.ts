/** Bots on messengers. */
export const channels = {
  channels: {
    /** Messages that one text becomes: more would bury the question below them. */
    textParts: 10,
    /** Choices that a messenger shows: the others can be typed. */
    itemsShown: 100,
    /** As long as chats of visitors that a bot remembers: a connection's own times end them earlier. */
    sessionMinutes: 43_200,
    /** Messages of one step: the others are left out. */
    sendingsPerStep: 100,
    /** The longest pause before a message: its column has room for 24 days. */
    longestDelayMs: 24 * 86_400_000,
    /**
     * Messages of a connection under way at once, each to another contact, and contacts that are looked at for them.
     */
    sendsAtOnce: 20,
    headsAtOnce: 200,
    /** One sending, and one sign. */
    sendMs: 10_000,
    signMs: 5_000,
    /** Drafts of an answer follow each other after so long; one without news is shown again before it is gone. */
    draftMs: 1_000,
    draftAgainMs: 25_000,
    /** A file on its way, in either direction; those of contacts that a process fetches at once, and tries for each. */
    mediaMs: 60_000,
    /** A file as a provider takes it at most, with what is said of it. */
    uploadBytes: 51 * 1024 * 1024,
    mediaAtOnce: 10,
    mediaTries: 3,
    /** How long a provider's copy of a file is sent by its id: our own files never change, others may. */
    ownMediaDays: 30,
    mediaSeconds: 3_600,
    /** An address by which a contact opens a private file. */
    openAddressDays: 30,
    /** Files that follow each other within this time are one answer, where a question takes several. */
    filesGatherMs: 3_000,
    /** How often and for how long a failed message is tried, with pauses of at most five minutes. */
    retries: 12,
    retryHours: 24,
    longestRetryMs: 300_000,
    /** How long a connection pauses whose provider refuses everything; it doubles each time, up to an hour. */
    refusedMs: 300_000,
    longestRefusedMs: 3_600_000,
    /** After so many refusals in so long it is disabled: only people can give it other secrets. */
    refusals: 3,
    refusedHours: 24,
    /** After a failure of the database a contact's messages are tried again. */
    failedRunMs: 1_000,
    /** Steps that a chat may take in a row without the contact, past blocks that a browser would answer. */
    actionsPassed: 50,
    /** After so long no further one is taken: the answer of a dry run is waited for. */
    passedSeconds: 100,
    /** The body of a webhook's call. The largest that a provider documents is 3 MB. */
    webhookBytes: 4 * 1024 * 1024,
    /** Things that one call may report. */
    updatesPerCall: 1_000,
    /** How long a call may take to be answered: providers repeat unanswered calls. */
    webhookMs: 1_000,
    /** A message that is older comes from nobody who waits for an answer: providers repeat for a week at most. */
    replayDays: 7,
    /** How often a connection notes that it heard something. */
    noteSeconds: 10,
    /** An earlier message that is late by less goes first. */
    settleMs: 250,
    /** How often a process looks for what others stored for its connections, while they have traffic. */
    pollMs: 250,
    /** Contacts of a process whose messages are answered at the same time. */
    turnsAtOnce: 50,
    /** Messages that wait in the memory of a process; and of each connection, however many others have. */
    waitingAtOnce: 20_000,
    waitingAtLeast: 200,
    /** Messages of a contact that wait for their turn; further ones are dropped. */
    waitingPerContact: 500,
    /** Messages that a contact is still owed; its own wait while there are more. */
    pendingPerContact: 300,
    /** Texts that are gathered into one reply. */
    gathered: 20,
    /** Contacts at whose chats a holder looks at once, whether they have expired. */
    expiriesAtOnce: 100,
    /** A message waits so long for a question, where the chat waits for something else. */
    holdSeconds: 60,
    /** How long a message whose step fails is tried again, with pauses from the first to the last. */
    triedSeconds: 3_600,
    firstPauseSeconds: 1,
    lastPauseSeconds: 300,
    /** How long a process keeps a connection without traffic. */
    idleMs: 10_000,
    /** A connection that is left waits so long for steps under way: its other contacts wait for its next holder. */
    leaveMs: 3_000,
    /** Connections of a workspace, and bots that one of them asks. */
    connections: 100,
    bots: 100,
    /** Waiting messages of a contact that are counted. */
    shownUnsent: 1_000,
    /** Messages that wait while a workspace is suspended are dropped after so long. */
    suspendedHours: 24,
    /** A connection that was not registered by then was left behind by a process that died. */
    leftMinutes: 5,
    /** How long rows of messages without content, and contacts without anything else, are kept. */
    rowDays: 90,
    contactDays: 400,
    /** Numbers of updates follow each other for a week at least: a day less, since clocks differ. */
    numberedDays: 6,
    /** Calls that wait for news, of one process. */
    polls: 50,
    /** A call that checks or registers a connection. */
    planMs: 10_000,
    /** The former secrets sign calls for so long after a rotation. */
    oldSecretHours: 24,
    /** How long a connection stays in the cache. */
    rememberedMs: 10_000,
  },
} as const;
