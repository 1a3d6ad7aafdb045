/** The purpose of a type for its author: each purpose has a colour. `BlockFamily` decides how a walk runs. */
export const editorFamilies = ["says", "asks", "decides", "connects", "thinks", "events"] as const;

export type EditorFamily = (typeof editorFamilies)[number];

/** The family for a letter of a small picture: the first letter of its name, which is unique among the families. */
export function familyOfLetter(letter: string): EditorFamily | undefined {
  return editorFamilies.find((family) => family[0] === letter);
}
