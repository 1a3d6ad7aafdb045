import { withFollowUps } from "./suggestions.tsx";
import { textWithFilesInput } from "./text-with-files.tsx";

/** A text that files may come with, with suggested answers. */
export const bothInput = withFollowUps(textWithFilesInput);
