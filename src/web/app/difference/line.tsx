/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { differenceByWord, type Run } from "../../../editing/words.ts";
import { type JsonObject, textAt } from "../../../interpreter/flow.ts";
import { type BlockType, type Names, rowText } from "../forms/index.ts";
import { Icon, IconButton } from "../ui/index.ts";
import type { DifferenceWords } from "../words/difference.ts";
import type { OutlineWords } from "../words/flow-outline.ts";
import { colorIn, labelOf, type Schemas, schemaOf, valueText } from "./fields.ts";
import { lookOf, type Signed, signOf } from "./marks.ts";
import type { Told, ToldLead, ToldValue } from "./told.ts";

/** What lines are told with. */
export type Telling = {
  readonly words: DifferenceWords;
  readonly outline: OutlineWords["outline"];
  readonly eventNames: Readonly<Record<string, string>>;
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly schemas: Schemas;
  readonly names: { readonly before: Names; readonly after: Names };
  readonly onGo?: ((id: string) => void) | undefined;
};

/** What became of one thing, with its fields and what lies in it. */
export function Line({ told, telling, block }: { told: Told; telling: Telling; block?: JsonObject | undefined }) {
  const { words, onGo } = telling;
  const is = signOf(told);
  const { what, icon, says } = nameOf(told, telling);
  const mayGo = onGo !== undefined && told.after !== undefined && goes.has(told.of) && told.id !== undefined;
  const name = says === "" ? what : `${what} ${says}`;
  const own = told.after ?? told.before;
  return (
    <li class={`difference-item is-${told.of} ${is === undefined ? "" : `is-${is}`}`}>
      <div class="difference-line">
        {is !== undefined && <Sign is={is} label={words.is[is]} />}
        <Icon name={icon} size={15} class="difference-icon" />
        <span class="difference-name">
          <span class="difference-what">{what}</span>
          {says !== "" && <span class="difference-says">{says}</span>}
          {told.isMoved && is !== undefined && is !== "added" && (
            <span class="difference-moved">{movedText(told, telling)}</span>
          )}
          {told.isMovedOnCanvas && is === "moved" && <span class="difference-moved">{words.movedOnCanvas}</span>}
        </span>
        {mayGo && (
          <IconButton
            icon="arrow-right"
            size="s"
            label={words.go(name)}
            onPress={() => told.id !== undefined && onGo(told.id)}
          />
        )}
      </div>
      {(told.values.length > 0 || shownLeads(told).length > 0) && (
        <dl class="difference-fields">
          {told.values.map((value) => (
            <Value key={value.path.join(".")} told={told} value={value} telling={telling} block={block} />
          ))}
          {shownLeads(told).map((lead) => (
            <Lead key={JSON.stringify(lead.outlet.path) + (lead.outlet.itemId ?? "")} {...{ told, lead, telling }} />
          ))}
        </dl>
      )}
      {told.inner.length > 0 && (
        <ul class="difference-lines">
          {told.inner.map((one) => (
            <Line key={one.key} told={one} telling={telling} block={told.of === "block" ? own : undefined} />
          ))}
        </ul>
      )}
    </li>
  );
}

const goes: ReadonlySet<string> = new Set(["group", "block", "event"]);

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
  return words.movedFrom(names.before.group(fromGroupId) || outline.untitled);
}

type Named = { readonly what: string; readonly icon: string; readonly says: string };

function nameOf(told: Told, telling: Telling): Named {
  const { words, outline, eventNames, types } = telling;
  const value = told.after ?? told.before ?? {};
  const type = textAt(value, "type") ?? "";
  switch (told.of) {
    case "group":
      return { what: textAt(value, "title") || outline.untitled, icon: "folder", says: "" };
    case "event": {
      const icon = types?.get(type)?.editor.icon ?? (type === "start" ? "play" : "radio");
      return { what: eventNames[type] ?? type, icon, says: textAt(value, "options", "command") ?? "" };
    }
    case "block": {
      const known = types?.get(type);
      const names = told.after ? telling.names.after : telling.names.before;
      const text = known ? rowText(known.editor.row, { schema: known.schema, value, names }) : "";
      // What is told below as a field is not said here, too.
      const isToldBelow = told.values.length > 0 || told.inner.length > 0;
      const says = isToldBelow || text === "" ? "" : shortened(text);
      return { what: known?.editor.name ?? type, icon: known?.editor.icon ?? "square-dashed", says };
    }
    case "item":
      return { what: words.item, icon: "circle-dashed", says: told.values.length > 0 ? "" : itemText(value) };
    case "variable":
      return { what: words.variable, icon: "braces", says: textAt(value, "name") ?? "" };
    case "edge":
      return { what: words.connection, icon: "arrow-right", says: edgeText(told, telling) };
    case "bot":
      return { what: words.flow, icon: "list-tree", says: "" };
    default:
      return {
        what: words[told.of],
        icon: icons[told.of],
        says: textAt(value, "text") ?? textAt(value, "title") ?? "",
      };
  }
}

/** An edge that no place of the flow leads on by. */
function edgeText({ before, after }: Told, { names, outline, words }: Telling): string {
  const side = after ? names.after : names.before;
  const groupId = textAt(after ?? before, "to", "groupId");
  return words.leadsOn(groupId === undefined ? words.gone : side.group(groupId) || outline.untitled);
}

const icons = { theme: "sun", settings: "settings", note: "pencil", frame: "square-dashed", editor: "pencil" } as const;

function itemText(item: JsonObject): string {
  return textAt(item, "content") ?? textAt(item, "title") ?? textAt(item, "path") ?? "";
}

function shortened(text: string): string {
  return text.length > 140 ? `${text.slice(0, 139)}…` : text;
}

type ValueProps = { told: Told; value: ToldValue; telling: Telling; block: JsonObject | undefined };

function Value({ told, value: { path, from, to }, telling, block }: ValueProps) {
  const { words, schemas, names } = telling;
  const schema = schemaOf({ of: told.of, value: told.after ?? told.before ?? {}, block }, schemas);
  const textOf = (value: unknown, side: Names) => valueText(value, { schema, path, names: side, words });
  const [before, after] = [textOf(from, names.before), textOf(to, names.after)];
  const colors = [colorIn(from), colorIn(to)] as const;
  const isShort = before.length + after.length < 32 || colors.some((color) => color !== undefined);
  return (
    <Field label={labelOf(schema, path)}>
      {before === after ? (
        <span class="difference-looks">{words.looksOnly}</span>
      ) : before === "" || after === "" || isShort ? (
        <FromTo
          from={
            before === "" ? (
              from === undefined ? (
                words.byDefault
              ) : (
                words.none
              )
            ) : (
              <Swatched text={before} color={colors[0]} />
            )
          }
          to={
            after === "" ? to === undefined ? words.byDefault : words.none : <Swatched text={after} color={colors[1]} />
          }
          telling={telling}
        />
      ) : (
        <ByWord runs={differenceByWord(before, after)} telling={telling} />
      )}
    </Field>
  );
}

function Lead({ told, lead, telling }: { told: Told; lead: ToldLead; telling: Telling }) {
  const { words } = telling;
  const { outlet, from, to } = lead;
  const target = (of: ToldLead["from"], side: Names) =>
    of === undefined ? words.nowhere : (side.group(of.groupId) ?? words.gone) || telling.outline.untitled;
  const isOfItem = outlet.itemId !== undefined && told.of !== "item";
  const label =
    outlet.kind === "failure"
      ? words.onFailure
      : isOfItem
        ? words.leadsOf(itemName(told, outlet.itemId))
        : words.leadsTo;
  return (
    <Field label={label}>
      {told.is === "added" ? (
        target(to, telling.names.after)
      ) : (
        <FromTo from={target(from, telling.names.before)} to={target(to, telling.names.after)} telling={telling} />
      )}
    </Field>
  );
}

function itemName({ after, before }: Told, itemId: string | undefined): string {
  const block = after ?? before;
  const items: unknown = block?.["items"];
  const entries: readonly unknown[] = Array.isArray(items) ? items : [];
  const at = entries.findIndex((one) => textAt(one, "id") === itemId);
  const item = entries[at];
  return textAt(item, "content") ?? textAt(item, "title") ?? String(at + 1);
}

function Field({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type FromToProps = { from: ComponentChildren; to: ComponentChildren; telling: Telling };

function FromTo({ from, to, telling: { words } }: FromToProps) {
  return (
    <>
      <del>
        <span class="visually-hidden">{words.was} </span>
        {from}
      </del>
      <Icon name="arrow-right" size={13} />
      <span class="visually-hidden">{words.became} </span>
      <ins>{to}</ins>
    </>
  );
}

function Swatched({ text, color }: { readonly text: string; readonly color: string | undefined }) {
  return (
    <>
      {color !== undefined && <span class="difference-swatch" style={{ backgroundColor: color }} />}
      {text}
    </>
  );
}

/** A text with what went and what came; of long parts that stayed only their ends. */
function ByWord({ runs, telling: { words } }: { readonly runs: readonly Run[]; readonly telling: Telling }) {
  return (
    <span class="difference-text">
      {runs.map(({ is, text }, index) => {
        if (is === "same") return cut(text, { isFirst: index === 0, isLast: index === runs.length - 1 });
        const Tag = is === "removed" ? "del" : "ins";
        return (
          <Tag key={index}>
            <span class="visually-hidden">{is === "removed" ? words.wordsRemoved : words.wordsAdded} </span>
            {text}
          </Tag>
        );
      })}
    </span>
  );
}

const around = 60;

function cut(text: string, { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean }): string {
  if (text.length <= around * 3) return text;
  const [head, tail] = [text.slice(0, around), text.slice(-around)];
  return isFirst ? `…${tail}` : isLast ? `${head}…` : `${head} … ${tail}`;
}
