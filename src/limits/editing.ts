/** Drafts while people edit them. */
export const editing = {
  editing: {
    /** An editor's data beside a flow: notes, frames, colours. A thousand notes of a thousand characters. */
    editorBytes: 1024 * 1024,
    /** One change of an author. A larger change, such as an import, is another operation. */
    changesPerSet: 1_000,
    setBytes: 1024 * 1024,
    /** Steps of one edit of a text: enough to replace every word of a long one. */
    editSteps: 10_000,
    titleCharacters: 255,
    /** The changes of an author who was offline are sent in several requests. */
    setsPerRequest: 50,
    /** Change sets by others since the caller's base: a caller further behind reads the bot again. */
    setsBehind: 1_000,
    /**
     * Data of the log that one request reads, with the inverse changes: a caller further behind reads the bot again, or
     * requests page by page.
     */
    logBytes: 8 * 1024 * 1024,
    /** Conflicts that one answer lists. */
    conflicts: 100,
    /** The age and the number of sets up to which the log of changes of a bot is kept; the lower bound counts. */
    logDays: 90,
    logSets: 10_000,
    /** Change sets between two whole drafts in the log: a restore applies at most this many inverse sets. */
    setsPerSnapshot: 200,
    /** A larger set is followed by a whole draft immediately. */
    snapshotBytes: 256 * 1024,
    /** A pause between two sets of an author after which a new sitting begins. */
    sittingMinutes: 15,
    /** People, or their tabs, with one draft open, and how long each counts without a sign of life. */
    presencesPerBot: 200,
    /**
     * For one person: further windows of one bot are ignored. One more closes the window that has been silent for
     * longest.
     */
    presencesPerUser: 10,
    presenceSeconds: 60,
    /** A pointer's position: as far from the origin as a hundred thousand cards side by side. */
    coordinate: 50_000_000,
    /** The part of the canvas that a person sees: our own editor zooms from 0.03 to 3. */
    zoom: { least: 0.01, most: 100 },
    /**
     * The path of the text that a person edits: no change set has a longer one. All presences of a bot are read at
     * once, so their paths are short.
     */
    textUnits: 1024 * 1024,
    pathSteps: 16,
    pathStepCharacters: 64,
    /** Streams of one bot's changes that a process sends. */
    watchersPerBot: 50,
    /** Streams of one person. One more closes the oldest. */
    watchersPerUser: 10,
    /**
     * Data that waits for a slow watcher before its stream is ended: the watcher then continues from its last position.
     */
    watcherBytes: 4 * 1024 * 1024,
  },

  /** Small pictures of flows: how often a picture is drawn at most, and how many flows are read at once. */
  pictures: { seconds: 60, batch: 20 },

  /** The days of a bot's chart of chats in lists, and the bots that the figures of a workspace list one by one. */
  dashboard: { days: 14, bots: 200 },
  comments: {
    /** All comments are read when a draft is opened. */
    perBot: 2_000,
    characters: 4_000,
    /** People that one comment mentions. */
    mentions: 20,
    /** People who may read a bot, whom a comment can mention. */
    people: 1_000,
  },
} as const;
