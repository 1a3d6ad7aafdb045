import type { Answer } from "../../api/index.ts";

export type User = Answer<"GET /api/v1/users">["users"][number];

/** The cache key of the users. */
export const usersKey = "users";
