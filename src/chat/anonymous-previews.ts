import { createHash } from "node:crypto";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { chargePreview } from "./saves/anonymous-previews.sql.ts";
import type { StepToSave } from "./saves/records.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

export type PreviewCharge = {
  /** The bot id that was made for the preview. */
  readonly botId: string;
  /** Where it begins; a later step counts for whoever began it. */
  readonly address?: string | undefined;
  readonly flowBytes?: number;
  readonly step: Pick<StepToSave, "state" | "response" | "reply">;
};

/**
 * Counts what a step of a preview without a token is about to keep, before anything is written. Throws where all such previews, or
 * those of its address, have kept as much as they may within an hour.
 */
export async function requireRoomForPreview(
  deps: Pick<ChatDependencies, "sql">,
  { botId, address, flowBytes = 0, step: { state, response, reply } }: PreviewCharge,
): Promise<void> {
  const bytes = flowBytes + Buffer.byteLength(state) + Buffer.byteLength(response) + Buffer.byteLength(reply ?? "");
  const full = await chargePreview(deps.sql, { botId, address: address === undefined ? null : hashOf(address), bytes });
  if (full === undefined) return;
  throw new AppError(full === "all" ? "server.overloaded" : "rate_limit.exceeded", {
    message: `Previews without a token ${full === "all" ? "" : "from this address "}have kept as much as they may within ${limits.anonymousPreviews.minutes} minutes. Use a token, or try again later.`,
    data: { scope: full, act: "previews", retryAfterSeconds },
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

/** What is an hour old is removed every few minutes. */
const retryAfterSeconds = 600;

/** Addresses are personal: the database gets to know none. */
function hashOf(address: string): Uint8Array {
  return createHash("sha256").update(`preview:${address}`).digest();
}
