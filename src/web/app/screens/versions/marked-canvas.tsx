/** @jsxImportSource preact */
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { DraftDocument } from "../../../../editing/change.ts";
import { Canvas, createView } from "../../canvas/index.tsx";
import { marksOf, type Told, withRemoved } from "../../difference/index.ts";
import { readOnlyBot } from "../../reading/read-only-bot.ts";
import { differenceWords } from "../../words/difference.ts";
import { useWords } from "../../words/index.ts";
import type { ReadBot } from "./service.ts";

export type MarkedCanvasProps = {
  readonly bot: ReadBot;
  readonly before: DraftDocument;
  readonly after: DraftDocument;
  readonly told: readonly Told[];
};

/** The later flow as a picture, with what it no longer has: what came, went, changed or moved has a colour and a sign. */
export function MarkedCanvas({ bot, before, after, told }: MarkedCanvasProps) {
  const { is } = useWords(differenceWords);
  const open = useMemo(() => readOnlyBot(bot, withRemoved(before, after)), [bot.id, before, after]);
  const view = useMemo(() => createView(open), [open]);
  const marks = useMemo(() => signal(marksOf(told, is)), [told, is]);
  useEffect(() => () => void open.close(), [open]);
  return (
    <div class="versions-canvas">
      <Canvas view={view} marks={marks} />
    </div>
  );
}
