import type { Answer } from "../kit.ts";

export function oauthProblem(status: number, error: string, description: string): Answer {
  return { status, json: { error, error_description: description } };
}

/** A refusal in the form of Google's services. */
export function problem(code: number, status: string, message: string): Answer {
  return { status: code, json: { error: { code, message, status } } };
}
