/** Bounds on flows, visitors and steps: they protect chats from each other, and define the promise of a step. */
export const chats = {
  /** Flows that are saved, previewed or published. */
  flow: {
    groups: 2_000,
    blocks: 10_000,
    /** Keys at the top of an imported file that Parley does not read: kept for its export. */
    extraBytes: 8 * 1024,
    /** Warnings that the response to a publication lists. */
    warnings: 100,
    /** Findings that the response of the linter lists. */
    findings: 1_000,
    /** A flow that may be previewed without a token. */
    anonymousBytes: 1024 * 1024,
    /** Variables for the test of a call. */
    testedVariables: 1_000,
    /** A flow that is sent with a preview, with a token that may write the bot. */
    suppliedBytes: 5 * 1024 * 1024,
  },

  /** Suggested answers above a field: as many as can be read at a glance, each on one line of a phone. */
  followUps: { most: 6, characters: 80 },

  /**
   * Suggestions for a visitor's text: as many as can be read at a glance, before the visitor types on. `characters` are
   * those of the text, which says nothing if it is shorter, `labelCharacters` those of a suggestion or a part of it.
   */
  suggestions: { most: 5, characters: { least: 3, most: 200 }, labelCharacters: 300, ms: 1_000, bytes: 4 * 1024 },

  /** The most fields of one input; more is not a question for a phone. Existing clients get it as a numbered list. */
  inputs: {
    rankedItems: 50,
    matrixRows: 50,
    matrixColumns: 10,
    /** A drawn signature has some 20 kB, a photo more. */
    signatureMegabytes: 5,
  },

  /**
   * Visitors' ratings of answers: a paragraph of text, in a body that has room for its longest encoding; and the
   * ratings of one result that are shown and counted.
   */
  ratings: {
    perResult: 1_000,
    wordsCharacters: 1_000,
    bytes: 8 * 1024,
  },

  /** Results that one request imports, and the bounds of each: those of a chat here, and more answers than any has. */
  importedResults: {
    perRequest: 100,
    answers: 2_000,
    variables: 2_000,
    nameCharacters: 1_000,
    characters: 256 * 1024,
    files: 100,
    clockSkewHours: 24,
  },

  /** Themes that a workspace keeps: a page of the builder lists all of them. */
  themeTemplates: { perWorkspace: 200, bytes: 256 * 1024 },

  /** The brand of a workspace, which a page reads whole whenever an author edits a theme. */
  brand: {
    bytes: 16 * 1024,
    colors: 12,
    nameCharacters: 100,
    addressCharacters: 2_000,
    cssCharacters: 4_000,
    toneCharacters: 500,
    /** The radius of corners in pixels: a bubble of one line is round. */
    roundness: 40,
  },

  /**
   * Chats that move to another version: marked or checked by one request, in batches; a clean-up finds the rest within
   * minutes.
   */
  moves: { chatsAtOnce: 10_000, batch: 500, bytesAtOnce: 4 * 1024 * 1024, places: 100, minutes: 15 },
  /**
   * Test conversations of a bot. `stepsMs` bounds all turns of one conversation together: about two seconds, so that an
   * endless one gets a report.
   */
  testConversations: {
    perBot: 100,
    bytes: 256 * 1024,
    turns: 200,
    /** A single run of several conversations at a time on each node. */
    runMs: 30_000,
    queue: 20,
    waitMs: 60_000,
    mocks: 100,
    blocks: 50_000,
    scriptTicks: 800_000_000,
    characters: 16 * 1024 * 1024,
  },

  /**
   * Data that a step keeps for its replay: the report of each effect, and all reports; a step with more cannot be
   * replayed. And the bounds of replays.
   */
  replay: {
    inputBytes: 16 * 1024,
    reportBytes: 256 * 1024,
    stepBytes: 1024 * 1024,
    /** Data that the steps of one chat kept: later ones are not replayed. */
    chatBytes: 8 * 1024 * 1024,
    /** Results that one report replays, by default and at most, and how long the report may take. */
    lastByDefault: 1_000,
    last: 10_000,
    runMs: 60_000,
    /** For each chat. A step's response is larger only if it shows content of other servers. */
    stepsOfChat: 200,
    responseBytes: 64 * 1024,
    /** Data that is read, and replayed on the thread, at once. */
    chatsAtOnce: 100,
    stepsAtOnce: 1_000,
    /** Differences that are reported: of a chat, of all, and of each place. */
    differencesOfChat: 20,
    countedPlaces: 1_000,
    places: 100,
    examples: 3,
    shownParts: 10,
    shownCharacters: 300,
  },

  /**
   * Flows, sessions and steps of previews without a token: all together, those of one address, and how long they are
   * kept.
   */
  anonymousPreviews: { flows: 2_000, megabytes: 256, flowsPerAddress: 200, megabytesPerAddress: 32, minutes: 60 },

  /**
   * The bounds on the trace of one step: entries, characters of one value, and of all. A step walks more blocks than an
   * author reads. `variables` are those that one request sets.
   */
  traces: { entries: 1_000, valueCharacters: 2_000, characters: 256 * 1024, variables: 1_000, steps: 100 },

  /** A visitor's answers. */
  reply: {
    bytes: 64 * 1024,
    /**
     * The longest reply that is searched for a phone number or a date. The search backtracks: 2,000 characters take up
     * to 40 ms.
     */
    searchedCharacters: 2_000,
    /** The longest address that the most limited browsers open. */
    webAddressCharacters: 2_083,
  },

  /** One visitor's chat. */
  session: {
    /** All variables together, so that the row of a session stays small. */
    variablesBytes: 1024 * 1024,
    lifetimeMinutes: 24 * 60,
    /** For bots whose settings let the browser remember the visitor. */
    rememberedLifetimeMinutes: 30 * 24 * 60,
    /** Requests that wait while another request of the session is running. */
    queue: 8,
    /** How long such a request waits. */
    waitMs: 30_000,
    /** How far a transcript and the history of a session reach back, in steps. */
    transcriptSteps: 1_000,
    /** Answers that a visitor may go back over, one after another: each costs the session's state before it. */
    statesBefore: 20,
    /**
     * Undone steps whose random values are repeated: as many as the answers that a visitor goes back over, one after
     * the other.
     */
    keptSeeds: 20,
    /** Nested events, each of which returns: no author can follow more, and each is in the session's state. */
    coveredReturnMarks: 8,
    /**
     * Sessions of one result that are searched for one that waits for a call from outside: each reload of a page adds
     * one.
     */
    perResult: 50,
  },

  /**
   * Times after which a chat continues on its own: the longest (a month is longer than any visitor comes back to), how
   * many rows one process takes at once and works on concurrently, how long its lease on them is, and how long a
   * failing one is retried, after pauses from the first to the last.
   */
  timers: {
    longestSeconds: 30 * 24 * 3_600,
    batch: 100,
    atOnce: 16,
    /**
     * The pause between the starts of two such steps of a process: 333 a second leave visitors most of it, and 10,000
     * that are due at once take 30 s.
     */
    gapMs: 3,
    leaseSeconds: 15,
    firstPauseSeconds: 1,
    lastPauseSeconds: 300,
    triedHours: 24,
    /**
     * The part of steps without a request that a session keeps to show: the last messages, up to this many characters.
     */
    unseenMessages: 20,
    unseenCharacters: 64 * 1024,
    /** Steps that the refusal of a reply contains, if the chat has continued. */
    missedSteps: 20,
    /** How long a session stays after its timer. */
    sessionHours: 24,
  },

  /**
   * Running starts in one process, how many more wait, and how long: a flood of one workspace queues behind itself, not
   * in front of others' steps. A single workspace has two thirds, as many as one statement takes: with half of that a
   * start beside 31 others of its bot costs 147 instead of 110 µs of the service's processor time.
   */
  starts: { underWay: 48, waiting: 3_000, waitMs: 15_000 },

  /**
   * How long nested starts count together (NESTED_STARTS bounds their number): for a root longer than the lifetime of
   * the steps that may follow from it (`outgoing.hops` of `step.effectsMs`), for an address about as long as one step.
   */
  nestedStarts: { rootSeconds: 3_600, addressSeconds: 300 },

  /** The budget of one step of a chat. */
  step: {
    /** Blocks walked: a loop without an input ends here. */
    blocks: 10_000,
    effects: 100,
    /** All waits for effects together. Less than `process.idleSeconds`. */
    effectsMs: 240_000,
    /**
     * Work units of one script: about a second of common code (200 to 800 million at the extremes; two cores, Bun
     * 1.4.4).
     */
    scriptTicks: 400_000_000,
    /** Work units of all scripts together. */
    allScriptsTicks: 1_200_000_000,
    /** Memory of a script. All scripts of a step share 1 MB of variables: this is room for working with them. */
    scriptMemoryBytes: 32 * 1024 * 1024,
    /**
     * The output of a step without its scripts, in characters of JSON: texts that are inserted, shown, logged and sent.
     * The largest variable fits twice as rich text, and memory stays bounded for every flow.
     */
    characters: 8 * 1024 * 1024,
    /** Data that a script keeps across its network calls: each call sends all answers so far. */
    memoCharacters: 16 * 1024 * 1024,
    /** Linked flows that are open inside each other: a flow that links to itself forever ends here. */
    linkedFlows: 100,
    /** Elements of a list variable, so that appending in a loop is bounded by more than bytes. */
    listElements: 10_000,
    /**
     * Time of one run on a worker thread, without waits for effects. The budgets above end a step long before: killing
     * the thread is the last resort.
     */
    threadMs: 30_000,
    /**
     * Reports that are kept until the step is saved, as JSON: the effects of larger ones would be repeated after a
     * crash.
     */
    reportBytes: 1024 * 1024,
    reportsBytes: 16 * 1024 * 1024,
    /** How long a save whose outcome is unknown is retried: about as long as a fail-over takes. */
    doubtMs: 5_000,
  },

  /** Steps that stream their answer while they run (`chat/steps/answers-under-way.ts`). */
  streamedAnswers: {
    /** Readers of all steps in one process, and of one step; further readers get the answer as a whole. */
    readers: 1_000,
    readersOfStep: 20,
    /** A step that ends within this time, without anything to stream before, is answered as a whole. */
    quickMs: 1_000,
    /**
     * A process writes its steps for others every second: an older entry belongs to a dead process, and has no reader.
     */
    deadSeconds: 600,
    /** Proxies close a connection that is silent for longer than a few of these. */
    commentMs: 10_000,
  },

  /** Requests that wait for steps of a session (`chat/reads/session-readers.ts`). */
  sessionEvents: {
    /** For one process: each reader costs a connection, and a row of the statement that runs each second. */
    readers: 2_000,
    /**
     * Steps that a client gets after a lost connection, and that wait for a slow client. A client that lacks more reads
     * the session.
     */
    steps: 20,
    /**
     * After this time the client connects again, maybe with another node. Proxies end longer responses by themselves.
     */
    lastsMs: 240_000,
  },

  /**
   * Calls from outside that arrive before their chat waits for them: how many wait for one chat, and how long they are
   * retried, once a second.
   */
  earlyCalls: { perChat: 10, seconds: 60 },

  /** A claim makes sure that only one process performs the effects of a step. */
  claims: {
    /**
     * The process that performs effects renews its claims while their steps run. After a crash the visitor waits for
     * this many seconds, as outbound events do, not for the longest step; a process that was paused for longer stops
     * performing if another took its claim.
     */
    seconds: 6,
    renewMs: 2_000,
    /**
     * The longest claim of a node of the former release: a claim that ends later was made before the clock stepped
     * back.
     */
    formerSeconds: 15,
    /** How often a request checks whether another process has released its claim: the first pause, and the longest. */
    pollMs: 20,
    maxPollMs: 500,
  },

  /** Log entries of results. */
  logs: {
    perResult: 500,
    descriptionCharacters: 1_000,
    detailsCharacters: 1_000,
    /**
     * Blocks of a chat whose replaced values are logged: a session stores their ids, and more would give the author no
     * new information.
     */
    textsInstead: 50,
    /** The entries and the size of one report of a visitor's client. */
    clientEntries: 50,
    clientBytes: 64 * 1024,
  },

  /**
   * Rich text, in characters and nodes, never in time: equal input gives equal output. Costs are of
   * `mdast-util-from-markdown`.
   */
  richText: {
    /**
     * Nesting of stored nodes; deeper children are left out. A list costs two levels: this is about thirty nested
     * lists.
     */
    depth: 64,
    /** Nesting of quotes, lists and items in one value; a deeper value is shown as plain paragraphs. */
    valueDepth: 32,
    /**
     * The longest value read as markdown, twice a long answer of a language model. A longer one is shown as plain
     * paragraphs.
     */
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
     * The most that the references of one bubble may insert, in characters: as much as all variables of a session hold.
     * Every value can be shown once, but a text full of references to one large value stays bounded.
     */
    insertedCharacters: 1_000_000,
    /** The share of an inserted node in `insertedCharacters` besides its text: its size in a response. */
    charactersPerNode: 64,
  },

  /** The chat page for browsers without JavaScript. */
  page: {
    /** Actions for a script that are skipped in a row: a flow that loops through them ends here. */
    passedActions: 50,
    /**
     * The response to a posted form is sent after this long, whether or not its step is over: sooner than proxies give
     * up.
     */
    answerMs: 20_000,
    /** How often a page that waits for a call from outside, or for its step, reloads itself. */
    refreshSeconds: 5,
    /** How long the browser remembers the session of a page that waits. */
    waitSeconds: 3_600,
    /** The sealed facts of a first step that a form brings back: ours have some 160 characters. */
    shownCharacters: 1_000,
  },

  /** Waits that exist for clients of the reference product. */
  existingClients: {
    /**
     * A client's report that it listens for a call is held open this long, then the client is asked for another report.
     * Less than proxies wait, and less than a stopping process waits for running requests.
     */
    listeningMs: 15_000,
    /** A reloaded page starts within the first time after its last reply, and repeats that reply within the second. */
    reloadSeconds: 30,
    resendSeconds: 10,
    /** After a temporary refusal the client reports again after this time, as its own retry does. */
    retrySeconds: 3,
  },
} as const;
