import { type FlowDocument, isJsonObject, textAt } from "../interpreter/flow.ts";
import type { WalkWatch } from "../interpreter/meter.ts";
import type { SavedAnswer } from "../interpreter/step/step.ts";

/** The part of a flow that conversations reached. */
export type Coverage = { readonly blocks: Share; readonly edges: Share; readonly items: Share };

/** The number of parts, the number of reached parts, and the ids of the missed parts. */
export type Share = { readonly total: number; readonly met: number; readonly missed: string[] };

/** The parts that conversations reached, collected over all conversations that share this object. */
export type Footprints = WalkWatch & {
  answered(answers: readonly Pick<SavedAnswer, "blockId" | "content">[]): void;
  /** Returns the coverage of a flow. Only ids of the flow itself count, not ids of linked flows. */
  coverageOf(flow: FlowDocument): Coverage;
};

export function createFootprints(): Footprints {
  const blocks = new Set<string>();
  const edges = new Set<string>();
  const contents = new Map<string, Set<string>>();
  return {
    block: (id) => void blocks.add(id),
    edge: (id) => void edges.add(id),
    answered(answers) {
      for (const { blockId, content } of answers) {
        const known = contents.get(blockId) ?? new Set();
        contents.set(blockId, known.add(content));
      }
    },
    coverageOf(flow) {
      const all = flow.groups.flatMap((group) => group.blocks ?? []);
      const items = all.flatMap((block) => itemsOf(block.items).map((item) => ({ item, blockId: block.id })));
      const isChosen = (item: Item, blockId: string): boolean => {
        if (item.edgeId !== undefined) return edges.has(item.edgeId);
        return [...(contents.get(blockId) ?? [])].some((content) => isAmong(item, content));
      };
      return {
        blocks: share(all.map(({ id }) => ({ id, isMet: blocks.has(id) }))),
        edges: share(flow.edges.map(({ id }) => ({ id, isMet: edges.has(id) }))),
        items: share(items.map(({ item, blockId }) => ({ id: item.id, isMet: isChosen(item, blockId) }))),
      };
    },
  };
}

type Item = { readonly id: string; readonly edgeId: string | undefined; readonly texts: readonly string[] };

/**
 * Returns the items whose coverage can be determined: items with their own edge, and items that visitors choose by
 * their text.
 */
function itemsOf(items: unknown): Item[] {
  if (!Array.isArray(items)) return [];
  return items.filter(isJsonObject).flatMap((item) => {
    const id = textAt(item, "id");
    const edgeId = textAt(item, "outgoingEdgeId");
    const texts = [textAt(item, "content"), textAt(item, "title"), textAt(item, "value")].filter(
      (text) => text !== undefined,
    );
    return id === undefined || (edgeId === undefined && texts.length === 0) ? [] : [{ id, edgeId, texts }];
  });
}

/** Whether an answer contains one of an item's texts. The answer to a multiple choice joins the texts with commas. */
function isAmong({ texts }: Item, content: string): boolean {
  return texts.some((text) => content === text || `, ${content}, `.includes(`, ${text}, `));
}

function share(parts: readonly { id: string; isMet: boolean }[]): Share {
  const missed = parts.filter(({ isMet }) => !isMet).map(({ id }) => id);
  return { total: parts.length, met: parts.length - missed.length, missed };
}
