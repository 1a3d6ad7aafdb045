/** Limits for uploaded files. */
export const files = {
  /** Limits for files that visitors upload. */
  uploads: {
    /**
     * The largest file size that a block or the operator may allow, in megabytes. Files are sent through this process
     * and through proxies.
     */
    fileMegabytes: 100,
    fileNameCharacters: 255,
    /** The maximum number and total size of the files of one chat. */
    filesPerSession: 100,
    bytesPerSession: 500 * 1024 * 1024,
    /** The time between requesting an upload address and starting the upload. */
    addressSeconds: 600,
    /** The time limit for an upload. An upload of 10 MB at 200 kbit/s takes 7 minutes. */
    uploadMs: 600_000,
    /** The fraction of the daily upload quota at which ADMINs are notified by email. */
    warnedShare: 0.8,
    /** The maximum size of a posted form except its file: other fields, names and boundaries. */
    otherPartsBytes: 64 * 1024,
    /**
     * The maximum number of running uploads on this node, shared among its processes. Each upload uses a connection and
     * a file that is sent to the storage.
     */
    atOnce: 64,
    /**
     * The fractions of all uploads that one session, one address and one bot may use, and the fractions of all forms.
     */
    shares: { session: 1 / 8, address: 1 / 4, bot: 1 / 2 },
    formShares: { address: 1 / 2, bot: 1 / 2 },
    /** The maximum number of uploads and forms that wait for a slot in each process, and their waiting time. */
    waiting: 64,
    waitMs: 15_000,
    /**
     * The maximum size of the files in a form that a page without JavaScript posts, and the maximum number of such
     * forms on this node. Each form is held in memory while it is read.
     */
    formBytes: 32 * 1024 * 1024,
    formsAtOnce: 8,
    /**
     * A file without a write for this time belongs to a process that died, because sending a file to the storage takes
     * an hour at most (`resultExports.keepMs`). `removedAtOnce` is the number of files that one clean-up deletes.
     */
    unfinishedMs: 2 * 3_600_000,
    removedAtOnce: 1_000,
    /** The time limit for a request to the storage, including its body. */
    storageMs: 120_000,
    /** How long a file is locked while its content is stored. This is longer than a request to the storage. */
    storageLockSeconds: 180,
    /**
     * A file that is not part of an answer is deleted after this time. No chat waits this long after a file was
     * selected.
     */
    unansweredHours: 24,
    /** A file of a preview is deleted after this time, even if it is part of an answer. */
    previewHours: 1,
    /** The maximum number of files in one list. Only a result with many reloads has more files. */
    listed: 1_000,
    /** How long browsers and caches store a file. After this time, they no longer have an erased file. */
    cacheSeconds: 86_400,
  },

  /** Limits for files of authors, which are shown to the visitors of all their bots. */
  authorFiles: {
    perWorkspace: 1_000,
    bytesPerWorkspace: 1024 * 1024 * 1024,
    /** The number of bytes at the start of a file from which its type is detected. */
    headBytes: 4_096,
    /** An incomplete upload is deleted after this time. No upload takes that long. */
    unfinishedHours: 1,
  },
} as const;
