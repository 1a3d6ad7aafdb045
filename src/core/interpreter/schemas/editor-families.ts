/** The purpose of a type for its author: each has a colour. `BlockFamily` decides how a walk runs. */
export const editorFamilies = ["says", "asks", "decides", "connects", "thinks", "events"] as const;

export type EditorFamily = (typeof editorFamilies)[number];

/** The family that a letter of a small picture names: its first one, which no other family begins with. */
export function familyOfLetter(letter: string): EditorFamily | undefined {
  return editorFamilies.find((family) => family[0] === letter);
}
