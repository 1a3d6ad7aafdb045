import type { ProviderMessage } from "../../core/channels/channel.ts";
import { limits } from "../../limits/index.ts";
import { newId } from "../../platform/ids.ts";
import type { HeldConnection } from "../held-connection.ts";
import type { OutboundDependencies } from "./dependencies.ts";
import { callFor } from "./send.ts";
import { findAddress, findDraftAddress } from "./sendings.sql.ts";

/** Unsaved text that is shown to a contact. */
export type Draft = {
  readonly contactId: string;
  readonly message: ProviderMessage;
  /** Aborted when the text is saved or discarded. */
  readonly ended: AbortSignal;
};

/**
 * `passed`: the draft was skipped this time. `refused`: the provider rejects drafts to this contact, permanently or for
 * some time.
 */
export type DraftOutcome = "shown" | "passed" | "refused";

type Sign = Pick<Draft, "contactId" | "message">;

export async function showSign(
  deps: OutboundDependencies,
  held: HeldConnection,
  { contactId, message }: Sign,
): Promise<void> {
  const to = await findAddress(deps.sql, contactId);
  if (!to || !held.mayAct()) return;
  const call = callFor(deps, held, { message, to, id: newId() });
  await deps.call(held, call, { timeoutMs: limits.channels.signMs, signal: held.lost });
}

export async function showDraft(
  deps: OutboundDependencies,
  held: HeldConnection,
  { contactId, message, ended }: Draft,
): Promise<DraftOutcome> {
  const to = await findDraftAddress(deps.sql, contactId);
  if (!to || !held.mayAct() || ended.aborted) return "passed";
  const signal = AbortSignal.any([held.lost, ended]);
  const call = callFor(deps, held, { message, to, id: newId() });
  const outcome = await deps.call(held, call, { timeoutMs: limits.channels.signMs, signal });
  if (outcome.kind !== "answer") return outcome.kind === "busy" ? "passed" : "refused";
  const verdict = held.channel.readAnswer(outcome.answer);
  switch (verdict.kind) {
    case "accepted":
      return "shown";
    case "doubt":
      return "passed";
    case "failed":
      return verdict.class === "passing" ? "passed" : "refused";
    default:
      return "refused";
  }
}
