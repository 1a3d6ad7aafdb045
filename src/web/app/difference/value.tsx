import type { ComponentChildren } from "preact";
import { valueAtPath } from "../../../core/editing/changes/things.ts";
import { differenceByWord } from "../../../core/editing/text/words.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import { type FieldSchema, schemaAt, widgetOf } from "../forms/reading.ts";
import { Icon } from "../ui/index.ts";
import { labelOf, schemaOf } from "./fields.ts";
import type { LineContext } from "./line-context.ts";
import type { AllNames } from "./names.ts";
import { itemName, targetText } from "./naming.ts";
import { ByEntry, ByWord, long } from "./runs.tsx";
import { listsOf, type ShownValue, shownValue } from "./shown-value.ts";
import type { EditorDataChange, LeadChange, ThingChange, ValueChange } from "./thing-change.ts";
import { isCode, storedText } from "./values.ts";

type ValueProps = {
  readonly changed: ThingChange;
  readonly value: ValueChange;
  readonly context: LineContext;
  readonly block: JsonObject | undefined;
};

/**
 * Shows a field before and after the change: short values side by side, colours and pictures visually, texts by word,
 * lists by entry, and code with its lines.
 */
export function Value(props: ValueProps) {
  const { changed, value, context, block } = props;
  if (changed.of === "note" || changed.of === "frame")
    return <AreaValue changed={changed} value={value} context={context} />;
  const holder = schemaOf({ of: changed.of, value: changed.after ?? changed.before ?? {}, block }, context.schemas);
  const field = holder && schemaAt(holder, value.path);
  return (
    <Field label={labelOf(holder, value.path)}>
      <FieldValue {...props} holder={holder} field={field} />
    </Field>
  );
}

type FieldValueProps = ValueProps & {
  readonly holder: FieldSchema | undefined;
  readonly field: FieldSchema | undefined;
};

function FieldValue({ changed, value: { path, from, to }, context, holder, field }: FieldValueProps) {
  const { words, names } = context;
  const inner = path.slice(0, -1);
  const schema = holder && schemaAt(holder, inner);
  const shown = (value: unknown, whole: unknown, side: AllNames) =>
    shownValue(value, { field, around: { value: valueAtPath(whole, inner), schema } }, { names: side, words });
  const before = shown(from, changed.before, names.before);
  const after = shown(to, changed.after, names.after);
  const isSame = before.text === after.text && before.isByDefault === after.isByDefault;
  // Values that read the same are shown in their stored form. A rich text only gets a note, because its stored form is
  // not readable.
  if (isSame && field !== undefined && widgetOf(field) === "richText")
    return <span class="difference-looks">{words.looksOnly}</span>;
  if (isSame) {
    const [was, is] = [storedText(from), storedText(to)];
    return <Sides {...{ context }} isCode before={{ ...before, text: was }} after={{ ...after, text: is }} />;
  }
  const isOfCode = isCode(field, to ?? from);
  const sayings = { before: { names: names.before, words }, after: { names: names.after, words } };
  const lists = isOfCode ? undefined : listsOf(from, to, field, sayings);
  if (lists) return <ByEntry {...lists} context={context} />;
  const isOneWord = field !== undefined && wholes.has(widgetOf(field));
  return <Sides {...{ before, after, context, isOneWord }} isCode={isOfCode} />;
}

type SidesProps = {
  readonly before: ShownValue;
  readonly after: ShownValue;
  readonly isCode?: boolean;
  /** Whether the value is always shown as a whole. */
  readonly isOneWord?: boolean;
  readonly context: LineContext;
};

/** The total length from which two texts are compared by word. */
const mostBeside = 32;

function Sides({ before, after, isCode: isOfCode = false, isOneWord = false, context }: SidesProps) {
  const isSeen = [before, after].some(({ color, picture }) => color !== undefined || picture !== undefined);
  const areTexts = !before.isByDefault && !after.isByDefault && before.text !== "" && after.text !== "";
  const isLong = before.text.length + after.text.length >= mostBeside;
  if (areTexts && isLong && !isSeen && !isOneWord)
    return <ByWord runs={differenceByWord(before.text, after.text)} isCode={isOfCode} context={context} />;
  return (
    <span class={isOfCode ? "difference-code" : ""}>
      <FromTo
        from={<Side shown={before} context={context} />}
        to={<Side shown={after} context={context} />}
        {...{ context }}
      />
    </span>
  );
}

/** Names and URLs are not compared by word, because a part of a name or a URL is meaningless. */
const wholes: ReadonlySet<string> = new Set(["variable", "group", "block", "bot", "credentials", "choice", "media"]);

type SideProps = { readonly shown: ShownValue; readonly context: LineContext };

function Side({ shown: { text, color, picture, isByDefault }, context: { words } }: SideProps) {
  const said =
    text === ""
      ? isByDefault
        ? words.byDefault
        : words.none
      : isByDefault
        ? words.defaultOf({ text: long(text) })
        : long(text);
  return (
    <>
      {color !== undefined && <span class="difference-swatch" style={{ backgroundColor: color }} />}
      {picture !== undefined && <img class="difference-picture" src={picture} alt="" loading="lazy" onError={hide} />}
      {said}
    </>
  );
}

function hide({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  currentTarget.hidden = true;
}

/** A field of a note or a frame, which has no schema. */
function AreaValue({ changed, value: { path, from, to }, context }: Omit<ValueProps, "block">) {
  const { words } = context;
  const [key] = path;
  if (key === "color") {
    const usual = changed.of === "note" ? "yellow" : undefined;
    return <Tints label={words.area.color} from={from ?? usual} to={to ?? usual} context={context} />;
  }
  const isSize = key === "size";
  const text = (side: unknown): ShownValue => ({
    text: isSize ? sizeText(side) : storedText(side),
    isByDefault: isSize && side === undefined,
  });
  const label = key === "text" || key === "title" || key === "size" ? words.area[key] : labelOf(undefined, path);
  return (
    <Field label={label}>
      <Sides before={text(from)} after={text(to)} context={context} />
    </Field>
  );
}

function sizeText(size: unknown): string {
  const [width, height] = [valueAtPath(size, ["width"]), valueAtPath(size, ["height"])];
  return typeof width === "number" && typeof height === "number" ? `${width} × ${height}` : "";
}

type BesideProps = { readonly beside: EditorDataChange; readonly context: LineContext };

/** The change of a group's colour or lock. */
export function Beside({ beside: { what, from, to }, context }: BesideProps) {
  const { words } = context;
  if (what === "color") return <Tints label={words.area.color} from={from} to={to} context={context} />;
  const said = (side: unknown) => (side === true ? words.yes : words.no);
  return (
    <Field label={words.area.lock}>
      <FromTo from={said(from)} to={said(to)} context={context} />
    </Field>
  );
}

type TintsProps = {
  readonly label: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly context: LineContext;
};

/** The change from one canvas colour to another. */
function Tints({ label, from, to, context }: TintsProps) {
  const { words, tints } = context;
  const tint = (name: unknown) =>
    typeof name === "string" ? (
      <>
        {Object.hasOwn(tints, name) && <span class={`difference-swatch is-tint is-${name}`} />}
        {tints[name] ?? name}
      </>
    ) : (
      words.area.noColor
    );
  return (
    <Field label={label}>
      <FromTo from={tint(from)} to={tint(to)} context={context} />
    </Field>
  );
}

type LeadProps = { readonly changed: ThingChange; readonly lead: LeadChange; readonly context: LineContext };

/** The previous and the current target of an outlet. */
export function Lead({ changed, lead, context }: LeadProps) {
  const { words, names } = context;
  const { outlet, from, to } = lead;
  const isOfItem = outlet.itemId !== undefined && changed.of !== "item";
  const label =
    outlet.kind === "failure"
      ? words.onFailure
      : outlet.kind === "timeout"
        ? words.onTimeout
        : isOfItem
          ? words.leadsOf({ name: itemName(changed, outlet.itemId, context) })
          : words.leadsTo;
  const [before, after] = [targetText(from, names.before, words), targetText(to, names.after, words)];
  return (
    <Field label={label}>
      {changed.is === "added" ? after : <FromTo from={before} to={after} context={context} />}
    </Field>
  );
}

function Field({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

type FromToProps = {
  readonly from: ComponentChildren;
  readonly to: ComponentChildren;
  readonly context: LineContext;
};

function FromTo({ from, to, context: { words } }: FromToProps) {
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
