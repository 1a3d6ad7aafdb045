/** Files that visitors upload. */
export const files = {
  /** Files that visitors upload. */
  uploads: {
    /**
     * The largest file that a block or the operator may allow, in megabytes: it passes through this process, and
     * through proxies.
     */
    fileMegabytes: 100,
    fileNameCharacters: 255,
    /** Files of one chat. */
    filesPerSession: 100,
    bytesPerSession: 500 * 1024 * 1024,
    /** From asking for an upload address until the upload begins. */
    addressSeconds: 600,
    /** The upload itself: 10 MB at 200 kbit/s take 7 minutes. */
    uploadMs: 600_000,
    /** The share of a day's bytes at which ADMINs get a mail. */
    warnedShare: 0.8,
    /** The room for the rest of a posted form beside its file: other fields, names and boundaries. */
    otherPartsBytes: 64 * 1024,
    /**
     * Running uploads on this node, shared among its processes: each holds a connection and a file that is being sent
     * to the storage.
     */
    atOnce: 64,
    /** The share of the uploads for one session, one address and one bot, and of the forms below. */
    shares: { session: 1 / 8, address: 1 / 4, bot: 1 / 2 },
    formShares: { address: 1 / 2, bot: 1 / 2 },
    /** Uploads, and forms, that wait for a place on each process, and how long. */
    waiting: 64,
    waitMs: 15_000,
    /**
     * All files of a form that a page without script posts, and such running forms on this node: each is in memory
     * while it is read.
     */
    formBytes: 32 * 1024 * 1024,
    formsAtOnce: 8,
    /**
     * A file that is being sent to the storage without a write for this long belongs to a process that died: the
     * longest wait for the storage is an hour (`resultExports.keepMs`). And the number of files that one sweep removes.
     */
    unfinishedMs: 2 * 3_600_000,
    removedAtOnce: 1_000,
    /** One request to the storage, its body included. */
    storageMs: 120_000,
    /** How long a file is locked while its content is stored: longer than a request to the storage. */
    storageLockSeconds: 180,
    /** A file that no answer contains after this time is removed: no chat waits that long with a chosen file. */
    unansweredHours: 24,
    /** A file of a preview is removed after this long, even if its answer was used. */
    previewHours: 1,
    /** Files that one list holds: a result has more only after many reloads. */
    listed: 1_000,
    /** How long browsers and caches keep a file: after this they no longer have an erased one. */
    cacheSeconds: 86_400,
  },

  /** Files of authors, which visitors of all their bots see. */
  authorFiles: {
    perWorkspace: 1_000,
    bytesPerWorkspace: 1024 * 1024 * 1024,
    /** The type of a file is recognised within this much of its beginning. */
    headBytes: 4_096,
    /** An unfinished upload is removed after this time: no upload takes that long. */
    unfinishedHours: 1,
  },
} as const;
