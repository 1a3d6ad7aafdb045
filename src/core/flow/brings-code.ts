import { blocks as servedBlocks } from "../blocks/index.ts";
import { readKnown } from "../interpreter/schemas/schema.ts";
import { SettingsSchema } from "../interpreter/schemas/settings.ts";
import type { StoredFlow } from "./document.ts";

/**
 * Block types that load external code. Links to other bots are included, because a linked bot's code is not known
 * before the link is followed.
 */
const bringing = new Set(["Google Analytics", "Pixel", "Chatwoot", "zendesk", "Typebot link"]);

/**
 * Returns whether visitors' browsers may run code from a flow, written by its author or loaded by a tracker. Always
 * false if `isAuthorCodeDisabled` is set.
 */
export function bringsCode(flow: Pick<StoredFlow, "settings"> & Partial<Pick<StoredFlow, "groups">>): boolean {
  const { metadata = {}, security = {} } = readKnown(SettingsSchema, flow.settings) ?? {};
  if (security.isAuthorCodeDisabled) return false;
  if (metadata.customHeadCode?.trim() || metadata.googleTagManagerId || metadata.tagManagerId) return true;
  return (flow.groups ?? []).some(({ blocks }) =>
    (blocks ?? []).some(
      (block) => bringing.has(block.type) || (servedBlocks.get(block.type)?.runsOnClient?.(block) ?? false),
    ),
  );
}
