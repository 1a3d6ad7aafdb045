import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { FormLayout } from "../../../core/interpreter/schemas/form-layout.ts";
import formWords from "../words/en/form.json";
import { useWords, type WordsOf } from "../words/index.ts";
import type { FieldProps, FieldsProps, FormContext, OnSet } from "./contract.ts";
import { FormRootContext, useFormRoot } from "./form-root.ts";
import { cellsOf } from "./layout/cells.ts";
import { Layout } from "./layout.tsx";
import { rememberMade } from "./made.ts";
import type { FieldSchema } from "./schema.ts";
import type { Held } from "./several.ts";
import { aroundOf, isObject, isOfType, isShown, type Path, presentValue, schemaAt, valueAt } from "./values.ts";
import { widgetOf } from "./widget-of.ts";
import { Json } from "./widgets/json.tsx";
import { widgets } from "./widgets.ts";
import "./form.css";

export type FormProps = {
  /** Absent for a value without a description: its keys are edited as JSON. */
  readonly schema: FieldSchema | undefined;
  /** The stored value: a block, a theme … It may have keys that the schema does not contain. */
  readonly value: unknown;
  /** The rows of the whole form; absent: all fields, as the schema has them. */
  readonly layout?: FormLayout | undefined;
  /** The part of the value that is drawn: `["items", 2]`; absent: all. */
  readonly at?: Path;
  /** Only these fields: the remaining ones are in other forms. */
  readonly only?: readonly string[] | undefined;
  /** Whether keys that the schema does not contain are drawn beside `only`. */
  readonly hasUnknown?: boolean | undefined;
  /** Called only for changes by an author. Paths begin at `value`, even if only a part is drawn. */
  readonly onSet: OnSet;
  readonly context: FormContext;
};

/** A form for a stored value, built from its schema. */
export function Form({ schema = anything, value, layout, at = [], only, hasUnknown, onSet, context }: FormProps) {
  const thing = `${isObject(value) ? value["id"] : ""} ${at.join(".")}`;
  const made = useMemo(rememberMade, [thing]);
  const asked = useSignal(0);
  const shown = useRef(value);
  shown.current = value;
  const rows = at.length === 0 && only === undefined ? layout : undefined;
  const root = useMemo(() => {
    const set: OnSet = (path, next, over) => {
      const [at, value] = made.settle(shown.current, path, next);
      onSet(at, value, at.length === path.length ? over : undefined);
    };
    // A value that several things share does not determine the other values of each.
    const cells = cellsOf(rows ?? []);
    const placed = new Set(cells.flatMap(({ field = [] }) => field));
    const hasSend = cells.some(({ widget }) => widget === "send");
    return { context, onSet: context.mixed ? onSet : set, placed, asked, hasSend, Field, Fields };
  }, [context, onSet, made, rows, asked]);
  const part = schemaAt(schema, at) ?? anything;
  return (
    <FormRootContext.Provider value={root}>
      {/* The typed text belongs to this thing: another's form starts again. */}
      <div key={thing} class="app-form">
        {rows && <Layout rows={rows} schema={schema} value={value} />}
        <Fields
          {...{
            schema: part,
            value: valueAt(value, at),
            path: at,
            around: aroundOf(schema, value, at),
            only,
            hasUnknown,
          }}
          isRoot
          isRest={rows !== undefined}
        />
      </div>
    </FormRootContext.Provider>
  );
}

const anything: FieldSchema = { type: "object", properties: {} };

/** The fields of an object: the frequently needed ones, then the folded ones. */
function Fields({
  schema,
  value,
  path,
  around,
  only,
  hasUnknown = only === undefined,
  isRoot = false,
  isRest = false,
}: FieldsProps) {
  const words = useWords(formWords);
  const { placed } = useFormRoot();
  const inside = [...around, { schema, value }];
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([key, field]) =>
      (only?.includes(key) ?? true) &&
      isShown(field, inside) &&
      !isKeptEmpty(field, stored(value, key)) &&
      !isPlaced({ schema: field, value: stored(value, key), path: [...path, key], around: inside }, placed),
  );
  // The content of a block comes before its behaviour.
  if (isRoot) entries.sort(([one], [other]) => Number(other === "items") - Number(one === "items"));
  const draw = ([key, field]: readonly [string, FieldSchema]): ComponentChildren =>
    isRoot && parts.has(key) && field.properties ? (
      <Fields
        key={key}
        schema={field}
        value={stored(value, key)}
        path={[...path, key]}
        around={inside}
        isRest={isRest}
      />
    ) : (
      <Field key={key} schema={field} value={stored(value, key)} path={[...path, key]} around={inside} />
    );
  // A section that was requested by name is not folded if it is the only one.
  const mayFold = only === undefined || entries.some(([, field]) => !isFolded(field));
  const folded = entries.filter(([, field]) => mayFold && (isFolded(field) || (isRest && isRoot)));
  const unknown = hasUnknown ? unknownKeys(schema, value, path.length === 0 || typeof path.at(-1) === "number") : [];
  const unknownFields = unknown.map((key) => (
    <Field
      key={key}
      schema={{ title: key, help: words.unknownKeysHelp }}
      value={stored(value, key)}
      path={[...path, key]}
      around={inside}
    />
  ));
  // Below a layout everything is already folded together.
  if (isRest && !isRoot) return [...entries.map(draw), ...unknownFields];
  return (
    <>
      {entries.filter((entry) => !folded.includes(entry)).map(draw)}
      {folded.length + unknown.length > 0 && (
        <details class="app-form-more">
          <summary>{words.more}</summary>
          <div class="app-form-fields">
            {folded.map(draw)}
            {unknownFields}
          </div>
        </details>
      )}
      {isRoot && !isRest && entries.length + unknown.length === 0 && <p class="app-form-empty">{words.empty}</p>}
    </>
  );
}

const parts = new Set(["content", "options"]);

function isFolded({ isAdvanced = false, widget }: FieldSchema): boolean {
  return isAdvanced || widget === "kept";
}

/**
 * Whether a layout draws everything that a form would show of a field. For an object, all its fields and its unknown
 * keys count.
 */
function isPlaced({ schema, value, path, around }: FieldProps, placed: ReadonlySet<string>): boolean {
  if (placed.size === 0) return false;
  if (placed.has(path.join("."))) return true;
  const inner = Object.entries(schema.properties ?? {});
  const inside = [...around, { schema, value }];
  return (
    inner.length > 0 &&
    inner.every(
      ([key, field]) =>
        isKeptEmpty(field, stored(value, key)) ||
        !isShown(field, inside) ||
        isPlaced({ schema: field, value: stored(value, key), path: [...path, key], around: inside }, placed),
    ) &&
    unknownKeys(schema, value, false).length === 0 &&
    isOfType(schema, value)
  );
}

function isKeptEmpty({ widget }: FieldSchema, value: unknown): boolean {
  return widget === "kept" && isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function stored(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The keys that the schema does not contain. In blocks and in entries of lists, some are not editable. */
function unknownKeys({ properties = {} }: FieldSchema, value: unknown, isThing: boolean): readonly string[] {
  if (!isObject(value)) return [];
  return Object.keys(value).filter(
    (key) => !Object.hasOwn(properties, key) && !(isThing && envelope.has(key)) && value[key] !== null,
  );
}

const envelope = new Set(["id", "type", "outgoingEdgeId", "blockId", "groupId", "graphCoordinates", "lint"]);

/** One field, drawn by its widget; a stored value of another type than the widget's is drawn as JSON. */
function Field({ schema, value, path, around, as }: FieldProps) {
  const { onSet, context } = useFormRoot();
  const words = useWords(formWords);
  const present = presentValue(value);
  const Widget = isOfType(schema, present) ? widgets[as ?? widgetOf(schema)] : Json;
  const held = context.mixed?.get(path.join("."));
  // A field with several values shows none, and no default.
  const drawn = held ? { ...schema, default: undefined, help: mixedWords(held, words) } : schema;
  const isWhole = schema.properties === undefined && schema.items?.properties === undefined;
  return (
    <>
      <Widget
        schema={drawn}
        value={present}
        path={path}
        around={around}
        set={(next, over) => onSet(path, next, over)}
      />
      {context.below?.(path, { isWhole })}
    </>
  );
}

function mixedWords(held: readonly Held[], words: WordsOf<"form">): string {
  const [said, rest] = [held.slice(0, mostSaid), held.slice(mostSaid)];
  const named = said.flatMap(({ text, count }) =>
    text === undefined ? [] : text === "" ? [words.heldNothing({ count })] : [words.held({ text, count })],
  );
  const others = [...said.filter(({ text }) => text === undefined), ...rest].reduce((sum, { count }) => sum + count, 0);
  return words.mixedOf({ values: [...named, ...(others > 0 ? [words.heldOther({ count: others })] : [])].join(", ") });
}

const mostSaid = 3;
