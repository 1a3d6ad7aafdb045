import { later } from "../ui/index.ts";

/** What is asked before a bot is published: a part that is loaded when it is met. */
export const PublishDialog = later(async () => (await import("./publish-dialog.tsx")).PublishDialog);
