import { textAt } from "../../interpreter/flow.ts";

/** Media stand in transcripts as their address. */
export function addressOf(shown: unknown): string | undefined {
  return textAt(shown, "url");
}
