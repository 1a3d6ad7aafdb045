/** Limits for drafts while people edit them. */
export const editing = {
  editing: {
    /**
     * The maximum size of an editor's data in a flow, such as notes, frames and colours. This allows a thousand notes
     * of a thousand characters.
     */
    editorBytes: 1024 * 1024,
    /** The maximum size of one change by an author. Larger changes, such as an import, use another operation. */
    changesPerSet: 1_000,
    setBytes: 1024 * 1024,
    /** The maximum number of steps of one edit of a text, sufficient to replace every word of a long text. */
    editSteps: 10_000,
    titleCharacters: 255,
    /**
     * The maximum number of change sets per request. The changes of an author who was offline are sent in several
     * requests.
     */
    setsPerRequest: 50,
    /**
     * The maximum number of change sets by others since the caller's base. A caller that is further behind reads the
     * bot again.
     */
    setsBehind: 1_000,
    /**
     * The maximum size of log data that one request reads, including the inverse changes. A caller that is further
     * behind reads the bot again, or reads the log page by page.
     */
    logBytes: 8 * 1024 * 1024,
    /** The maximum number of conflicts in a response. */
    conflicts: 100,
    /** The maximum age and number of change sets in the log of a bot. The stricter limit applies. */
    logDays: 90,
    logSets: 10_000,
    /**
     * The number of change sets between two snapshots in the log. A restore applies at most this many inverse change
     * sets.
     */
    setsPerSnapshot: 200,
    /** A change set larger than this is followed by a snapshot immediately. */
    snapshotBytes: 256 * 1024,
    /** A new editing session begins if an author pauses for this time between two change sets. */
    sittingMinutes: 15,
    /**
     * The maximum number of people or browser tabs with a draft open. After `presenceSeconds` without a heartbeat, a
     * presence is no longer included.
     */
    presencesPerBot: 200,
    /**
     * The maximum number of windows of one person for a bot. Opening another window replaces the window that has been
     * silent for longest.
     */
    presencesPerUser: 10,
    presenceSeconds: 60,
    /** The maximum distance of a pointer from the origin: a hundred thousand cards side by side. */
    coordinate: 50_000_000,
    /** The zoom levels of the canvas. Parley's own editor supports 0.03 to 3. */
    zoom: { least: 0.01, most: 100 },
    /**
     * Limits for a position in a text that a person is editing: the position itself, as for change sets, and the path
     * to the text. All presences of a bot are read together, so their paths must be short.
     */
    textUnits: 1024 * 1024,
    pathSteps: 16,
    pathStepCharacters: 64,
    /** The maximum number of streams of one bot's changes per process. */
    watchersPerBot: 50,
    /** The maximum number of streams of one person for one bot. Opening another stream closes the oldest stream. */
    watchersPerUser: 10,
    /**
     * The maximum size of buffered data for a slow watcher. If it is exceeded, the stream ends, and the watcher
     * continues from its last position.
     */
    watcherBytes: 4 * 1024 * 1024,
  },

  /**
   * The minimum interval between renderings of a flow's thumbnail, and the number of flows that are read in one batch.
   */
  pictures: { seconds: 60, batch: 20 },

  /**
   * The number of days in a bot's chart of chats, and the number of bots that the statistics of a workspace list
   * individually.
   */
  dashboard: { days: 14, bots: 200 },
  comments: {
    /** All comments are loaded when a draft is opened. */
    perBot: 2_000,
    characters: 4_000,
    /** The maximum number of people that one comment mentions. */
    mentions: 20,
    /** The maximum number of a bot's readers from whom the people in a comment can be chosen. */
    people: 1_000,
  },
} as const;
