import type { Answer } from "../api/index.ts";

/** The properties of a bot that determine its live state. */
export type LiveBot = {
  readonly publicationNumber: number | null;
  readonly publicId: string | null;
  readonly isClosed: boolean;
  readonly isArchived: boolean;
};

/** The number of unpublished changes, and the canary. */
export type Live = {
  readonly changes: number;
  readonly canary: Answer<"GET /api/v1/bots/:botId/canary">["canary"];
};

/** The shares of new chats, in percent, that authors can choose for a canary. */
export const canaryShares = [1, 5, 10, 25, 50, 75] as const;
