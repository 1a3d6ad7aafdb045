import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OpenView } from "../../canvas/index.tsx";
import { useLinkedBots } from "../../forms/linked-bots.ts";
import canvasWords from "../../words/en/canvas.json";
import onCardWords from "../../words/en/on-card.json";
import { useWords } from "../../words/index.ts";

/** Loads the names of the linked bots for the view. */
export function BotNames({ view }: { readonly view: OpenView }) {
  const words = useWords(onCardWords);
  const { missing } = useWords(canvasWords);
  const ids = useComputed(() => {
    // The scene must be read first, because building it collects the linked ids.
    view.scene.value;
    return [...view.linked].sort().join(" ");
  }).value;
  const names = useLinkedBots(ids === "" ? [] : ids.split(" "), { current: words.thisBot, missing });
  useEffect(() => {
    if (names.size > 0) view.bots.value = names;
  }, [names]);
  return null;
}
