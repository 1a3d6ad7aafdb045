import { blocks as servedBlocks } from "../blocks/index.ts";
import type { BlockRegistry } from "../interpreter/block.ts";
import { type FlowBlock, textAt, valueAt } from "../interpreter/flow.ts";
import { limits } from "../limits.ts";
import { startKindOf } from "./convert.ts";
import type { StoredFlow } from "./document.ts";
import { schemaOfBlock } from "./known-keys.ts";
import { EventOptionsSchema } from "./schemas/events.ts";
import { SettingsSchema } from "./schemas/settings.ts";
import { ThemeSchema } from "./schemas/theme.ts";
import { findUnknown, type Unknown } from "./shape.ts";
import { findLowContrast } from "./theme-contrast.ts";

export const warningTypes = [
  "no_start",
  "unknown_block_type",
  "unknown_edge",
  "unknown_target",
  "duplicate_item_id",
  "unknown_key",
  "unknown_word",
  "low_contrast",
  "advice",
] as const;

/** Something that the author may not have meant. The flow is stored and published all the same. */
export type FlowWarning = {
  readonly type: (typeof warningTypes)[number];
  /** Where, such as `groups[2].blocks[0]`. */
  readonly path: string;
  readonly message: string;
};

/** Finds what leads nowhere, does nothing or is hard to read in this flow, up to a limit. */
export function findWarnings(flow: StoredFlow, blocks: BlockRegistry = servedBlocks): FlowWarning[] {
  const warnings: FlowWarning[] = [];
  if (startKindOf(flow) === "none") {
    warnings.push({
      type: "no_start",
      path: "events",
      message: "There is no start event, so chats begin with nothing.",
    });
  }
  const edgeIds = new Set(flow.edges.map((edge) => edge.id));
  for (const { path, type, outgoingEdgeId } of sourcesOf(flow)) {
    if (type !== undefined && schemaOfBlock(type, blocks) === undefined) {
      warnings.push({ type: "unknown_block_type", path, message: `Blocks of type "${type}" are passed over.` });
    }
    if (typeof outgoingEdgeId === "string" && !edgeIds.has(outgoingEdgeId)) {
      warnings.push({ type: "unknown_edge", path, message: "Its outgoing edge does not exist." });
    }
  }
  warnings.push(...unknownTargets(flow));
  for (const path of repeatedItems(flow)) {
    const message = "Another item has the same id: of those in one block it means the first.";
    warnings.push({ type: "duplicate_item_id", path, message });
  }
  for (const unknown of unknownParts(flow, blocks)) warnings.push(unknownWarning(unknown));
  for (const { path, block } of blocksOf(flow)) {
    const message = blocks.get(block.type)?.advice?.(block);
    if (message !== undefined) warnings.push({ type: "advice", path, message });
  }
  for (const found of findLowContrast(flow)) warnings.push({ type: "low_contrast", ...found });
  return warnings.slice(0, limits.flow.warnings);
}

/** Unknown keys and words in blocks, theme, settings and the options of events. */
function* unknownParts(flow: StoredFlow, blocks: BlockRegistry): Generator<Unknown> {
  const { events, theme, settings } = flow;
  for (const { path, block } of blocksOf(flow)) {
    const { content = null, options = null, items = null } = block;
    const schema = schemaOfBlock(block.type, blocks);
    if (schema) yield* findUnknown({ content, options, items }, schema, path);
  }
  yield* findUnknown(theme, ThemeSchema, "theme");
  yield* findUnknown(settings, SettingsSchema, "settings");
  for (const [index, event] of (events ?? []).entries()) {
    yield* findUnknown(valueAt(event, "options"), EventOptionsSchema, `events[${index}].options`);
  }
}

function unknownWarning({ kind, path }: Unknown): FlowWarning {
  return kind === "key"
    ? { type: "unknown_key", path, message: "Nothing reads this key." }
    : { type: "unknown_word", path, message: "This word is not known and counts as absent." };
}

type Source = { readonly path: string; readonly type?: string; readonly outgoingEdgeId: string | null | undefined };

function* sourcesOf(flow: StoredFlow): Generator<Source> {
  for (const [index, event] of (flow.events ?? []).entries()) {
    yield { path: `events[${index}]`, outgoingEdgeId: event.outgoingEdgeId };
  }
  for (const { path, block } of blocksOf(flow)) yield { path, type: block.type, outgoingEdgeId: block.outgoingEdgeId };
}

function* blocksOf(flow: StoredFlow): Generator<{ readonly path: string; readonly block: FlowBlock }> {
  for (const [groupIndex, group] of flow.groups.entries()) {
    for (const [index, block] of (group.blocks ?? []).entries()) {
      yield { path: `groups[${groupIndex}].blocks[${index}]`, block };
    }
  }
}

/** Items with the id of an earlier item. */
function* repeatedItems(flow: StoredFlow): Generator<string> {
  const seen = new Set<string>();
  for (const { path, block } of blocksOf(flow)) {
    for (const [index, item] of (Array.isArray(block.items) ? block.items : []).entries()) {
      const id = textAt(item, "id");
      if (id === undefined) continue;
      if (seen.has(id)) yield `${path}.items[${index}]`;
      seen.add(id);
    }
  }
}

function unknownTargets(flow: StoredFlow): FlowWarning[] {
  const blockIdsOf = new Map(
    flow.groups.map((group) => [group.id, new Set((group.blocks ?? []).map((block) => block.id))]),
  );
  return flow.edges.flatMap((edge, index) => {
    const blockIds = blockIdsOf.get(edge.to?.groupId ?? "");
    const blockId = edge.to?.blockId;
    if (blockIds && (typeof blockId !== "string" || blockIds.has(blockId))) return [];
    const message = blockIds
      ? "It leads to a block that its group does not have."
      : "It leads to a group that does not exist.";
    return [{ type: "unknown_target" as const, path: `edges[${index}]`, message }];
  });
}
