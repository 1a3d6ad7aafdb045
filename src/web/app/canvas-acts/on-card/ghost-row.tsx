import { useComputed } from "@preact/signals";
import { textAt } from "../../../../core/interpreter/flow.ts";
import type { Box } from "../../canvas/contract.ts";
import { sizes } from "../../canvas/scene/geometry.ts";
import { addItem } from "../../editor/commands/blocks.ts";
import { isGroupLocked } from "../../editor/commands/locks.ts";
import { blockIdOf, isInCard } from "../../editor/selection.ts";
import { Icon } from "../../ui/index.ts";
import onCardWords from "../../words/en/on-card.json";
import { useWords } from "../../words/index.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";
import { editOnCard, hasOptions, leastWritingZoom } from "../edit-on-card.ts";
import { Pinned } from "./pinned.tsx";

type GhostRowProps = { readonly acts: Acts; readonly context: ActContext };

/** The row below the options of the selected block. A press on the row adds an option and starts editing it. */
export function GhostRow({ acts, context }: GhostRowProps) {
  const { bot, view, state, types } = context;
  const { addOption } = useWords(onCardWords);
  const { store, readOnly } = bot.editor;
  const blockId = useComputed(() => {
    const now = view.selection.focus.value;
    const isOne = view.selection.now.value.kind === "one";
    if (!now || !isOne || !isInCard(now) || readOnly.value !== undefined) return undefined;
    const isBusy = view.shift.value ?? state.dragging.value ?? state.connecting.value;
    return isBusy || view.isFar.value || view.camera.state.value.zoom < leastWritingZoom ? undefined : blockIdOf(now);
  }).value;
  const found = blockId === undefined ? undefined : store.block(blockId).value;
  const place = blockId === undefined ? undefined : view.scene.value.rowOf(blockId);
  if (!found || !place || blockId === undefined) return null;
  if (!hasOptions(types()?.get(textAt(found.block, "type") ?? ""))) return null;
  if (isGroupLocked(store.draft.value, found.groupId)) return null;
  const { rows, box } = place.card;
  const last = rows.findLast((row) => row.blockId === blockId);
  if (!last) return null;
  const isEnd = last === rows.at(-1);
  const end: Box = { ...box, y: box.y + last.y + last.height, height: isEnd ? sizes.foot : 0 };
  const add = (): void => {
    const done = acts.run(addItem, { blockId });
    const made = view.selection.focus.value;
    if (done.kind === "done" && made?.kind === "item")
      editOnCard(context, { id: "", blockId, itemId: made.id, isNew: true });
  };
  return (
    <Pinned
      view={view}
      box={end}
      class={`is-ghost ${isEnd ? "is-end" : ""}`}
      attributes={{ "data-pointers": "" }}
      place={({ x, y, width, height }, { own }) =>
        isEnd
          ? { left: x + width * ghost.inset, top: y + height, width: width * (1 - ghost.inset - ghost.rim) }
          : { left: x + (width - own.width) / 2, top: y - own.height / 2 }
      }
    >
      {/* Between two rows, only the icon is shown, because the label would cover more of the rows. */}
      <button
        type="button"
        class="on-card-ghost"
        onClick={add}
        {...(!isEnd && { "aria-label": addOption, title: addOption })}
      >
        <Icon name="plus" size={14} />
        {isEnd && addOption}
      </button>
    </Pinned>
  );
}

/** The left and right edges of options, as shares of a card's width. */
const ghost = { inset: sizes.text.inset / sizes.card, rim: 12 / sizes.card } as const;
