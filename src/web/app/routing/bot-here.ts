import { signal } from "@preact/signals";

/** The bot of the screen, with its workspace and folder as far as they are known. */
export const botHere = signal<{ readonly botId: string; readonly workspaceId: string } | undefined>(undefined);
