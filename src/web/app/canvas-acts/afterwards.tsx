import { useComputed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Card } from "../canvas/contract.ts";
import type { OpenView } from "../canvas/index.tsx";
import { storePlace } from "../canvas/place/store-place.ts";
import { farthest } from "../editor/place-of-thing.ts";
import { Button, IconButton } from "../ui/index.ts";
import overlapHintWords from "../words/en/overlap-hint.json";
import { useWords } from "../words/index.ts";
import "./afterwards.css";

/** The size of the grid on which positions are compared. Groups with the same grid position count as overlapping. */
const near = 64;

/**
 * Whether the groups overlap, so that they occupy at most half as many grid positions as there are groups. Also true if
 * a card is outside the area that browsers can render. Flows from programs that store no positions look like this.
 */
export function hasOverlaps(cards: Iterable<Card>): boolean {
  const places = new Set<string>();
  let count = 0;
  for (const { kind, box } of cards) {
    if (Math.max(Math.abs(box.x), Math.abs(box.y)) >= farthest) return true;
    if (kind !== "group") continue;
    count++;
    places.add(`${Math.round(box.x / near)} ${Math.round(box.y / near)}`);
  }
  return count > 1 && places.size * 2 <= count;
}

export type AfterwardsProps = {
  readonly view: OpenView;
  readonly botId: string;
  readonly isReadOnly: boolean;
  readonly onTidy: () => void;
};

/**
 * Runs once the canvas is visible: stores the view of the canvas, and offers to tidy overlapping cards. Nothing moves
 * without the author's consent.
 */
export function Afterwards({ view, botId, isReadOnly, onTidy }: AfterwardsProps) {
  const words = useWords(overlapHintWords);
  const [isClosed, setClosed] = useState(false);
  useEffect(() => storePlace(view, botId), [view, botId]);
  const isOffered = useComputed(() => hasOverlaps(view.scene.value.cards.values())).value;
  if (!isOffered || isClosed || isReadOnly) return null;
  return (
    <div class="overlap-hint" role="status">
      <span>{words.text}</span>
      <Button label={words.tidy} kind="primary" size="s" icon="wand-sparkles" onPress={onTidy} />
      <IconButton icon="x" size="s" label={words.close} onPress={() => setClosed(true)} />
    </div>
  );
}
