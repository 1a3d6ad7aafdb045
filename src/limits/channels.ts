/** Bots on messengers. */
export const channels = {
  channels: {
    /** Messages that one text becomes: more would bury the question below them. */
    textParts: 10,
    /** Choices that a messenger shows: the others can be typed. */
    itemsShown: 100,
    /** Steps that a chat may take in a row without the contact, past blocks that a browser would answer. */
    actionsPassed: 50,
    /** After so long no further one is taken: the answer of a dry run is waited for. */
    passedSeconds: 100,
  },
} as const;
