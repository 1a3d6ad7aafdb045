/** What a type is for, as its author sees it: each has a colour. `BlockFamily` decides how a walk runs. */
export const editorFamilies = ["says", "asks", "decides", "connects", "thinks", "events"] as const;

export type EditorFamily = (typeof editorFamilies)[number];
