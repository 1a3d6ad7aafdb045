import type { Answer } from "../kit.ts";

export function oauthProblem(status: number, error: string, description: string): Answer {
  return { status, json: { error, error_description: description } };
}

/** Returns an error in the format of Google's APIs. */
export function problem(code: number, status: string, message: string): Answer {
  return { status: code, json: { error: { code, message, status } } };
}
