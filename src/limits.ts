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
  idempotencyHours: 24,

  resultsPageSize: 100,
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
  /** Sessions of one result that a call from outside is looked for in: a reload makes one more. */
  sessionsOfResult: 50,

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
  /** Engine time of a step, waits for effects not counted. */
  stepEngineMs: 30_000,
  /** One visit to a worker thread: above the engine's own bound, so that killing the thread is the last resort. */
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
  /** A claim outlives the longest step (engine and effects), so that nobody else steps while effects run. */
  claimSeconds: 300,
  /** Frames of linked flows that lie on each other: a flow that links itself for ever ends here. */
  linkedFlows: 100,
  /** Entries of a list value, so that appending in a loop stays bounded by more than bytes. */
  listElements: 10_000,
  richTextDepth: 64,
  /** A reply in which a phone number or a date is searched: the search looks back and forth, 2,000 characters take about 40 ms at worst. */
  searchedReplyCharacters: 2_000,

  /** Requests of one session that wait for their turn in this process. */
  sessionQueue: 8,
  sessionWaitMs: 30_000,
  /** How often a claim of another process is looked at again: from the first to the second. */
  claimPollMs: 20,
  claimPollMostMs: 500,
  /** Tries to save a step whose save is in doubt, and the pause after each: together about the time a fail-over takes. */
  doubtReads: 10,
  doubtPauseMs: 500,
  /** Steps that a transcript and a session's history reach back. */
  transcriptSteps: 1_000,
  /** Steps that wait for a worker thread before callers are told to come back later, for each thread. */
  threadQueue: 256,
  /** Steps that travel to a thread together, when they wait anyway. */
  threadBatch: 16,
  /**
   * A visit to a thread that others wait for, too, is killed after this. Of a batch each step then goes by itself; a step by
   * itself goes to the thread of the runaways, where it has all its time.
   */
  sharedVisitMs: 500,
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
  /** How much the thread of the runaways gives way: a third of the processor time of a thread that does not. */
  patientNiceness: 5,
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
  /** Saves under way at once; with the group size this keeps a few connections busy and the rest free for reads. */
  savesInFlight: 4,

  /** Jobs that a process delivers side by side: mail servers bound connections, and often at 10. */
  outboxAtOnce: 10,
  outboxPollMs: 1_000,
  /** A job taken by a process that died is taken again after this: longer than any delivery. */
  outboxLeaseSeconds: 120,
  /** Pauses after failed deliveries: a mail server that is being updated, that greylists, that is down for hours. Then it is given up. */
  outboxRetrySeconds: [10, 60, 600, 3_600, 14_400],
  /** A mail, from connecting to the server's last word. */
  mailMs: 60_000,

  /** A database or a thread that takes longer to say a word is not ready. */
  readinessMs: 5_000,
  /** Graceful stop: requests under way finish within this, then connections are cut. */
  drainMs: 20_000,
} as const;
