import { blocks as servedBlocks } from "../blocks/index.ts";
import type { FlowParts, StoredBlock } from "../flow/document.ts";
import { schemaOfBlock } from "../flow/known-keys.ts";
import { findUnknown, type Unknown } from "../flow/shape.ts";
import { isJsonObject, valueAt } from "../interpreter/flow.ts";

export const fidelities = ["exact", "approximated", "notRun"] as const;

/** How closely a block of an imported flow matches its original behaviour, and the reasons for differences. */
export type ReportedBlock = {
  readonly groupId: string;
  readonly blockId: string;
  readonly type: string;
  readonly fidelity: (typeof fidelities)[number];
  readonly reasons: string[];
};

/** The report on the blocks of an imported flow, with the number of blocks for each fidelity. */
export type BlockReport = {
  readonly counts: Record<ReportedBlock["fidelity"], number>;
  readonly blocks: ReportedBlock[];
};

/**
 * Reports for each block of an uploaded flow whether the block runs as intended. The `start` block of an older flow is
 * not reported.
 */
export function reportBlocks({ groups = [] }: Pick<FlowParts, "groups">): BlockReport {
  const counts = { exact: 0, approximated: 0, notRun: 0 };
  const blocks = groups.flatMap((group) =>
    (group.blocks ?? []).filter(({ type }) => type !== "start").map((block) => reportBlock(group.id, block)),
  );
  for (const { fidelity } of blocks) counts[fidelity] += 1;
  return { counts, blocks };
}

type SentBlock = StoredBlock & { readonly content?: unknown; readonly options?: unknown; readonly items?: unknown };

function reportBlock(groupId: string, block: SentBlock): ReportedBlock {
  const place = { groupId, blockId: block.id, type: block.type };
  const schema = schemaOfBlock(block.type, servedBlocks);
  if (!servedBlocks.has(block.type)) {
    const reason = schema
      ? "Parley does not support blocks of this type, and skips them."
      : "Parley does not know this type, and skips its blocks.";
    return { ...place, fidelity: "notRun", reasons: [reason] };
  }
  const reasons = [...strangeParts(block).map(reasonOf), ...requestsElsewhere(block)];
  return { ...place, fidelity: reasons.length === 0 ? "exact" : "approximated", reasons };
}

/**
 * Returns the keys and values of a block's `content`, `options` and `items` that its schema does not define. The list
 * is empty for a block of an unknown type.
 */
export function strangeParts(block: SentBlock): Unknown[] {
  const schema = schemaOfBlock(block.type, servedBlocks);
  if (!schema) return [];
  const { content = null, options = null, items = null } = block;
  return findUnknown({ content, options, items }, schema, "");
}

function reasonOf({ kind, path }: Unknown): string {
  const place = path.replace(/^\./, "");
  return kind === "key"
    ? `Parley does not use ${place}.`
    : `The value in ${place} is unknown and is treated as absent.`;
}

/**
 * Returns a note if the block's request is missing in the file. In version 3, a flow refers to requests that were
 * stored separately and are not part of exported files.
 */
function requestsElsewhere(block: SentBlock): string[] {
  const isElsewhere = Object.hasOwn(block, "webhookId") && !isJsonObject(valueAt(block, "options", "webhook"));
  return isElsewhere ? ["The block's request is not in the file: enter it again."] : [];
}
