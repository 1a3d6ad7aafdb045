import { useSignalEffect } from "@preact/signals";
import { useState } from "preact/hooks";
import type {
  FormCell,
  FormLayout,
  FormRow,
  FormTab,
  FormTabs,
  FormWidget,
} from "../../../core/interpreter/schemas/form-layout.ts";
import { Tabs } from "../ui/index.ts";
import type { FormContext } from "./contract.ts";
import { useFormRoot } from "./form-root.ts";
import { cellsOf } from "./layout/cells.ts";
import type { FieldSchema } from "./schema.ts";
import { aroundOf, isShown, type Path, schemaAt, valueAt } from "./values.ts";
import { widgets } from "./widgets.ts";
import "./layout.css";

type Laid = { readonly schema: FieldSchema; readonly value: unknown };

/** Renders the rows of a form in the layout of the block's type. */
export function Layout({ rows, ...laid }: Laid & { readonly rows: FormLayout }) {
  return (
    <>
      {rows.map((row, index) => (
        <Row key={index} row={row} {...laid} />
      ))}
    </>
  );
}

function Row({ row, ...laid }: Laid & { readonly row: FormRow }) {
  const { context } = useFormRoot();
  if ("tabs" in row) return <TabbedRows tabs={row.tabs} {...laid} />;
  if ("fold" in row)
    return (
      <details class="app-form-more">
        <summary>{row.fold}</summary>
        <div class="app-form-fields">
          <Layout rows={row.rows} {...laid} />
        </div>
      </details>
    );
  const shown = row.cells.filter((cell) => isDrawn(cell, laid, context));
  if (shown.length === 0) return null;
  // A single cell is rendered like a field outside a row. The wrapping element stays the same when another cell
  // appears.
  return (
    <div
      class={shown.length === 1 ? "app-form-cells is-single" : "app-form-cells"}
      style={{
        gridTemplateColumns: shown.map(columnOf).join(" "),
      }}
    >
      {shown.map((cell) => (
        <div key={cell.field ?? cell.widget}>
          <Cell cell={cell} {...laid} />
        </div>
      ))}
    </div>
  );
}

function columnOf({ width = 1, pixels }: FormCell): string {
  if (pixels !== undefined) return `${pixels}px`;
  return width === 0 ? "auto" : `minmax(0, ${width}fr)`;
}

/**
 * Renders rows in tabs. All tabs are mounted, so that each field keeps its typed text, but only the selected tab is
 * visible.
 */
function TabbedRows({ tabs, ...laid }: Laid & FormTabs) {
  const { asked } = useFormRoot();
  const [selected, setSelected] = useState(0);
  const withTrial = tabs.findIndex(({ rows }) => cellsOf(rows).some(({ widget }) => widget === "trial"));
  // Selects the tab with the trial, in which the response appears.
  useSignalEffect(() => {
    if (asked.value > 0 && withTrial >= 0) setSelected(withTrial);
  });
  const shown = Math.min(selected, tabs.length - 1);
  return (
    <Tabs
      label={tabs.map(({ title }) => title).join(", ")}
      tabs={tabs.map((tab, index) => ({ id: String(index), label: tab.title, badge: badgeOf(tab, laid) }))}
      selected={String(shown)}
      onSelect={(id) => setSelected(Number(id))}
    >
      {tabs.map(({ title, rows }, index) => (
        <div key={title} class="app-form-fields" hidden={index !== shown}>
          <Layout rows={rows} {...laid} />
        </div>
      ))}
    </Tabs>
  );
}

function badgeOf({ counts }: FormTab, { value }: Laid) {
  const list = counts === undefined ? undefined : valueAt(value, pathOf(counts));
  return Array.isArray(list) && list.length > 0 ? <span class="app-form-count">{list.length}</span> : undefined;
}

function Cell({ cell: { field, widget }, schema, value }: Laid & { readonly cell: FormCell }) {
  const { Field } = useFormRoot();
  const path = field === undefined ? [] : pathOf(field);
  const found = schemaAt(schema, path);
  if (field !== undefined && found)
    return (
      <Field
        schema={found}
        value={valueAt(value, path)}
        path={path}
        around={aroundOf(schema, value, path)}
        as={widget}
      />
    );
  const Widget = widget && widgets[widget];
  return Widget ? <Widget schema={schema} value={value} path={[]} around={[]} set={() => {}} /> : null;
}

function isDrawn({ field, widget }: FormCell, { schema, value }: Laid, context: FormContext): boolean {
  if (field === undefined) return widget === undefined || hasPart(widget, context);
  const path = pathOf(field);
  const found = schemaAt(schema, path);
  return found !== undefined && isShown(found, aroundOf(schema, value, path));
}

/** Whether the form context provides the content of a widget that has no field of its own. */
function hasPart(widget: FormWidget, { Trial, Check, follow, isReadOnly }: FormContext): boolean {
  if (widget === "check") return Check !== undefined;
  if (widget === "follows") return follow !== undefined && !isReadOnly;
  return Trial !== undefined;
}

export function pathOf(field: string): Path {
  return field.split(".");
}
