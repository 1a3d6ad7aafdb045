import type { ReadonlySignal } from "@preact/signals";
import { isObject, listAt, textAt } from "../../conversation/read.ts";
import { plainText } from "../../conversation/rich-text.ts";
import { lineOfItem } from "../forms/block-line.ts";
import type { BlockType } from "../forms/reading.ts";
import type { WordsOf } from "../words/index.ts";
import type { StartPlace, SuppliedFlow } from "./service.ts";
import type { Walked } from "./trace.ts";

/** The selection in an editor. A selected item counts as its block. */
export type Selected = {
  readonly kind: "group" | "block" | "item" | "event";
  readonly id: string;
  readonly blockId?: string;
};

export type PreviewedVariable = {
  readonly id: string;
  readonly name: string;
  readonly isPrefillable?: boolean | null | undefined;
};

/** The parts of an open bot that a preview needs. */
export type OpenForPreview = {
  readonly id: string;
  /** The flow to send with the request, if the flow is not a draft. */
  readonly flow?: SuppliedFlow;
  /** The author's rights on the bot. */
  readonly mode: "read" | "write" | "guest";
  readonly bot: ReadonlySignal<{ readonly isArchived: boolean; readonly name: string }>;
  readonly editor: {
    /** The service's revision of the shown draft; undefined while changes wait to be saved. */
    readonly saved: ReadonlySignal<number | undefined>;
    readonly selection: {
      readonly focus: ReadonlySignal<Selected | undefined>;
      select(thing: Selected): void;
    };
    readonly store: {
      readonly draft: ReadonlySignal<PreviewedDraft>;
      readonly variables: ReadonlySignal<readonly PreviewedVariable[]>;
      readonly find: { block(id: string): { readonly block: unknown } | undefined };
    };
  };
};

export type PreviewedBot = ReturnType<typeof previewed>;

export type PreviewedDraft = {
  readonly version?: unknown;
  readonly events?: unknown;
  readonly groups: unknown;
  readonly edges?: unknown;
  readonly variables?: unknown;
  readonly theme?: unknown;
  readonly settings?: unknown;
};

/** The translations and names of block types in the current language. */
export type Naming = {
  readonly words: WordsOf<"preview">;
  readonly events: Readonly<Record<string, string>>;
  readonly types: ReadonlyMap<string, BlockType> | undefined;
};

/** Returns the bot for a preview, from an editor or from a read-only flow. */
export function previewed(
  { id, editor, flow, mode, bot }: OpenForPreview,
  naming: () => Naming,
  onMark: ((walked: Walked | undefined) => void) | undefined,
) {
  const { store, saved } = editor;
  const names: BlockNames = {
    type: (type) => naming().types?.get(type)?.editor.name,
    variable: (variableId) => store.variables.value.find((one) => one.id === variableId)?.name,
  };
  return {
    botId: id,
    /** Returns whether the chat can be stored as a test, which requires a draft that the author may change. */
    mayKeep: () => flow === undefined && mode === "write" && !bot.value.isArchived,
    saved,
    draft: store.draft,
    blockOf: (blockId: string): unknown => store.find.block(blockId)?.block,
    name: () => bot.value.name,
    /** Returns the name of a block in lists; undefined if the block does not exist. */
    nameOf(blockId: string): string | undefined {
      const found = store.find.block(blockId);
      return found && blockName(found.block, names);
    },
    /**
     * Returns the positions at which a preview may start: events other than the start, and groups, in the order of the
     * flow.
     */
    places(): readonly { readonly name: string; readonly place: StartPlace }[] {
      const { events, groups } = store.draft.value;
      const { words, events: eventNames } = naming();
      return [
        ...listAt({ events }, "events").flatMap((event) => {
          const [eventId, type] = [textAt(event, "id"), textAt(event, "type")];
          if (eventId === undefined || type === "start") return [];
          const command = textAt(event, "options", "command");
          return [
            {
              name: command === undefined ? (eventNames[type ?? ""] ?? type ?? eventId) : `/${command}`,
              place: { type: "event", eventId } as const,
            },
          ];
        }),
        ...listAt({ groups }, "groups").flatMap((group) => {
          const groupId = textAt(group, "id");
          const name = textAt(group, "title") || groupId;
          return groupId === undefined || name === undefined
            ? []
            : [{ name: words.fromGroup({ name }), place: { type: "group", groupId } as const }];
        }),
      ];
    },
    prefillableNames: () =>
      store.variables.value.filter(({ isPrefillable }) => isPrefillable !== false).map(({ name }) => name),
    variableNames: () => store.variables.value.map(({ name }) => name),
    /**
     * Returns the text of the item at which an edge begins, such as a condition. Undefined if the edge does not begin
     * at an item.
     */
    branchOf(edgeId: string): string | undefined {
      const edge = listAt({ edges: store.draft.value.edges }, "edges").find((one) => textAt(one, "id") === edgeId);
      const itemId = textAt(edge, "from", "itemId");
      const block = store.find.block(textAt(edge, "from", "blockId") ?? "")?.block;
      const item = itemId && listAt(block, "items").find((one) => textAt(one, "id") === itemId);
      if (!item || !isObject(block)) return undefined;
      const unnamed = { group: () => undefined, bot: () => undefined };
      return lineOfItem(block, item, naming().types, { ...unnamed, variable: names.variable }) || undefined;
    },
    /** Whether an editor beside the preview shows the visited blocks. */
    isMarked: onMark !== undefined,
    select(blockId: string): void {
      editor.selection.select({ kind: "block", id: blockId });
    },
    /** Shows the visited blocks and the block at which the chat waits. Undefined removes both. */
    mark: (walked: Walked | undefined) => onMark?.(walked),
  };
}

/** Returns the names of types and variables; undefined for unknown ones. */
type BlockNames = {
  type(type: string): string | undefined;
  variable(id: string): string | undefined;
};

/**
 * Returns a block's name as one line: the name of its type, followed by a short text or variable of the block, if there
 * is one.
 */
function blockName(block: unknown, names: BlockNames): string {
  const type = textAt(block, "type") ?? "";
  const name = names.type(type) ?? type.charAt(0).toUpperCase() + type.slice(1);
  const detail = detailOf(block, names.variable);
  return detail === "" ? name : `${name}: ${detail}`;
}

function detailOf(block: unknown, variableName: (id: string) => string | undefined): string {
  const said = plainText(listAt(isObject(block) ? block["content"] : undefined, "richText")).trim();
  if (said !== "") return shortened(said);
  const variableId = textAt(block, "options", "variableId");
  const variable = variableId === undefined ? undefined : variableName(variableId);
  if (variable !== undefined) return variable;
  const items = listAt(block, "items").flatMap((item) => textAt(item, "content") ?? []);
  return shortened(items.join(", ") || (textAt(block, "options", "webhook", "url") ?? ""));
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
