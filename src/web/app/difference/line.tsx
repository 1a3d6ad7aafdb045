import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import { announce, Button, Icon, IconButton } from "../ui/index.ts";
import type { LineContext } from "./line-context.ts";
import { lookOf, type Signed, signOf } from "./marks.ts";
import { nameOf } from "./naming.ts";
import type { LeadChange, ThingChange } from "./thing-change.ts";
import { Beside, Lead, Value } from "./value.tsx";

export type LineProps = {
  readonly changed: ThingChange;
  readonly context: LineContext;
  /** The block that contains the item, if the entry is an item. */
  readonly block?: JsonObject | undefined;
};

/** The entry of a changed object, with its fields and the entries of the objects in it. */
export function Line({ changed, context, block }: LineProps) {
  const { words, onGo } = context;
  const isCurrent = useComputed(() => context.current?.value === changed.key).value;
  const line = useRef<HTMLDivElement>(null);
  const is = signOf(changed);
  const { what, icon, says } = nameOf(changed, context, block);
  const name = says === "" ? what : `${what} ${says}`;
  useLayoutEffect(() => {
    if (!isCurrent) return;
    line.current?.scrollIntoView({ block: "nearest" });
    announce(is === undefined ? name : `${words.is[is]}: ${name}`);
  }, [isCurrent]);
  const own = changed.after ?? changed.before;
  const leads = shownLeads(changed);
  const mayGo = onGo !== undefined && goes.has(changed.of) && changed.id !== undefined;
  // With a mouse, the whole entry can be pressed. The keyboard and screen readers use its button.
  const press = {
    onClick(event: MouseEvent) {
      const isOther = event.target instanceof Element && event.target.closest("button, a") !== null;
      if (mayGo && !isOther) onGo(changed);
    },
  };
  return (
    <li
      class={`difference-item is-${changed.of} ${is === undefined ? "" : `is-${is}`} ${isCurrent ? "is-current" : ""}`}
    >
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
          {changed.isMoved && is !== undefined && is !== "added" && (
            <span class="difference-moved">{movedText(changed, context)}</span>
          )}
          {changed.isMovedOnCanvas && is === "moved" && <span class="difference-moved">{words.movedOnCanvas}</span>}
        </span>
        <LineActs {...{ changed, context, name, mayGo }} />
      </div>
      {changed.values.length + leads.length + changed.beside.length > 0 && (
        <dl class="difference-fields">
          {changed.values.map((value) => (
            <Value key={value.path.join(".")} changed={changed} value={value} context={context} block={block} />
          ))}
          {leads.map((lead) => (
            <Lead key={JSON.stringify(lead.outlet.path) + (lead.outlet.itemId ?? "")} {...{ changed, lead, context }} />
          ))}
          {changed.beside.map((beside) => (
            <Beside key={beside.what} beside={beside} context={context} />
          ))}
        </dl>
      )}
      <Lines changed={changed.inner} context={context} block={changed.of === "block" ? own : undefined} />
    </li>
  );
}

/** The number of entries that are rendered initially. Buttons add the entries before and after them. */
const linesAtOnce = 60;
/** The number of entries above the current entry in a long list. */
const linesBefore = 8;

export type LinesProps = {
  readonly changed: readonly ThingChange[];
  readonly context: LineContext;
  readonly block?: JsonObject | undefined;
};

type Shown = { readonly from: number; readonly to: number };

/** Renders a list of entries. If the list is long, renders only a part that includes the current entry. */
export function Lines({ changed, context, block }: LinesProps) {
  const [asked, setAsked] = useState<Shown>({ from: 0, to: linesAtOnce });
  const current = useComputed(() => indexOf(changed, context.current?.value)).value;
  if (changed.length === 0) return null;
  const shown = current === -1 || isIn(current, asked) ? asked : aroundOf(current);
  // The part around the current entry remains rendered when another entry is selected in it.
  if (shown !== asked) setAsked(shown);
  const before = shown.from;
  const after = changed.length - shown.to;
  return (
    <>
      {before > 0 && (
        <Button
          label={context.words.moreBefore({ count: before })}
          size="s"
          class="difference-more"
          onPress={() => setAsked({ from: Math.max(0, shown.from - linesAtOnce), to: shown.to })}
        />
      )}
      <ul class="difference-lines">
        {changed.slice(shown.from, shown.to).map((one) => (
          <Line key={one.key} changed={one} context={context} block={block} />
        ))}
      </ul>
      {after > 0 && (
        <Button
          label={context.words.more({ count: after })}
          size="s"
          class="difference-more"
          onPress={() => setAsked({ from: shown.from, to: shown.to + linesAtOnce })}
        />
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

/** Returns the index of the entry that is current or contains the current entry. */
function indexOf(changed: readonly ThingChange[], key: string | undefined): number {
  return key === undefined ? -1 : changed.findIndex((one) => holds(one, key));
}

function holds({ key, inner }: ThingChange, wanted: string): boolean {
  return key === wanted || inner.some((one) => holds(one, wanted));
}

const goes: ReadonlySet<string> = new Set(["group", "block", "event", "item", "edge"]);
const opens: ReadonlySet<string> = new Set(["group", "block", "event"]);

type ActsProps = {
  readonly changed: ThingChange;
  readonly context: LineContext;
  readonly name: string;
  readonly mayGo: boolean;
};

function LineActs({ changed, context: { words, onGo, onOpen }, name, mayGo }: ActsProps) {
  const mayOpen = onOpen !== undefined && changed.after !== undefined && opens.has(changed.of);
  const { id } = changed;
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
      {mayGo && <IconButton icon="locate" size="s" label={words.go({ name })} onPress={() => onGo?.(changed)} />}
    </span>
  );
}

/** The sign for the kind of change, with a label for screen readers. */
export function Sign({ is, label }: { readonly is: Signed; readonly label: string }) {
  const { tone, sign } = lookOf(is);
  return (
    <span class={`difference-sign is-${tone}`} title={label}>
      <span aria-hidden="true">{sign}</span>
      <span class="visually-hidden">{label}</span>
    </span>
  );
}

function shownLeads({ is, leads }: ThingChange): readonly LeadChange[] {
  return is === "removed" ? [] : leads;
}

function movedText({ fromGroupId }: ThingChange, { words, names, outline }: LineContext): string {
  if (fromGroupId === undefined) return words.movedWithin;
  return words.movedFrom({ title: names.before.group(fromGroupId) ?? outline.untitled });
}
