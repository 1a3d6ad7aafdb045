/**
 * The purposes of block types as authors see them, each with its own colour. How a walk runs a block depends on
 * `BlockFamily` instead.
 */
export const editorFamilies = ["says", "asks", "decides", "connects", "thinks", "events"] as const;

export type EditorFamily = (typeof editorFamilies)[number];

/**
 * Returns the family whose name starts with the given letter of a thumbnail, or undefined if there is none. All
 * families have different first letters.
 */
export function familyOfLetter(letter: string): EditorFamily | undefined {
  return editorFamilies.find((family) => family[0] === letter);
}
