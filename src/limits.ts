/**
 * Every bound of the service, with its reason. Bytes are bytes of UTF-8, times are milliseconds unless the name says
 * otherwise.
 */
export const limits = {
  /** A chat message with all its attachments' addresses is far below this. */
  chatBodyBytes: 256 * 1024,
  /** A flow of 10,000 blocks has about 5 MB. */
  managementBodyBytes: 10 * 1024 * 1024,
  /** What anybody may have run here without a token. */
  anonymousFlowBytes: 1024 * 1024,
  /** A flow supplied with a token that may write the bot. */
  suppliedFlowBytes: 5 * 1024 * 1024,
  flowGroups: 2_000,
  flowBlocks: 10_000,
  /** Warnings that publishing answers with. */
  flowWarnings: 100,
  replyBytes: 64 * 1024,
  /** All of one session's variables together, so that a session row stays small. */
  sessionVariablesBytes: 1024 * 1024,

  /** Nesting of a body: a flow with its deepest rich text stays below, and walking one never exhausts the stack. */
  jsonDepth: 200,
  /** Problems that one refused request lists. */
  issuesPerAnswer: 20,
  requestIdCharacters: 128,

  nameCharacters: 255,
  /** Emoji, addresses and small inline pictures; lists carry a hundred of them. */
  iconCharacters: 20_000,
  /** What somebody says about a publication. */
  noteCharacters: 1_000,
  publicIdCharacters: 255,
  /** Made public ids end in 35 random bits: a second collision in a row is no chance. */
  publicIdAttempts: 5,
  /** The longest name in DNS, and a path. */
  customDomainCharacters: 512,
  idempotencyKeyCharacters: 255,
  /** On a start only the key tells two visitors apart, so it must not be guessable by chance. */
  startKeyCharacters: 16,
  /** How long a stored response answers its key again. */
  idempotencyHours: 24,

  resultsPageSize: 100,
  /** What existing clients may ask for. */
  compatibleResultsPageSize: 500,
  /** Bots and collaborators that existing clients are given where they do not know of pages. */
  compatibleListSize: 1_000,
  resultsDefaultPageSize: 50,
  listPageSize: 100,
  listDefaultPageSize: 50,
  /** A code that lies in a mailbox for longer is more likely found than wanted. */
  invitationDays: 7,

  /** Results that one statement of an erasure handles: its locks are short, and no replica falls behind. */
  erasureBatch: 100,
  /** A request erases this long, about a million results, and is then asked again for the rest; below Bun's idle timeout. */
  erasureMs: 60_000,
  /** Results that one request may name. */
  resultIdsPerCall: 10_000,

  clientLogsPerCall: 50,
  clientLogsBytes: 64 * 1024,
  logsPerResult: 500,
  logDetailsCharacters: 1_000,
  logDescriptionCharacters: 1_000,

  /** A body that a listening chat is given: it becomes a reply. */
  webhookBodyBytes: 60 * 1024,
  /**
   * A report of an existing client that listens for a call is held this long before it is asked for another: less than
   * proxies wait, and than a stopping process waits for requests under way.
   */
  listeningMs: 15_000,
  listeningPollMs: 1_000,
  /** Steps among which the one that listens is looked for: it is the last, but for commands that came in between. */
  listeningSteps: 10,
  /** A page that is loaded again starts within this of its last reply, and sends that again within the other. */
  resentSeconds: 30,
  resentMarkSeconds: 10,
  /** After a passing refusal an existing client reports again: its own retry waits as long. */
  clientRetrySeconds: 3,
  /** Sessions of one result that a call from outside is looked for in: a reload makes one more. */
  sessionsOfResult: 50,

  /** What only a script could do, passed over in a row for a page without one: a flow that goes round in such things ends here. */
  actionsPassed: 50,
  /** How often a page without script looks whether a call from outside has come. */
  pageRefreshSeconds: 5,

  sessionLifetimeMinutes: 24 * 60,
  rememberedSessionLifetimeMinutes: 30 * 24 * 60,

  /** Blocks that one step may walk: a loop without an input ends here. */
  stepBlocks: 10_000,
  stepEffects: 100,
  /** Blocks that a step remembers across an effect, so that a loop can be named: more than a loop is worth reading. */
  trailBlocks: 100,
  /** Work units of one script: about a second of common code (200 to 800 million at the extremes; two cores, Bun 1.4.4). */
  scriptTicks: 400_000_000,
  /** Work units of all scripts of a step together. */
  stepScriptTicks: 1_200_000_000,
  /**
   * What a step may make beside its scripts, in characters of JSON: what is inserted into texts, shown, logged and sent.
   * The largest variable can be shown twice as rich text; memory stays bounded whatever a flow repeats.
   */
  stepCharacters: 8 * 1024 * 1024,
  /** What a script keeps across its calls of the network: their answers travel with each of them. */
  effectMemoCharacters: 16 * 1024 * 1024,
  /**
   * Engine time of one visit to a worker thread, waits for effects not counted. What the engine counts itself (blocks, work units,
   * characters) ends a step long before: killing the thread is the last resort.
   */
  threadTaskMs: 30_000,
  effectMs: 10_000,
  /** An answer of a called server, before and after decompression, and a body that is sent: what a chat can make use of is far smaller. */
  outgoingBytes: 10 * 1024 * 1024,
  outgoingRedirects: 10,
  /** Calls under way in this process: with their answers they fit into memory, and their sockets into any system's bounds. */
  outgoingCalls: 500,
  /** Tries after the first, and the pause before them, which doubles: both within the call's own time limit. */
  outgoingRetries: 2,
  outgoingRetryPauseMs: 300,
  /** What an HTTP block waits for an answer: where it says nothing, where the other side is known to be slow, and at most. */
  httpSeconds: 10,
  slowHttpSeconds: 120,
  /** Mails of one step: the next ones are logged instead. */
  mailsPerStep: 5,
  /** More is a mailing list's work, and a visitor's reply can name recipients. */
  mailRecipients: 100,
  /** All waits for effects of one step together; below Bun's idle timeout of 255 s. */
  stepEffectsMs: 240_000,
  /**
   * A claim lasts this long, and whoever performs effects renews it while their step lives: after a crash the visitor waits
   * seconds, not as long as the longest step. A node that stands still for longer performs nothing more.
   */
  claimSeconds: 15,
  claimRenewMs: 5_000,
  /** Frames of linked flows that lie on each other: a flow that links itself for ever ends here. */
  linkedFlows: 100,
  /** Entries of a list value, so that appending in a loop stays bounded by more than bytes. */
  listElements: 10_000,
  /** A reply in which a phone number or a date is searched: the search looks back and forth, 2,000 characters take about 40 ms at worst. */
  searchedReplyCharacters: 2_000,

  /** Requests of one session that wait for their turn in this process. */
  sessionQueue: 8,
  sessionWaitMs: 30_000,
  /** How often a claim of another process is looked at again: from the first to the second. */
  claimPollMs: 20,
  claimPollMostMs: 500,
  /** How long a step whose save is in doubt is tried again, about the time a fail-over takes, and the pause after each try. */
  doubtMs: 5_000,
  doubtPauseMs: 500,
  /** Steps that a transcript and a session's history reach back. */
  transcriptSteps: 1_000,
  /** Steps that wait for a worker thread before callers are told to come back later, for each thread. */
  threadQueue: 256,
  /** Steps that travel to a thread together, when they wait anyway. */
  threadBatch: 16,
  /**
   * What a step may spend on a thread that others wait for, too: far more than an ordinary one does, and about 0.2 s. Whoever
   * needs more goes to the thread of the runaways, begins again there, and has all of a step's budget.
   */
  briefVisit: { blocks: 2_000, ticks: 50_000_000, characters: 4 * 1024 * 1024, parsed: Number.POSITIVE_INFINITY },
  /** A brief visit that takes longer all the same is killed. Of a batch each step then goes by itself. */
  briefVisitMs: 5_000,
  /**
   * What a step may spend on the spot, where everybody waits: several times what most do; the scripts of a visit take about a
   * millisecond. `parsed` is the longest value
   * that is read as markdown. A visit that is longer than `spotMs` ends at the next block, comparison or inserted value; what one of
   * them may meet is bounded by the sizes below, so that it takes milliseconds, and compiling takes about five.
   */
  spotVisit: { blocks: 500, ticks: 300_000, characters: 64 * 1024, parsed: 500 },
  spotMs: 5,
  spotFlowCharacters: 512 * 1024,
  spotBlockCharacters: 16 * 1024,
  spotThemeCharacters: 64 * 1024,
  spotInputs: 200,
  spotStateCharacters: 8 * 1024,
  spotReplyCharacters: 500,
  /** Steps of a program until it is compiled here, too, and how often one is at most. */
  spotUses: 3,
  spotLearnMs: 50,
  /** Programs kept, by their flows' texts, and programs and bots remembered. */
  spotCacheCharacters: 8 * 1024 * 1024,
  spotPrograms: 10_000,
  /**
   * A bot whose steps are tried here in vain more than once in five times goes to threads untried for a while; sooner when they
   * take long: at once after 25 ms.
   */
  spotCredit: 20,
  spotMissCost: 4,
  spotRestMs: 60_000,
  /** How long a task waits for a thread that thinks before a sleeping one is woken for it. */
  threadPatienceMs: 2,
  /** A thread that has thought this long gives the rest of its batch back. */
  threadSliceMs: 10,
  /** A step that has waited this long for a thread is told to come back later: with the longest step it stays below Bun's idle timeout. */
  threadWaitMs: 30_000,
  /** Until a thread must run: usually 50 to 200 ms. */
  threadStartMs: 10_000,
  /** Processor time that an ordinary step never takes. A bot whose step does, or goes over a budget, runs apart for a while. */
  longStepMs: 100,
  runawayMinutes: 10,
  runaways: 1_000,
  /** Steps that wait for the thread of the runaways. */
  runawayQueue: 32,
  /** Anonymous previews share one lane: short, so that they never keep visitors waiting. */
  anonymousPreviewQueue: 16,
  /** Compiled programs a thread keeps, by the bytes of their flow's text. */
  programCacheBytes: 64 * 1024 * 1024,
  /** Inputs that a compiled program remembers to be within reach of others: 30 MB at most, and all of them in flows of 1,000 inputs. */
  reachEntries: 1_000_000,
  /** Steps that travel in one save; groups of 16 to 32 measured best, more only lengthens the statement. */
  saveGroup: 32,
  /** Sessions read in one statement, and such statements under way at once. */
  readGroup: 32,
  readsInFlight: 2,
  /** Steps that wait to be read before callers are told to come back later: about a third of a second's work, were it not for a database that stands still. */
  readQueue: 2_000,
  /** Sessions that a process keeps after a step, so that the next one needs no read: their bytes together, and each besides its state. */
  hotSessionsBytes: 32 * 1024 * 1024,
  hotSessionBytes: 1_500,
  /** A visitor who thinks longer costs a read. Far below a session's lifetime, so that a kept one has not expired. */
  hotSessionMs: 10 * 60_000,
  /** Published bots that a process keeps, so that starts need not read them: their bytes together, and each besides its flow's facts. */
  hotBotsBytes: 8 * 1024 * 1024,
  hotBotBytes: 1_000,
  hotBotMs: 10 * 60_000,
  /** How long the database's clock is believed to run like ours. */
  clockMs: 60_000,
  /**
   * Connections for the reads and saves of chat steps. The driver uses all that a pool has in turns, and a server process that
   * was used a moment ago is warm: 90 instead of 105 µs of the database's time a step with 3 instead of 16 (PostgreSQL 18.4).
   */
  stepConnections: 4,
  /** How long a row waits for a statement under way before another one begins beside it: several times what a save takes. */
  groupPatienceMs: 20,
  /** Saves under way at once; with the group size this keeps a few connections busy and the rest free for reads. */
  savesInFlight: 4,

  /** How often the outbox is looked at for what other nodes left, and what one transaction hands to the queue. */
  outboxPollMs: 1_000,
  outboxBatch: 500,
  /** How often a process that has nothing to do asks a queue for jobs; its own steps wake it at once. */
  jobPollMs: 2_000,
  /** Mails that a process delivers side by side: mail servers bound connections, and often at 10. */
  mailsAtOnce: 10,
  /** Mails that were given up, or whose job is gone. */
  mailDays: 30,
  cleanUpPollMs: 10_000,
  /** Rows that one statement of a clean-up removes: its locks are short, and no replica falls behind. */
  cleanUpBatch: 500,
  /** A run's time; what is left waits for the next. */
  cleanUpMs: 480_000,
  cleanUpRestMs: 1_000,
  /** From deleting a bot or a workspace until nothing of it is left. */
  graceDays: 30,
  /** A mail, from connecting to the server's last word. */
  mailMs: 60_000,

  /** The largest file that a block or the operator may allow, in megabytes: it passes through this process, and through proxies. */
  fileMegabytes: 100,
  /** From asking for an address until the upload begins, and the upload itself: 10 MB at 200 kbit/s take 7 minutes. */
  uploadAddressSeconds: 600,
  uploadMs: 600_000,
  /** Files, and megabytes of them, that one chat may leave here. */
  filesPerSession: 100,
  sessionFilesBytes: 500 * 1024 * 1024,
  /** Times that an upload's number is tried again when others of its session were quicker. */
  uploadNumberAttempts: 20,
  /** Uploads that a process takes at once: each holds a connection and a file on its way to the storage. */
  uploadsAtOnce: 64,
  fileNameCharacters: 255,
  /** Files of one form that a page without script posts, together; each form is in memory while it is read. */
  formFilesBytes: 32 * 1024 * 1024,
  formsWithFilesAtOnce: 8,
  /** One request to the storage, its body included; whoever hands content over holds the file for longer than that. */
  storageMs: 120_000,
  storingSeconds: 180,
  /** A file that no answer names by then is taken away: no chat waits that long with a chosen file. */
  openFileHours: 24,
  /** Files that one statement of the clean-up looks at, and that the storage is asked to let go of at once. */
  fileBatch: 100,
  fileRemovalsAtOnce: 8,
  /** Pause after the storage failed to let go of a file. */
  fileRemovalPauseSeconds: 300,
  /** Files that one list answers with: a result has more only after many reloads. */
  filesListed: 1_000,
  /** What browsers and caches keep of a file; after that an erased one is gone there too. */
  fileCacheSeconds: 86_400,

  /** Why an attempt failed, with the first lines of its stack. */
  jobLogCharacters: 2_000,
  jobLogsShown: 200,
  /** Longer than any job is kept. */
  jobLogDays: 30,
  /** Jobs on one page of the board, whatever its address asks for. */
  boardPageJobs: 100,
  /** Jobs that one statement of the board retries, promotes or removes. */
  boardBatch: 1_000,

  /** Endpoints of a workspace that are told of events: each makes every event a row and a call more. */
  eventEndpoints: 20,
  eventUrlCharacters: 2_048,
  /** What a job delivers, and how long it begins further attempts: then the next endpoint has its turn. */
  eventsPerJob: 100,
  eventJobMs: 60_000,
  /** Sessions whose events one job sends side by side; those of one session go one after the other. */
  eventsAtOnce: 5,
  /**
   * Jobs, each for an endpoint of its own, under way in this process: one that waits for a slow endpoint keeps no other waiting.
   * All their calls together leave most of `outgoingCalls` to chats.
   */
  eventJobs: 40,
  /** An attempt, from looking up the host to the answer's status: Standard Webhooks recommends 15 to 30 s. */
  eventAttemptMs: 15_000,
  /** Longer than the longest job: an endpoint whose job died with its process is taken up again after this. */
  eventLeaseSeconds: 120,
  /** Pauses after failed attempts as Standard Webhooks recommends: then, after three days, an event is given up. */
  eventRetrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  /** What a receiver can ask us to wait (`Retry-After`). */
  eventRetryAfterSeconds: 86_400,
  /** Attempts in a row that find nobody there, until a job lets the rest wait. */
  eventUnreachable: 3,
  /** Pauses of an endpoint where nobody was there, by the number of such jobs in a row; after a pause one event is tried first. */
  eventPauseSeconds: [5, 15, 60, 300, 600],
  /** An endpoint that failed this long without one success is switched off: what Standard Webhooks calls an extended period. */
  eventFailureDays: 5,
  /** After a rotation the secret before signs too, for this long. */
  eventOldSecretHours: 24,
  /** How often endpoints with due events are looked for, and how many get a job at a look: the others have their turn at the next. */
  eventPollMs: 1_000,
  eventEndpointsPerLook: 1_000,
  /** What the delivery log keeps of an answer. */
  eventResponseCharacters: 500,
  eventResponseBytes: 4 * 1024,
  /** Longer than an event can wait and an endpoint can fail: nothing is forgotten that is still of use. */
  eventLogDays: 14,

  /** How often the database's server is asked whether it still takes writes, while there are connections to it. */
  databaseWatchMs: 2_000,
  /** A database server that says nothing for so long counts as gone; a busy one needs milliseconds. */
  databaseSilenceMs: 8_000,
  /** When one of several servers has said that it takes no writes, the others have this long to say that they do. */
  databaseLaggardMs: 1_000,
  /** A database or a thread that takes longer to say a word is not ready. */
  readinessMs: 5_000,
  /** Graceful stop: requests under way finish within this, then connections are cut. */
  drainMs: 20_000,
} as const;
