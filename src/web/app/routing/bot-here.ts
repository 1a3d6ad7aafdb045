import { signal } from "@preact/signals";

/** The bot that the screen is about, as far as it is known what it belongs to. */
export const botHere = signal<{ readonly botId: string; readonly workspaceId: string } | undefined>(undefined);
