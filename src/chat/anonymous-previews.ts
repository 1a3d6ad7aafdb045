import { createHash } from "node:crypto";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { chargePreview } from "./saves/anonymous-previews.sql.ts";
import type { StepToSave } from "./saves/records.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

export type PreviewCharge = {
  /** The bot id that was created for the preview. */
  readonly botId: string;
  /** The address that started the preview; its later steps count for the same address. */
  readonly address?: string | undefined;
  readonly flowBytes?: number;
  readonly step: Pick<StepToSave, "state" | "response" | "reply">;
};

/**
 * Counts the data that a step of a preview without a token is about to store, before it is written. Throws when all
 * such previews, or those of the address, have stored as much as they may within an hour.
 */
export async function requireRoomForPreview(
  deps: Pick<ChatDependencies, "sql">,
  { botId, address, flowBytes = 0, step: { state, response, reply } }: PreviewCharge,
): Promise<void> {
  const bytes = flowBytes + Buffer.byteLength(state) + Buffer.byteLength(response) + Buffer.byteLength(reply ?? "");
  const full = await chargePreview(deps.sql, { botId, address: address === undefined ? null : hashOf(address), bytes });
  if (full === undefined) return;
  throw new AppError(full === "all" ? "server.overloaded" : "rate_limit.exceeded", {
    message: `Previews without a token ${full === "all" ? "" : "from this address "}have stored as much data as allowed within ${limits.anonymousPreviews.minutes} minutes. Use a token, or try again later.`,
    data: { scope: full, act: "previews", retryAfterSeconds },
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

/** A job removes data older than an hour every few minutes. */
const retryAfterSeconds = 600;

/** Addresses are personal data: the database stores only their hash. */
function hashOf(address: string): Uint8Array {
  return createHash("sha256").update(`preview:${address}`).digest();
}
