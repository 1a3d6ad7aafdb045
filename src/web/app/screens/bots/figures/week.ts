import type { Answer } from "../../../api/index.ts";

export type WorkspaceFigures = Answer<"GET /api/v1/workspaces/:workspaceId/figures">["figures"];
export type Figure = "chats" | "completion" | "failing";

/** Returns the percentage of chats that were completed; 0 if there were no chats. */
export function rateOf({ starts, completions }: { readonly starts: number; readonly completions: number }): number {
  return starts === 0 ? 0 : Math.round((completions / starts) * 100);
}
