/** @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import { announce, Button, Icon, IconButton } from "../ui/index.ts";
import { lookOf, type Signed, signOf } from "./marks.ts";
import { nameOf } from "./naming.ts";
import type { Telling } from "./telling.ts";
import type { Told, ToldLead } from "./told.ts";
import { Beside, Lead, Value } from "./value.tsx";

export type LineProps = {
  readonly told: Told;
  readonly telling: Telling;
  /** Of an item: the block that it is in. */
  readonly block?: JsonObject | undefined;
};

/** The change of one thing, with its fields and the things in it. */
export function Line({ told, telling, block }: LineProps) {
  const { words, onGo } = telling;
  const isCurrent = useComputed(() => telling.current?.value === told.key).value;
  const line = useRef<HTMLDivElement>(null);
  const is = signOf(told);
  const { what, icon, says } = nameOf(told, telling, block);
  const name = says === "" ? what : `${what} ${says}`;
  useLayoutEffect(() => {
    if (!isCurrent) return;
    line.current?.scrollIntoView({ block: "nearest" });
    announce(is === undefined ? name : `${words.is[is]}: ${name}`);
  }, [isCurrent]);
  const own = told.after ?? told.before;
  const leads = shownLeads(told);
  const mayGo = onGo !== undefined && goes.has(told.of) && told.id !== undefined;
  // A pointer takes the whole line; keys and readers have its button.
  const press = {
    onClick(event: MouseEvent) {
      const isOther = event.target instanceof Element && event.target.closest("button, a") !== null;
      if (mayGo && !isOther) onGo(told);
    },
  };
  return (
    <li class={`difference-item is-${told.of} ${is === undefined ? "" : `is-${is}`} ${isCurrent ? "is-current" : ""}`}>
      <div
        class={`difference-line ${mayGo ? "may-go" : ""}`}
        ref={line}
        {...{ "aria-current": isCurrent ? ("true" as const) : undefined, ...press }}
      >
        {is !== undefined && <Sign is={is} label={words.is[is]} />}
        <Icon name={icon} size={15} class="difference-icon" />
        <span class="difference-name">
          <span class="difference-what">{what}</span>
          {says !== "" && (
            <span class="difference-says" dir="auto">
              {says}
            </span>
          )}
          {told.isMoved && is !== undefined && is !== "added" && (
            <span class="difference-moved">{movedText(told, telling)}</span>
          )}
          {told.isMovedOnCanvas && is === "moved" && <span class="difference-moved">{words.movedOnCanvas}</span>}
        </span>
        <LineActs {...{ told, telling, name, mayGo }} />
      </div>
      {told.values.length + leads.length + told.beside.length > 0 && (
        <dl class="difference-fields">
          {told.values.map((value) => (
            <Value key={value.path.join(".")} told={told} value={value} telling={telling} block={block} />
          ))}
          {leads.map((lead) => (
            <Lead key={JSON.stringify(lead.outlet.path) + (lead.outlet.itemId ?? "")} {...{ told, lead, telling }} />
          ))}
          {told.beside.map((beside) => (
            <Beside key={beside.what} beside={beside} telling={telling} />
          ))}
        </dl>
      )}
      <Lines told={told.inner} telling={telling} block={told.of === "block" ? own : undefined} />
    </li>
  );
}

/** Lines that are drawn at once: those before and after come when they are asked for. */
const linesAtOnce = 60;
/** Above the line that is looked at, where it is one of many. */
const linesBefore = 8;

export type LinesProps = {
  readonly told: readonly Told[];
  readonly telling: Telling;
  readonly block?: JsonObject | undefined;
};

type Shown = { readonly from: number; readonly to: number };

/** The lines of one list: of a long one only the part with the current line. */
export function Lines({ told, telling, block }: LinesProps) {
  const [asked, setAsked] = useState<Shown>({ from: 0, to: linesAtOnce });
  const current = useComputed(() => indexOf(told, telling.current?.value)).value;
  if (told.length === 0) return null;
  const shown = current === -1 || isIn(current, asked) ? asked : aroundOf(current);
  // The latest request stays when another line is selected.
  if (shown !== asked) setAsked(shown);
  const before = shown.from;
  const after = told.length - shown.to;
  return (
    <>
      {before > 0 && (
        <Button
          size="s"
          class="difference-more"
          onPress={() => setAsked({ from: Math.max(0, shown.from - linesAtOnce), to: shown.to })}
        >
          {telling.words.moreBefore(before)}
        </Button>
      )}
      <ul class="difference-lines">
        {told.slice(shown.from, shown.to).map((one) => (
          <Line key={one.key} told={one} telling={telling} block={block} />
        ))}
      </ul>
      {after > 0 && (
        <Button
          size="s"
          class="difference-more"
          onPress={() => setAsked({ from: shown.from, to: shown.to + linesAtOnce })}
        >
          {telling.words.more(after)}
        </Button>
      )}
    </>
  );
}

function isIn(index: number, { from, to }: Shown): boolean {
  return index >= from && index < to;
}

function aroundOf(index: number): Shown {
  const from = Math.max(0, index - linesBefore);
  return { from, to: from + linesAtOnce };
}

/** Which of the lines is looked at, or has that one in it. */
function indexOf(told: readonly Told[], key: string | undefined): number {
  return key === undefined ? -1 : told.findIndex((one) => holds(one, key));
}

function holds({ key, inner }: Told, wanted: string): boolean {
  return key === wanted || inner.some((one) => holds(one, wanted));
}

const goes: ReadonlySet<string> = new Set(["group", "block", "event", "item", "edge"]);
const opens: ReadonlySet<string> = new Set(["group", "block", "event"]);

type ActsProps = {
  readonly told: Told;
  readonly telling: Telling;
  readonly name: string;
  readonly mayGo: boolean;
};

function LineActs({ told, telling: { words, onGo, onOpen }, name, mayGo }: ActsProps) {
  const mayOpen = onOpen !== undefined && told.after !== undefined && opens.has(told.of);
  const { id } = told;
  return (
    <span class="difference-acts">
      {mayOpen && (
        <IconButton
          icon="eye"
          size="s"
          class="difference-open"
          label={onOpen.label(name)}
          onPress={() => id !== undefined && onOpen.open(id)}
        />
      )}
      {mayGo && <IconButton icon="locate" size="s" label={words.go(name)} onPress={() => onGo?.(told)} />}
    </span>
  );
}

/** The sign of what became of something: read out in words. */
export function Sign({ is, label }: { readonly is: Signed; readonly label: string }) {
  const { tone, sign } = lookOf(is);
  return (
    <span class={`difference-sign is-${tone}`} title={label}>
      <span aria-hidden="true">{sign}</span>
      <span class="visually-hidden">{label}</span>
    </span>
  );
}

/** Where what is gone led says nothing any more. */
function shownLeads({ is, leads }: Told): readonly ToldLead[] {
  return is === "removed" ? [] : leads;
}

function movedText({ fromGroupId }: Told, { words, names, outline }: Telling): string {
  if (fromGroupId === undefined) return words.movedWithin;
  return words.movedFrom(names.before.group(fromGroupId) ?? outline.untitled);
}
