import { withFollowUps } from "./suggestions.tsx";
import { textWithFilesInput } from "./text-with-files.tsx";

/** A text input with suggested answers, to which files may be attached. */
export const bothInput = withFollowUps(textWithFilesInput);
