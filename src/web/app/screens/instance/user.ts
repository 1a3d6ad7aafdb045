import type { Answer } from "../../api/index.ts";

export type User = Answer<"GET /api/v1/users">["users"][number];

/** Where the users are kept among what was asked for. */
export const usersKey = "users";
