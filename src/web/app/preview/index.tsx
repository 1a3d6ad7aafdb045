/** @jsxImportSource preact */
import type { ReadonlySignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { listAt, textAt } from "../../conversation/read.ts";
import { useChatAddress } from "../bot-bar/chat-address.ts";
import { type BlockType, useBlockTypes } from "../forms/reading.ts";
import { Skeleton } from "../ui/index.ts";
import { commandWords } from "../words/flow-commands.ts";
import { useWords, type WordsOf } from "../words/index.ts";
import { previewWords } from "../words/preview.ts";
import { type BlockNames, blockName } from "./block-name.ts";
import type { PreviewedBot, PreviewedDraft } from "./bot.ts";
import type { StartPlace, SuppliedFlow } from "./service.ts";
import type { Walked } from "./trace.ts";
import { PreviewView } from "./view.tsx";

export type { StartPlace, SuppliedFlow } from "./service.ts";
export type { Walked } from "./trace.ts";

/** The selection in an editor: an item names its block. */
type Selected = { readonly kind: "group" | "block" | "item" | "event"; readonly id: string; readonly blockId?: string };

/** The parts of an open bot that a preview needs. */
export type OpenForPreview = {
  readonly id: string;
  /** A flow that is no draft, and is sent along. */
  readonly flow?: SuppliedFlow;
  readonly editor: {
    /** The service's revision of the shown draft; undefined while something waits to be saved. */
    readonly saved: ReadonlySignal<number | undefined>;
    readonly selection: {
      readonly focus: ReadonlySignal<Selected | undefined>;
      select(thing: Selected): void;
    };
    readonly store: {
      readonly draft: ReadonlySignal<PreviewedDraft>;
      readonly variables: ReadonlySignal<readonly { readonly id: string; readonly name: string }[]>;
      readonly find: { block(id: string): { readonly block: unknown } | undefined };
    };
  };
};

export type PreviewPanelProps = {
  readonly open: OpenForPreview;
  /** Where it starts; undefined: where the flow does. Another one starts it again, also while it is open. */
  readonly from?: Selected | undefined;
  /** Shows in the editor the walked path, and where the chat waits; undefined once the panel is closed. */
  readonly onMark?: ((walked: Walked | undefined) => void) | undefined;
};

/** The open bot, tried beside its editor. */
export function PreviewPanel({ open, from, onMark }: PreviewPanelProps) {
  const words = useWords(previewWords);
  const { events } = useWords(commandWords);
  const types = useBlockTypes();
  // Names appear when the catalogue is loaded; the chat goes on meanwhile.
  const naming = useRef<Naming>({ words, events, types });
  naming.current = { words, events, types };
  const bot = useMemo(() => previewed(open, () => naming.current, onMark), [open, onMark]);
  const selected = open.editor.selection.focus.value;
  const here = selected && placeOf(selected, open);
  const start = useMemo(() => ({ place: from && placeOf(from, open) }), [from]);
  const chatAddress = useChatAddress();
  if (chatAddress === undefined) return <Skeleton />;
  return <PreviewView bot={bot} start={start} here={here} chatAddress={chatAddress} />;
}

function placeOf({ kind, id, blockId }: Selected, { editor }: OpenForPreview): StartPlace | undefined {
  if (kind === "group") return { type: "group", groupId: id };
  if (kind === "event") {
    const { events } = editor.store.draft.peek();
    const isStart = listAt({ events }, "events").some(
      (event) => textAt(event, "id") === id && textAt(event, "type") === "start",
    );
    return isStart ? undefined : { type: "event", eventId: id };
  }
  const block = kind === "block" ? id : blockId;
  return block === undefined ? undefined : { type: "block", blockId: block };
}

type Naming = {
  readonly words: WordsOf<typeof previewWords>;
  readonly events: Readonly<Record<string, string>>;
  readonly types: ReadonlyMap<string, BlockType> | undefined;
};

function previewed(
  { id, editor, flow }: OpenForPreview,
  naming: () => Naming,
  onMark: PreviewPanelProps["onMark"],
): PreviewedBot {
  const { store, saved } = editor;
  const names: BlockNames = {
    type: (type) => naming().types?.get(type)?.editor.name,
    variable: (variableId) => store.variables.peek().find((one) => one.id === variableId)?.name,
  };
  return {
    botId: id,
    flow,
    saved,
    draft: store.draft,
    nameOf(blockId) {
      const found = store.find.block(blockId);
      return found && blockName(found.block, names);
    },
    places() {
      const { events, groups } = store.draft.peek();
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
            : [{ name: words.fromGroup(name), place: { type: "group", groupId } as const }];
        }),
      ];
    },
    variableNames: () => store.variables.peek().map(({ name }) => name),
    select(blockId) {
      editor.selection.select({ kind: "block", id: blockId });
    },
    mark: (walked) => onMark?.(walked),
  };
}
