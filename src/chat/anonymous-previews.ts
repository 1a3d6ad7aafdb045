import { createHash } from "node:crypto";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { chargePreview } from "./saves/anonymous-previews.sql.ts";
import type { StepToSave } from "./saves/records.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";

export type PreviewCharge = {
  /** The id that was created for the preview in place of a bot's id. */
  readonly botId: string;
  /**
   * The client address that started the preview. Set only for the first step; later steps are counted for the same
   * address.
   */
  readonly address?: string | undefined;
  readonly flowBytes?: number;
  readonly step: Pick<StepToSave, "state" | "response" | "reply">;
};

/**
 * Counts the data that a step of an anonymous preview will store, before the data is written. Throws if all such
 * previews, or the previews of this client address, would exceed their limit.
 */
export async function requireRoomForPreview(
  deps: Pick<ChatDependencies, "sql">,
  { botId, address, flowBytes = 0, step: { state, response, reply } }: PreviewCharge,
): Promise<void> {
  const bytes = flowBytes + Buffer.byteLength(state) + Buffer.byteLength(response) + Buffer.byteLength(reply ?? "");
  const full = await chargePreview(deps.sql, { botId, address: address === undefined ? null : hashOf(address), bytes });
  if (full === undefined) return;
  throw new AppError(full === "all" ? "server.overloaded" : "rate_limit.exceeded", {
    message: `Previews without a token ${full === "all" ? "" : "from this address "}have reached the limit of data that they may store within ${limits.anonymousPreviews.minutes} minutes. Use a token, or try again later.`,
    data: { scope: full, act: "previews", retryAfterSeconds },
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

/** Every few minutes, a job deletes data older than an hour. Space is therefore often free again after this time. */
const retryAfterSeconds = 600;

/** Hashes a client address. Client addresses are personal data, so the database stores only their hashes. */
function hashOf(address: string): Uint8Array {
  return createHash("sha256").update(`preview:${address}`).digest();
}
