/** What callers may send and ask for, and how often. */
export const requests = {
  /** What a request may send. */
  request: {
    /** A chat message with the addresses of all its attachments is far smaller. */
    chatBodyBytes: 256 * 1024,
    /** A flow of 10,000 blocks has about 5 MB. */
    managementBodyBytes: 10 * 1024 * 1024,
    /** What is asked of a file before it is uploaded: the longest names of systems have 4 kB. */
    uploadWishBytes: 16 * 1024,
    /** What a small form may hold beside its own fields: blanks, and keys that newer clients send. */
    foreignBodyBytes: 1024,
    /** The body of a call that a `Webhook` block listens for becomes a reply: just below `reply.bytes`. */
    webhookBodyBytes: 60 * 1024,
    /** Keys of a JSON body: a flow of 10,000 blocks has 120,000. And different ones, of which a flow has its fields and some hundreds of ids. */
    keys: 500_000,
    keyNames: 50_000,
    /** A larger body is read on a thread. Below that the way there costs more than it spares: `chat/threads/reader.ts` has the figures. */
    bodyOnThreadBytes: 256 * 1024,
    /** Large bodies that wait for their turn on it, how long each does, and how long the longest may take. */
    bodiesWaiting: 64,
    bodyWaitMs: 30_000,
    bodyReadMs: 20_000,
    /** Nesting of a JSON body. A flow with its deepest rich text stays below, and walking a body never exhausts the stack. */
    jsonDepth: 200,
    /** The slowest line for a body, and what it has on top: a phone on EDGE has ten times as much. `bodyMs` for all ends before `process.idleSeconds`. */
    bodyBytesPerSecond: 1_000,
    bodyGraceMs: 20_000,
    bodyMs: 240_000,
    /** Problems that the answer to an invalid request lists. */
    issues: 20,
    /** A request that takes longer has its line in the log, however few others have. */
    slowMs: 1_000,
    /** A longer `X-Request-Id` is replaced by one of ours. */
    idCharacters: 128,
  },

  /** How often somebody may do something: the table of `limits/rate-rules.ts`. */
  rateLimits: {
    /** How long a request waits whose client cannot send it again by itself, and how many of a process and of a key do. */
    waitMs: 5_000,
    waiting: 500,
    waitingPerKey: 4,
    /** Refusals of a process in a second that are answered at once, how long the next ones are held, and how many are at most. */
    refusalsAtOnce: 100,
    refusalHoldMs: 250,
    refusalsHeld: 2_000,
  },

  /** Requests that may be sent again. */
  idempotency: {
    keyCharacters: 255,
    /** The shortest key of a start. Only the key tells two starting visitors apart, so nobody may guess it. */
    startKeyMinCharacters: 16,
    /** How long a key is answered with its stored response. */
    hours: 24,
    /** How long a request of the management API waits for the first one under its key. */
    waitMs: 30_000,
    /** No request is under way for longer: `request.bodyMs` and every wait end before `process.idleSeconds`. */
    requestSeconds: 300,
  },

  /** Fields that people fill in. */
  fields: {
    nameCharacters: 255,
    /** The longest e-mail address that SMTP allows: 64 characters, `@` and 255. */
    emailCharacters: 320,
    /** Emoji, addresses and small inline pictures. Lists carry a hundred of them. */
    iconCharacters: 20_000,
    /** The note of a publication or of an event endpoint. */
    noteCharacters: 1_000,
    publicIdCharacters: 255,
    /** An address that is called: longer ones are cut or refused on their way. */
    addressCharacters: 2_048,
    /** The longest name in DNS, and a path. */
    customDomainCharacters: 512,
    /** The longest name in DNS, and the longest of its labels. */
    hostCharacters: 253,
    hostLabelCharacters: 63,
  },

  /** Pages of lists. */
  lists: {
    pageSize: 100,
    defaultPageSize: 50,
    resultsPageSize: 100,
    resultsDefaultPageSize: 50,
    /** The most results that existing clients may ask for. */
    compatibleResultsPageSize: 500,
    /** Results that one page looks at where no index serves its filter, and that totals count: some hundredths of a second. */
    searchedResults: 10_000,
    /** A text or a value that results are searched for. */
    searchCharacters: 1_000,
    /** Bots and collaborators that existing clients are given in one answer where they know no pages. */
    compatibleSize: 1_000,
  },

  invitations: {
    /** A code that has been in a mailbox for longer is more likely to be found than to be wanted. */
    days: 7,
  },

  /** People who are signed in, by a cookie of their browser. */
  signIns: {
    /** Without being used. */
    days: 30,
    /** How often a use is noted: the cookie is given anew then, too. */
    notedSeconds: 3_600,
    /** Of one user. Who signs in more often loses the oldest. */
    perUser: 100,
    /** A link stands in a console or a log, and works once. */
    linkMinutes: 30,
    /** A code of six digits: nobody guesses one in five tries, and an address is mailed few of them (`user.codes`). */
    codeMinutes: 10,
    codeTries: 5,
    /** What pages keep for one user. */
    preferencesBytes: 16 * 1024,
  },
} as const;
