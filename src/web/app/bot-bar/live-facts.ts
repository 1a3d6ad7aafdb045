import type { Answer } from "../api/index.ts";

/** The facts of a bot that determine its state. */
export type LiveBot = {
  readonly publicationNumber: number | null;
  readonly publicId: string | null;
  readonly isClosed: boolean;
  readonly isArchived: boolean;
};

/** The live version beside the draft: how many changes are not live, and the canary. */
export type Live = {
  readonly changes: number;
  readonly canary: Answer<"GET /api/v1/bots/:botId/canary">["canary"];
};

/** Shares of new chats that are offered; a share that another program has set is added. */
export const canaryShares = [1, 5, 10, 25, 50, 75] as const;
