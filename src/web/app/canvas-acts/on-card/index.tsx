import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLinkedBots } from "../../forms/linked-bots.ts";
import { canvasWords } from "../../words/canvas.ts";
import { onCardWords } from "../../words/flow-on-card.ts";
import { useWords } from "../../words/index.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";
import { FullText } from "./full-text.tsx";
import { InPlace } from "./in-place.tsx";
import "./on-card.css";

export type OnCardProps = { readonly acts: Acts; readonly context: ActContext };

/** The layer over a card: its title and its texts as they are edited in place, and the full text of a folded row. It loads after the cards. */
export function OnCard(props: OnCardProps) {
  const { state } = props.context;
  const editing = state.editing.value;
  return (
    <>
      <BotNames {...props} />
      {editing ? <InPlace key={JSON.stringify(editing)} {...props} editing={editing} /> : <FullText {...props} />}
    </>
  );
}

/** Tells the view what the bots are called that its flow links. */
function BotNames({ context: { view } }: OnCardProps) {
  const words = useWords(onCardWords);
  const { missing } = useWords(canvasWords);
  const ids = useComputed(() => {
    // Reading the scene has it built, which collects the linked ids.
    view.scene.value;
    return [...view.linked].sort().join(" ");
  }).value;
  const names = useLinkedBots(ids === "" ? [] : ids.split(" "), { current: words.thisBot, missing });
  useEffect(() => {
    if (names.size > 0) view.bots.value = names;
  }, [names]);
  return null;
}
