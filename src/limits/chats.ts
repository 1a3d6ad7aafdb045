/**
 * Limits for flows, visitors and steps. They protect chats from each other, and define the guaranteed resources of a
 * step.
 */
export const chats = {
  /** Limits for flows that are saved, previewed or published. */
  flow: {
    groups: 2_000,
    blocks: 10_000,
    /** The maximum size of unknown top-level keys of an imported file, which are kept for the export. */
    extraBytes: 8 * 1024,
    /** The maximum number of warnings in the response to a publication. */
    warnings: 100,
    /** The maximum number of findings in the response of the linter. */
    findings: 1_000,
    /** The maximum size of the flow of an anonymous preview. */
    anonymousBytes: 1024 * 1024,
    /** The maximum number of variables for testing a call. */
    testedVariables: 1_000,
    /** The maximum size of a flow that is sent with a preview by a token with write access to the bot. */
    suppliedBytes: 5 * 1024 * 1024,
  },

  /** Suggested answers above a field: few enough to read at a glance, each on one line of a phone. */
  followUps: { most: 6, characters: 80 },

  /**
   * Suggestions for a visitor's text: few enough to read at a glance while the visitor types. `characters` limits the
   * text for which suggestions are requested, and `labelCharacters` limits a suggestion or a part of it.
   */
  suggestions: { most: 5, characters: { least: 3, most: 200 }, labelCharacters: 300, ms: 1_000, bytes: 4 * 1024 },

  /** Limits for the fields of one input. Existing clients show the fields as a numbered list. */
  inputs: {
    rankedItems: 50,
    matrixRows: 50,
    matrixColumns: 10,
    /** A drawn signature has about 20 kB. A photo has more. */
    signatureMegabytes: 5,
  },

  /**
   * Limits for visitors' ratings of answers. `bytes` allows for the longest encoding of the text. `perResult` limits
   * the ratings of a result that are displayed and counted.
   */
  ratings: {
    perResult: 1_000,
    wordsCharacters: 1_000,
    bytes: 8 * 1024,
  },

  /**
   * The maximum number of results that a request imports, and the limits of each result. Times may be up to
   * `clockSkewHours` in the future.
   */
  importedResults: {
    perRequest: 100,
    answers: 2_000,
    variables: 2_000,
    nameCharacters: 1_000,
    characters: 256 * 1024,
    files: 100,
    clockSkewHours: 24,
  },

  /** The maximum number of themes of a workspace, which the builder lists on one page, and the size of a theme. */
  themeTemplates: { perWorkspace: 200, bytes: 256 * 1024 },

  /** Limits for the brand of a workspace. A page loads the whole brand whenever an author edits a theme. */
  brand: {
    bytes: 16 * 1024,
    colors: 12,
    nameCharacters: 100,
    addressCharacters: 2_000,
    cssCharacters: 4_000,
    toneCharacters: 500,
    /** The maximum radius of corners in pixels. With this radius, a bubble of one line is round. */
    roundness: 40,
  },

  /**
   * Limits for chats that move to another version. One request marks or checks up to `chatsAtOnce` chats in batches. A
   * clean-up finds the remaining chats within minutes.
   */
  moves: { chatsAtOnce: 10_000, batch: 500, bytesAtOnce: 4 * 1024 * 1024, places: 100, minutes: 15 },
  /**
   * Limits for the test conversations of a bot. `blocks`, `scriptTicks` and `characters` limit all turns of a
   * conversation to about two seconds in total, so that an endless conversation also gets a report.
   */
  testConversations: {
    perBot: 100,
    bytes: 256 * 1024,
    turns: 200,
    /**
     * Limits for the thread that runs conversations and replays: the time of one task, and the number and waiting time
     * of further tasks.
     */
    runMs: 30_000,
    queue: 20,
    waitMs: 60_000,
    mocks: 100,
    blocks: 50_000,
    scriptTicks: 800_000_000,
    characters: 16 * 1024 * 1024,
  },

  /**
   * Limits for the data that a step stores for its replay, and for replays. A step with larger reports cannot be
   * replayed.
   */
  replay: {
    inputBytes: 16 * 1024,
    reportBytes: 256 * 1024,
    stepBytes: 1024 * 1024,
    /** The maximum size of the data that the steps of one chat store. Later steps are not replayed. */
    chatBytes: 8 * 1024 * 1024,
    /** The default and maximum numbers of results that one report replays, and the time limit for the report. */
    lastByDefault: 1_000,
    last: 10_000,
    runMs: 60_000,
    /** Limits for each chat. A step's response is larger only if it contains content from other servers. */
    stepsOfChat: 200,
    responseBytes: 64 * 1024,
    /** The number of chats that are read in one batch, and of steps that are replayed on the thread in one batch. */
    chatsAtOnce: 100,
    stepsAtOnce: 1_000,
    /**
     * The maximum numbers of differences of a chat, of places that are counted and reported, and of examples of each
     * place. The remaining values limit the displayed values.
     */
    differencesOfChat: 20,
    countedPlaces: 1_000,
    places: 100,
    examples: 3,
    shownParts: 10,
    shownCharacters: 300,
  },

  /** Limits for anonymous previews: in total, for one address, and for the time that they are kept. */
  anonymousPreviews: { flows: 2_000, megabytes: 256, flowsPerAddress: 200, megabytesPerAddress: 32, minutes: 60 },

  /**
   * Limits for the trace of one step: its entries, the characters of one value, and the total number of characters. A
   * step may run more blocks than an author reads. `variables` limits the variables that one request sets, and `steps`
   * the steps of one response.
   */
  traces: { entries: 1_000, valueCharacters: 2_000, characters: 256 * 1024, variables: 1_000, steps: 100 },

  /** Limits for a visitor's replies. */
  reply: {
    bytes: 64 * 1024,
    /** The longest reply that is searched for a phone number or date. Searching 2,000 characters takes up to 40 ms. */
    searchedCharacters: 2_000,
    /** The longest address that all browsers can open. */
    webAddressCharacters: 2_083,
  },

  /** Limits for the chat of one visitor. */
  session: {
    /** The maximum size of all variables together, so that the row of a session remains small. */
    variablesBytes: 1024 * 1024,
    lifetimeMinutes: 24 * 60,
    /** The lifetime if the bot's settings allow the browser to remember the visitor. */
    rememberedLifetimeMinutes: 30 * 24 * 60,
    /** The maximum number of requests that wait while another request of the session is running. */
    queue: 8,
    /** How long a request waits for another request of the session. */
    waitMs: 30_000,
    /** The maximum number of steps in a transcript and in the history of a session. */
    transcriptSteps: 1_000,
    /** The maximum number of consecutive answers that a visitor can undo. A state is stored for each answer. */
    statesBefore: 20,
    /** The number of undone steps whose random values are repeated. Equals `statesBefore`. */
    keptSeeds: 20,
    /**
     * The maximum depth of nested events that return. Authors cannot follow more, and each event is stored in the
     * state.
     */
    coveredReturnMarks: 8,
    /**
     * The maximum number of sessions of one result that are read, for example to find a session that waits for a
     * webhook call. Each reload of a page adds a session.
     */
    perResult: 50,
  },

  /**
   * Limits for timers, after which a chat continues by itself. The longest timer is a month, because no visitor returns
   * later. A process acquires a batch of due rows with a lease. It retries failing rows with pauses from
   * `firstPauseSeconds` to `lastPauseSeconds`.
   */
  timers: {
    longestSeconds: 30 * 24 * 3_600,
    batch: 100,
    atOnce: 16,
    /**
     * The pause between the starts of two due steps of a process. A rate of 333 steps a second leaves most of the
     * process to visitors, and 10,000 simultaneously due steps take 30 s.
     */
    gapMs: 3,
    leaseSeconds: 15,
    firstPauseSeconds: 1,
    lastPauseSeconds: 300,
    triedHours: 24,
    /**
     * The maximum number and total length of the messages that a session stores from steps without a request, to show
     * them later.
     */
    unseenMessages: 20,
    unseenCharacters: 64 * 1024,
    /** The maximum number of steps in the error response to a reply, if the chat has continued. */
    missedSteps: 20,
    /** How long a session is kept after its timer. */
    sessionHours: 24,
  },

  /**
   * The maximum numbers of running and waiting starts in one process, and the waiting time. One workspace may use two
   * thirds of them, so that its flood of starts does not delay the steps of other workspaces.
   *
   * Two thirds of `underWay` is the batch of one statement. With half of that, a start among 31 other starts of its bot
   * costs 147 instead of 110 µs of the service's processor time.
   */
  starts: { underWay: 48, waiting: 3_000, waitMs: 15_000 },

  /**
   * How long nested starts are counted together. NESTED_STARTS limits their number. `rootSeconds` is for the starts of
   * one chain of calls and exceeds the lifetime of the resulting steps (`outgoing.hops` times `step.effectsMs`).
   * `addressSeconds` is for the starts of one address and is about the duration of one step.
   */
  nestedStarts: { rootSeconds: 3_600, addressSeconds: 300 },

  /** The budget of one step of a chat. */
  step: {
    /** The maximum number of executed blocks, which ends a loop without an input. */
    blocks: 10_000,
    effects: 100,
    /** The total time for all effects. It is less than `process.idleSeconds`. */
    effectsMs: 240_000,
    /**
     * The ticks of one script: about a second of common code (two cores, Bun 1.4.4). In extreme code, a second has 200
     * to 800 million ticks.
     */
    scriptTicks: 400_000_000,
    /** The total ticks of all scripts. */
    allScriptsTicks: 1_200_000_000,
    /** The memory of a script. All scripts of a step share 1 MB of variables, so this is sufficient. */
    scriptMemoryBytes: 32 * 1024 * 1024,
    /**
     * The maximum output of a step, excluding its scripts, in characters of JSON: texts that are inserted, shown,
     * logged and sent. This is enough to show the largest variable twice as rich text.
     */
    characters: 8 * 1024 * 1024,
    /** The maximum size of the data that a block keeps across its effects. A script keeps all previous responses. */
    memoCharacters: 16 * 1024 * 1024,
    /** The maximum nesting of linked flows, which ends a flow that links to itself forever. */
    linkedFlows: 100,
    /** The maximum number of elements of a list variable, which ends a loop that appends elements. */
    listElements: 10_000,
    /**
     * The maximum time of a run on a worker thread, excluding effects. The other budgets end a step long before, so
     * killing the thread is the last resort.
     */
    threadMs: 30_000,
    /**
     * The maximum sizes of effect reports that are stored until the step is saved, as JSON. After a crash, an effect
     * with a larger report is repeated.
     */
    reportBytes: 1024 * 1024,
    reportsBytes: 16 * 1024 * 1024,
    /** How long a save with an unknown outcome is retried. This is about the duration of a failover. */
    doubtMs: 5_000,
  },

  /** Limits for steps that stream their answer while they run (`chat/steps/answers-under-way.ts`). */
  streamedAnswers: {
    /** The maximum number of readers in one process and of one step. Further readers get the answer as a whole. */
    readers: 1_000,
    readersOfStep: 20,
    /** A step that ends within this time without streamed output is answered as a whole. */
    quickMs: 1_000,
    /** A process updates the entries of its running steps every second. An older entry belongs to a dead process. */
    deadSeconds: 600,
    /** The interval of comments in a stream, shorter than the idle timeout of proxies. */
    commentMs: 10_000,
  },

  /** Limits for requests that wait for steps of a session (`chat/reads/session-readers.ts`). */
  sessionEvents: {
    /** The limit for one process. Each reader costs a connection, and a row of a statement every second. */
    readers: 2_000,
    /**
     * The maximum number of steps that a client gets after a lost connection, and that are buffered for a slow client.
     * A client that is further behind reads the session.
     */
    steps: 20,
    /** After this time, the client reconnects, possibly to another node. Proxies terminate longer responses. */
    lastsMs: 240_000,
  },

  /** Limits for webhook calls that arrive before their chat waits for them. They are retried once a second. */
  earlyCalls: { perChat: 10, seconds: 60 },

  /** Limits for claims. A claim ensures that only one process performs the effects of a step. */
  claims: {
    /**
     * The duration of a claim. The process that performs effects renews its claims while their steps run. After a
     * crash, visitors and outbound events wait for this time, and not for the longest step. A process that was
     * suspended for longer stops if another process has taken its claim.
     */
    seconds: 6,
    renewMs: 2_000,
    /** The longest claim of a node of the previous release. A later end means that the clock was set back. */
    formerSeconds: 15,
    /** The first and the longest pause between checks whether another process has released its claim. */
    pollMs: 20,
    maxPollMs: 500,
  },

  /** Limits for log entries of results. */
  logs: {
    perResult: 500,
    descriptionCharacters: 1_000,
    detailsCharacters: 1_000,
    /**
     * The maximum number of blocks of a chat whose replaced values are logged. A session stores their ids, and more
     * entries would give the author no new information.
     */
    textsInstead: 50,
    /** The maximum number of entries and size of one report from a visitor's client. */
    clientEntries: 50,
    clientBytes: 64 * 1024,
  },

  /**
   * Limits for rich text, in characters and nodes. Time limits would make the output depend on the machine. The
   * measured costs are those of `mdast-util-from-markdown`.
   */
  richText: {
    /** The maximum depth of stored nodes, about thirty nested lists. Deeper children are omitted. */
    depth: 64,
    /** The maximum depth of quotes, lists and items in one value. A deeper value is shown as plain paragraphs. */
    valueDepth: 32,
    /**
     * The longest value that is parsed as markdown, twice the length of a long answer of a language model. A longer
     * value is shown as plain paragraphs.
     */
    markdownCharacters: 16_384,
    /** The parser is quadratic in lines of lists and headings: 500 lines take up to 35 ms, 4,000 take 360 ms. */
    markdownLines: 500,
    /** The parser is quadratic in `*` and `_`: 800 take up to 35 ms, 16,000 take 1.5 s. */
    emphasisCharacters: 800,
    /** The parser is quadratic in `[` and `![`: 300 take up to 30 ms, 4,000 take 1.2 s. */
    brackets: 300,
    /** The maximum number of lines of a plain text. Further lines are merged into the last line. */
    plainLines: 2_000,
    /**
     * The maximum number of characters that the references in one bubble may insert, about the size of all variables of
     * a session. Every value can be shown once, but a text with many references to one large value is limited.
     */
    insertedCharacters: 1_000_000,
    /**
     * The number of characters that an inserted node adds to `insertedCharacters`, in addition to its text. This is the
     * node's size in a response.
     */
    charactersPerNode: 64,
  },

  /** Limits for the chat page for browsers without JavaScript. */
  page: {
    /** The maximum number of consecutive script actions that are skipped, which ends an endless flow. */
    passedActions: 50,
    /** The response to a posted form is sent after this time at the latest, before proxies time out. */
    answerMs: 20_000,
    /** The reload interval of a page that waits for a webhook call or for its step. */
    refreshSeconds: 5,
    /** How long the browser remembers the session of a page that waits. */
    waitSeconds: 3_600,
    /** The maximum length of the sealed facts in the form of a first step. Valid facts have about 160 characters. */
    shownCharacters: 1_000,
  },

  /** Timings for clients of the reference product. */
  existingClients: {
    /**
     * How long a request of a client that listens for a webhook call is held open before the client is asked to repeat
     * it. The time is shorter than the timeouts of proxies and of a stopping process.
     */
    listeningMs: 15_000,
    /**
     * A reloaded page starts within `reloadSeconds` after its last reply, and repeats this reply within
     * `resendSeconds`.
     */
    reloadSeconds: 30,
    resendSeconds: 10,
    /** How long the client waits after a temporary error before it repeats its report. */
    retrySeconds: 3,
  },
} as const;
