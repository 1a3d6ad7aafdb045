import type { Answer } from "../../api/index.ts";

/** The totals of all bots of a workspace. */
export type WorkspaceInsight = Answer<"GET /api/v1/workspaces/:workspaceId/insight">["insight"];
