/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { differenceByWord, type Run } from "../../../editing/words.ts";
import type { JsonObject } from "../../../interpreter/flow.ts";
import type { FieldSchema } from "../forms/index.ts";
import { schemaAt, widgetOf } from "../forms/index.ts";
import { Icon } from "../ui/index.ts";
import { labelOf, schemaOf } from "./fields.ts";
import type { AllNames } from "./names.ts";
import { itemName, targetText } from "./naming.ts";
import type { Telling } from "./telling.ts";
import type { Told, ToldLead, ToldValue } from "./told.ts";
import { colorIn, isCode, storedText, valueText } from "./values.ts";

type ValueProps = {
  readonly told: Told;
  readonly value: ToldValue;
  readonly telling: Telling;
  readonly block: JsonObject | undefined;
};

/** A field as it was and as it is: short values side by side, texts by word, code with its lines. */
export function Value({ told, value: { path, from, to }, telling, block }: ValueProps) {
  const { words, schemas, names } = telling;
  const holder = schemaOf({ of: told.of, value: told.after ?? told.before ?? {}, block }, schemas);
  const field = holder && schemaAt(holder, path);
  const textOf = (value: unknown, side: AllNames) => valueText(value, field, { names: side, words });
  const [before, after] = [textOf(from, names.before), textOf(to, names.after)];
  const isSame = before === after;
  // What is the same in words is told as it is stored, but for a text: there that would help nobody.
  const isLooks = isSame && field !== undefined && widgetOf(field) === "richText";
  const sides = isSame ? ([storedText(from), storedText(to)] as const) : ([before, after] as const);
  return (
    <Field label={labelOf(holder, path)}>
      {isLooks ? (
        <span class="difference-looks">{words.looksOnly}</span>
      ) : (
        <Sides {...{ sides, from, to, telling }} isCode={isSame || isCode(field, to ?? from)} field={field} />
      )}
    </Field>
  );
}

type SidesProps = {
  readonly sides: readonly [string, string];
  readonly from: unknown;
  readonly to: unknown;
  readonly isCode: boolean;
  readonly field: FieldSchema | undefined;
  readonly telling: Telling;
};

function Sides({ sides: [before, after], from, to, isCode: isOfCode, field, telling }: SidesProps) {
  const { words } = telling;
  const colors = [colorIn(from), colorIn(to)] as const;
  const isShort = before.length + after.length < 32 || colors.some((color) => color !== undefined);
  const isOneWord = field !== undefined && wholes.has(widgetOf(field));
  if (before !== "" && after !== "" && !isShort && !isOneWord) {
    return <ByWord runs={differenceByWord(before, after)} isCode={isOfCode} telling={telling} />;
  }
  const shown = (text: string, value: unknown, color: string | undefined) =>
    text === "" ? value === undefined ? words.byDefault : words.none : <Swatched text={long(text)} color={color} />;
  return (
    <span class={isOfCode ? "difference-code" : ""}>
      <FromTo from={shown(before, from, colors[0])} to={shown(after, to, colors[1])} telling={telling} />
    </span>
  );
}

/** Names and addresses: a part of one says nothing. */
const wholes: ReadonlySet<string> = new Set(["variable", "group", "block", "bot", "credentials", "choice", "media"]);

/** More of what came or went as a whole is read where it stands. */
function long(text: string): string {
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}

/** Where a place of a flow led, and where it leads. */
export function Lead({
  told,
  lead,
  telling,
}: {
  readonly told: Told;
  readonly lead: ToldLead;
  readonly telling: Telling;
}) {
  const { words, names } = telling;
  const { outlet, from, to } = lead;
  const isOfItem = outlet.itemId !== undefined && told.of !== "item";
  const label =
    outlet.kind === "failure"
      ? words.onFailure
      : isOfItem
        ? words.leadsOf(itemName(told, outlet.itemId, telling))
        : words.leadsTo;
  const [before, after] = [targetText(from, names.before, words), targetText(to, names.after, words)];
  return (
    <Field label={label}>{told.is === "added" ? after : <FromTo from={before} to={after} telling={telling} />}</Field>
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
  readonly telling: Telling;
};

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

type ByWordProps = { readonly runs: readonly Run[]; readonly isCode: boolean; readonly telling: Telling };

/** A text with what went and what came; of long parts that stayed only their ends. */
function ByWord({ runs, isCode: isOfCode, telling: { words } }: ByWordProps) {
  const cut = isOfCode ? cutLines : cutText;
  return (
    <span class={isOfCode ? "difference-code" : "difference-text"}>
      {runs.map(({ is, text }, index) => {
        if (is === "same") return cut(text, { isFirst: index === 0, isLast: index === runs.length - 1 });
        const Tag = is === "removed" ? "del" : "ins";
        return (
          <Tag key={index}>
            <span class="visually-hidden">{is === "removed" ? words.wordsRemoved : words.wordsAdded} </span>
            {long(text)}
          </Tag>
        );
      })}
    </span>
  );
}

type Ends = { readonly isFirst: boolean; readonly isLast: boolean };

const around = 60;

function cutText(text: string, { isFirst, isLast }: Ends): string {
  if (text.length <= around * 3) return text;
  const [head, tail] = [text.slice(0, around), text.slice(-around)];
  return isFirst ? `…${tail}` : isLast ? `${head}…` : `${head} … ${tail}`;
}

const linesAround = 3;

/** Of code whole lines stay, so that it is still to be read. */
function cutLines(text: string, { isFirst, isLast }: Ends): string {
  const lines = text.split("\n");
  if (lines.length <= linesAround * 2 + 2) return cutText(text, { isFirst, isLast });
  const [head, tail] = [lines.slice(0, linesAround), lines.slice(-linesAround)];
  return [...(isFirst ? [] : head), "⋯", ...(isLast ? [] : tail)].join("\n");
}
