import { useState } from "preact/hooks";
import { dragBots } from "../../frame/dragging.ts";
import type { BotsView } from "../../session/preferences.ts";
import { type MenuItem, useContextMenu } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { Asked, SelectionBar } from "./asked.tsx";
import { type Asking, menuOf } from "./bot-menu.ts";
import { BotTable } from "./bot-table.tsx";
import type { BotSummary } from "./bots.ts";
import { BotCards } from "./cards/bot-cards.tsx";

type BotListProps = {
  readonly bots: readonly BotSummary[];
  readonly workspaceId: string;
  readonly view: BotsView;
};

/** Shows bots as cards or as rows, with the menus and dialogs for one or several bots. */
export function BotList({ bots, workspaceId, view }: BotListProps) {
  const words = useWords();
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<Asking>();
  const [pointed, setPointed] = useState<BotSummary>();
  const chosen = bots.filter(({ id }) => selection.has(id));
  const itemsOf = (bot: BotSummary): MenuItem[] => menuOf(bot, { words, ask: setAsking });
  const context = useContextMenu(words.moreOf({ name: pointed?.name ?? "" }), () => (pointed ? itemsOf(pointed) : []));
  const Shown = view === "cards" ? BotCards : BotTable;
  return (
    <>
      {chosen.length > 0 && <SelectionBar bots={chosen} onAsk={setAsking} onClear={() => setSelection(new Set())} />}
      <Shown
        {...{ bots, itemsOf, selection }}
        onSelect={setSelection}
        attributesOf={(bot) => ({
          draggable: bot.accessRight === "write",
          onDragStart: (event: DragEvent) =>
            dragBots(event, selection.has(bot.id) ? chosen.map(({ id }) => id) : [bot.id]),
          onContextMenu: (event: MouseEvent) => {
            setPointed(bot);
            context.onContextMenu(event);
          },
        })}
      />
      {context.menu}
      {asking && (
        <Asked
          asking={asking}
          workspaceId={workspaceId}
          onClose={() => setAsking(undefined)}
          onDone={() => setSelection(new Set())}
        />
      )}
    </>
  );
}
