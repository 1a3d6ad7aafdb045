import { useMemo, useRef } from "preact/hooks";
import { listAt, textAt } from "../../conversation/read.ts";
import { useBlockTypes } from "../forms/reading.ts";
import { useChatAddress } from "../session/service-pages.ts";
import { Skeleton } from "../ui/index.ts";
import commandWords from "../words/en/command.json";
import previewWords from "../words/en/preview.json";
import { useWords } from "../words/index.ts";
import { type Naming, type OpenForPreview, previewed, type Selected } from "./bot.ts";
import type { Given } from "./run.ts";
import { previewServiceFor, type StartPlace } from "./service.ts";
import { sittingOf, startOf } from "./sitting.ts";
import type { Walked } from "./trace.ts";
import { PreviewView } from "./view.tsx";

export type { OpenForPreview } from "./bot.ts";
export type { SuppliedFlow } from "./service.ts";

export type PreviewPanelProps = {
  readonly open: OpenForPreview;
  /**
   * The position at which the preview starts; undefined for the start of the flow. A new value restarts the preview,
   * unless `replies` or `asked` is given.
   */
  readonly from?: Selected | undefined;
  /** Replies that the preview repeats immediately after its start. */
  readonly replies?: readonly Given[] | undefined;
  /**
   * Identifies the author's request to start. A new object restarts the chat. With the same object, the chat continues
   * even if the panel moves within the screen.
   */
  readonly asked?: object | undefined;
  /** Shows the visited blocks and the waiting block in the editor. Called with undefined when the panel is closed. */
  readonly onMark?: ((walked: Walked | undefined) => void) | undefined;
};

/** The preview of an open bot, beside its editor. */
export function PreviewPanel({ open, from, replies, asked, onMark }: PreviewPanelProps) {
  const words = useWords(previewWords);
  const { events } = useWords(commandWords);
  const types = useBlockTypes();
  // The chat does not wait for the catalogue. Names appear as soon as the catalogue is loaded.
  const naming = useRef<Naming>({ words, events, types });
  naming.current = { words, events, types };
  const bot = useMemo(() => previewed(open, () => naming.current, onMark), [open, onMark]);
  const selected = open.editor.selection.focus.value;
  const here = selected && placeOf(selected, open);
  const start = useMemo(
    () => (replies ? { place: undefined, replies } : startOf(asked, () => from && placeOf(from, open))),
    [replies ?? asked ?? from],
  );
  const sitting = useMemo(() => sittingOf(open, start, () => previewServiceFor(open.id, open.flow)), [open]);
  const chatAddress = useChatAddress();
  if (chatAddress === undefined) return <Skeleton />;
  return <PreviewView bot={bot} sitting={sitting} start={start} here={here} chatAddress={chatAddress} />;
}

function placeOf({ kind, id, blockId }: Selected, { editor }: OpenForPreview): StartPlace | undefined {
  if (kind === "group") return { type: "group", groupId: id };
  if (kind === "event") {
    const { events } = editor.store.draft.value;
    const isStart = listAt({ events }, "events").some(
      (event) => textAt(event, "id") === id && textAt(event, "type") === "start",
    );
    return isStart ? undefined : { type: "event", eventId: id };
  }
  const block = kind === "block" ? id : blockId;
  return block === undefined ? undefined : { type: "block", blockId: block };
}
