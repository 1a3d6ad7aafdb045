import { computed, type ReadonlySignal, useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { isSame } from "../../../core/editing/changes/things.ts";
import type { Mark } from "../canvas/contract.ts";
import type { OpenBot } from "../editor/index.ts";
import { colorOf } from "../editor/person-colors.ts";
import type { BlockType } from "../forms/index.ts";
import { Icon, Tile } from "../ui/index.ts";
import commandWords from "../words/en/command.json";
import outlineWords from "../words/en/outline.json";
import { findingsText } from "../words/findings-text.ts";
import { useWords } from "../words/index.ts";
import { type Around, type Facts, factsOf, spoken } from "./facts.ts";
import type { Row } from "./rows.ts";

export type OutlineRowProps = {
  readonly bot: OpenBot;
  readonly row: Row;
  /** The row's index in the whole outline, from 0. */
  readonly index: number;
  readonly top: number;
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly bots: ReadonlyMap<string, string>;
  readonly isActive: boolean;
  readonly isMarked: boolean;
  readonly marks: ReadonlySignal<ReadonlyMap<string, Mark>> | undefined;
  readonly onPress: (row: Row, event: MouseEvent) => void;
  readonly onFocus: (row: Row) => void;
  readonly onMenu: (row: Row, anchor: Element | { readonly x: number; readonly y: number }) => void;
  readonly onToggle: (row: Row) => void;
};

/** A row of the outline. When the draft changes, the row is rendered again only if something that it shows changes. */
export function OutlineRow({
  bot,
  row,
  index,
  top,
  types,
  bots,
  isActive,
  isMarked,
  marks,
  onPress,
  onFocus,
  onMenu,
  onToggle,
}: OutlineRowProps) {
  const { outline: words } = useWords(outlineWords);
  const { events: eventNames } = useWords(commandWords);
  const { editor, findings, live } = bot;
  const around = useMemo(
    () => ({ store: editor.store, types, words, eventNames, bots }),
    [editor, types, words, eventNames, bots],
  );
  const facts = useFacts(row, around);
  const counts = useComputed(() => findings.byThing.value.get(row.id)).value;
  const here = useComputed(() =>
    live.present.value
      .filter(({ at }) => at === row.id)
      .map(({ name }) => name ?? "?")
      .join(", "),
  ).value;
  const person = useComputed(() => {
    const first = live.present.value.find(({ at }) => at === row.id);
    return first && colorOf(first.userId);
  }).value;
  const threads = useComputed(() => bot.comments.openAt.value.get(row.id) ?? 0).value;
  const isWalked = useComputed(() => editor.walked.value?.blockIds.has(row.id) ?? false).value;
  const isWaiting = useComputed(() => editor.walked.value?.waitsAt === row.id).value;
  const rate = useComputed(() => marks?.value.get(row.id)).value;
  if (!facts) return null;
  const mark = counts && row.kind !== "group" ? findingsText(counts) : "";
  const tone = !counts ? undefined : counts.errors > 0 ? "danger" : counts.warnings > 0 ? "warning" : "neutral";
  // The outline handles key events, even though the row is their target.
  const handlers = {
    // Screen readers can move the focus themselves.
    onFocus: () => onFocus(row),
    onClick: (event: MouseEvent) => onPress(row, event),
    onContextMenu(event: MouseEvent) {
      event.preventDefault();
      onMenu(row, { x: event.clientX, y: event.clientY });
    },
  };
  const twist = {
    onClick(event: MouseEvent) {
      event.stopPropagation();
      onToggle(row);
    },
  };
  const name = [spoken(row, facts, around, mark), rate?.label].filter(Boolean).join(", ");
  return (
    <div
      class={`outline-row is-${row.kind} ${isActive ? "is-active" : ""} ${isMarked ? "is-marked" : ""} ${row.isUnreachable ? "is-unreachable" : ""} ${isWalked ? "is-walked" : ""} ${isWaiting ? "is-waiting" : ""} ${rateClass(rate)}`}
      {...rowRole}
      id={`row-${row.key}`}
      data-key={row.key}
      tabIndex={isActive ? 0 : -1}
      data-content={isActive || undefined}
      {...{
        "aria-label": name,
        "aria-level": row.level,
        "aria-posinset": row.position,
        "aria-setsize": row.size,
        "aria-rowindex": index + 2,
        "aria-expanded": row.isOpen,
        "aria-selected": isActive || isMarked,
      }}
      style={{ transform: `translateY(${top}px)` }}
      {...handlers}
    >
      <span {...cell} class="outline-what">
        {row.isOpen !== undefined && (
          <span class={`outline-twist ${row.isOpen ? "is-open" : ""}`} {...twist}>
            <Icon name="chevron-right" size={14} />
          </span>
        )}
        <Tile icon={facts.icon} family={facts.family} />
        <span class="outline-name">{facts.what}</span>
        {(isWalked || isWaiting) && (
          <span class="outline-walked">
            <Icon name={isWaiting ? "clock" : "check"} size={13} />
            <span class="visually-hidden">{isWaiting ? words.waits : words.walked}</span>
          </span>
        )}
        {here !== "" && (
          <span class="outline-here" data-person={person} title={words.isHere({ name: here })}>
            {here.slice(0, 1).toUpperCase()}
            <span class="visually-hidden">{words.isHere({ name: here })}</span>
          </span>
        )}
      </span>
      <span {...cell} class="outline-says" title={facts.says}>
        {facts.says}
      </span>
      <span {...cell} class="outline-saves">
        {facts.savesTo !== "" && <span class="outline-variable">{facts.savesTo}</span>}
      </span>
      <span {...cell} class={`outline-leads ${facts.isBroken ? "is-broken" : ""}`}>
        {facts.leadsTo !== "" && (
          <>
            {facts.leadsTo !== words.ends && (
              <Icon name={facts.isBroken ? "triangle-alert" : "arrow-right"} size={14} />
            )}
            <span>{facts.leadsTo}</span>
          </>
        )}
      </span>
      <span {...cell} class="outline-found">
        {threads > 0 && (
          <span class="outline-comments" title={words.threads({ count: threads })}>
            <Icon name="message-circle" size={14} />
            <span aria-hidden="true">{threads}</span>
            <span class="visually-hidden">{words.threads({ count: threads })}</span>
          </span>
        )}
        {mark !== "" && (
          <span class={`outline-mark is-${tone}`} title={mark}>
            <Icon
              name={tone === "danger" ? "circle-alert" : tone === "warning" ? "triangle-alert" : "info"}
              size={15}
            />
            <span class="visually-hidden">{mark}</span>
          </span>
        )}
        <button
          class="outline-more"
          type="button"
          tabIndex={-1}
          aria-label={words.actions({ name: facts.what })}
          onClick={(event) => {
            event.stopPropagation();
            onMenu(row, event.currentTarget);
          }}
        >
          <Icon name="ellipsis" size={16} />
        </button>
      </span>
      {marks && (
        <span {...cell} class="outline-rate" title={rate?.label}>
          {rate?.sign}
        </span>
      )}
    </div>
  );
}

function rateClass(rate: Mark | undefined): string {
  return `${rate?.tone === "warning" ? "is-leaving" : ""} ${rate?.isHatched ? "is-hatched" : ""}`;
}

/**
 * Returns the texts of a row. Each key typed into a block creates a new group object, but the row is rendered again
 * only if its texts change. After a removal, returns undefined.
 */
function useFacts(row: Row, around: Around): Facts | undefined {
  const facts = useMemo(() => {
    let last: Facts | undefined;
    return computed(() => {
      const next = factsOf(row, around);
      if (!last || !next || !isSame(last, next)) last = next;
      return last;
    });
  }, [row, around]);
  return facts.value;
}

const rowRole = { role: "row" } as const;
const cell = { role: "gridcell" } as const;
