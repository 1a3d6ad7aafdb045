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
  /** Absent for a value without a schema, whose keys are edited as JSON. */
  readonly schema: FieldSchema | undefined;
  /** The stored value, such as a block or a theme. It may have keys that are missing from the schema. */
  readonly value: unknown;
  /** The layout of the whole form. If absent, all fields are rendered in the order of the schema. */
  readonly layout?: FormLayout | undefined;
  /** The path of the rendered part, such as `["items", 2]`. If absent, the whole value is rendered. */
  readonly at?: Path;
  /** If present, only these fields are rendered, because the remaining fields are in other forms. */
  readonly only?: readonly string[] | undefined;
  /** Whether keys that are missing from the schema are rendered in addition to `only`. */
  readonly hasUnknown?: boolean | undefined;
  /** Called only for changes by the author. Paths start at `value`, even if only a part is rendered. */
  readonly onSet: OnSet;
  readonly context: FormContext;
};

/** A form for a stored value, generated from its schema. */
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
    const cells = cellsOf(rows ?? []);
    const placed = new Set(cells.flatMap(({ field = [] }) => field));
    const hasSend = cells.some(({ widget }) => widget === "send");
    // A form of several blocks uses `onSet` directly, because the shared value does not determine the other values of
    // each block.
    return { context, onSet: context.mixed ? onSet : set, placed, asked, hasSend, Field, Fields };
  }, [context, onSet, made, rows, asked]);
  const part = schemaAt(schema, at) ?? anything;
  return (
    <FormRootContext.Provider value={root}>
      {/* The key discards unfinished text when the form shows another object. */}
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

/** Renders the fields of an object: first the frequently used fields, then the collapsed ones. */
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
  // The items of a block come before its options.
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
  // If all requested fields would be collapsed, they are expanded.
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
  // Below a layout, all remaining fields are already in one collapsed section.
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
 * Whether a layout renders everything that a form would show of a field. For an object, this includes all its fields
 * and unknown keys.
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

/**
 * Returns the keys that are missing from the schema, except keys with the value null. Some keys of blocks and list
 * entries are never editable.
 */
function unknownKeys({ properties = {} }: FieldSchema, value: unknown, isThing: boolean): readonly string[] {
  if (!isObject(value)) return [];
  return Object.keys(value).filter(
    (key) => !Object.hasOwn(properties, key) && !(isThing && envelope.has(key)) && value[key] !== null,
  );
}

const envelope = new Set(["id", "type", "outgoingEdgeId", "blockId", "groupId", "graphCoordinates", "lint"]);

/** Renders a field with its widget. A stored value whose type does not match the schema is rendered as JSON. */
function Field({ schema, value, path, around, as }: FieldProps) {
  const { onSet, context } = useFormRoot();
  const words = useWords(formWords);
  const present = presentValue(value);
  const Widget = isOfType(schema, present) ? widgets[as ?? widgetOf(schema)] : Json;
  const held = context.mixed?.get(path.join("."));
  // A field with several different values shows no value and no default.
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
