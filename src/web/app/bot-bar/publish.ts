import { later } from "../ui/index.ts";

/** The question before a bot is published: a part that loads at its first use. */
export const PublishDialog = later(async () => (await import("./publish-dialog.tsx")).PublishDialog);
