/**
 * The purpose of a block type for authors. Each purpose has a colour. `BlockFamily` determines how a walk runs the
 * block.
 */
export const editorFamilies = ["says", "asks", "decides", "connects", "thinks", "events"] as const;

export type EditorFamily = (typeof editorFamilies)[number];

/**
 * Returns the family for a letter of a thumbnail, or undefined for an unknown letter. The letter is the first letter of
 * the family's name, which is unique.
 */
export function familyOfLetter(letter: string): EditorFamily | undefined {
  return editorFamilies.find((family) => family[0] === letter);
}
