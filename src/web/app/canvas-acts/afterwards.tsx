import { useComputed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { OpenView } from "../canvas/index.tsx";
import { storePlace } from "../canvas/place/store-place.ts";
import { Button, IconButton } from "../ui/index.ts";
import { heapWords } from "../words/heap.ts";
import { useWords } from "../words/index.ts";
import { hasOverlaps } from "./overlaps.ts";
import "./afterwards.css";

export type AfterwardsProps = {
  readonly view: OpenView;
  readonly botId: string;
  readonly isReadOnly: boolean;
  readonly onTidy: () => void;
};

/**
 * The acts of a canvas once it is visible: it keeps its place, and offers to tidy cards that cover each other. Nothing
 * moves without the author's consent.
 */
export function Afterwards({ view, botId, isReadOnly, onTidy }: AfterwardsProps) {
  const words = useWords(heapWords);
  const [isClosed, setClosed] = useState(false);
  useEffect(() => storePlace(view, botId), [view, botId]);
  const isOffered = useComputed(() => hasOverlaps(view.scene.value.cards.values())).value;
  if (!isOffered || isClosed || isReadOnly) return null;
  return (
    <div class="heap-hint" role="status">
      <span>{words.text}</span>
      <Button label={words.tidy} kind="primary" size="s" icon="wand-sparkles" onPress={onTidy} />
      <IconButton icon="x" size="s" label={words.close} onPress={() => setClosed(true)} />
    </div>
  );
}
