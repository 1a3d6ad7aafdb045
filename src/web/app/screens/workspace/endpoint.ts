import type { Answer } from "../../api/index.ts";

/** A URL that receives events. */
export type Endpoint = Answer<"GET /api/v1/workspaces/:workspaceId/event-endpoints">["eventEndpoints"][number];
