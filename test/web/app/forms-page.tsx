/** @jsxImportSource preact */
import { signal } from "@preact/signals";
import { render } from "preact";
import type { FormLayout } from "../../../src/core/interpreter/schemas/form-layout.ts";
import { Form, type FormContext } from "../../../src/web/app/forms/index.ts";
import type { FieldSchema } from "../../../src/web/app/forms/schema.ts";
import { isObject, isSame } from "../../../src/web/app/forms/values.ts";
import "../../../src/web/app/ui/tokens.css";
import "../../../src/web/app/styles/app.css";

/** A form on the test page for forms, and its value. */
export type ShownForm = { readonly name: string; readonly schema: FieldSchema; readonly value: unknown };

export type SetCall = { readonly path: readonly (string | number)[]; readonly value?: unknown };

export type FormsPage = {
  /** Sets the layouts of block types. A form whose name begins with a type uses the layout of the type. */
  lay(layouts: Readonly<Record<string, FormLayout>>): void;
  /** Renders the forms with all parts expanded, waits until they are complete, and removes them. */
  openAll(
    forms: readonly ShownForm[],
  ): Promise<{ readonly fields: number; readonly sets: readonly (SetCall & { readonly form: string })[] }>;
  /** Renders one form, which keeps its changes, and leaves it on the page. */
  show(form: ShownForm): Promise<void>;
  /** Replaces the shown form with another, like a panel whose selection changes. */
  swap(form: ShownForm): Promise<void>;
  /** Replaces the options of the shown object, as after another author's change. */
  swapOptions(options: object): Promise<void>;
  /** Writes into each field of the shown form, one after another. Returns the changes by each field. */
  writeEach(): Promise<
    readonly { readonly field: string; readonly sets: readonly SetCall[]; readonly changed: readonly string[] }[]
  >;
  /** Sets and unsets each field of the shown form, one after another. Returns the differences that remain. */
  setAndUnsetEach(): Promise<{ readonly fields: number; readonly left: readonly Left[] }>;
  sets(): readonly SetCall[];
  value(): unknown;
};

export type Left = { readonly field: string; readonly before: unknown; readonly after: unknown };

const variables = signal<readonly { readonly id: string; readonly name: string }[]>([
  { id: "v_Name", name: "Name" },
  { id: "v_Age", name: "Age" },
]);

const context: FormContext = {
  variables,
  makeVariable(name) {
    const id = `v_${name}`;
    variables.value = [...variables.value, { id, name }];
    return id;
  },
  groups: () => [
    { id: "g1", title: "Welcome", blocks: [{ id: "b1", type: "text", name: "Text", says: () => "Hello" }] },
  ],
  bots: () => [{ id: "bot2", name: "Another" }],
  credentials: () => [{ id: "c1", name: "Our account" }],
  isReadOnly: false,
};

const root = document.createElement("main");
document.body.append(root);
let calls: SetCall[] = [];
let shown: ShownForm = { name: "", schema: {}, value: {} };

let layouts: Readonly<Record<string, FormLayout>> = {};

function layoutOf(name: string): FormLayout | undefined {
  const types = Object.keys(layouts).filter((type) => name === type || name.startsWith(`${type} `));
  return layouts[types.sort((one, other) => other.length - one.length)[0] ?? ""];
}

const page: FormsPage = {
  lay(given) {
    layouts = given;
  },
  async openAll(forms) {
    const sets: (SetCall & { readonly form: string })[] = [];
    render(
      forms.map(({ name, schema, value }) => (
        <section key={name}>
          <Form
            schema={schema}
            layout={layoutOf(name)}
            value={value}
            context={context}
            onSet={(path, set) => sets.push({ form: name, path, value: set })}
          />
        </section>
      )),
      root,
    );
    await settled();
    const fields = root.querySelectorAll(writable).length;
    render(null, root);
    await frame();
    return { fields, sets };
  },
  async show(form) {
    calls = [];
    shown = form;
    render(null, root);
    draw();
    await settled();
  },
  async swap(form) {
    shown = form;
    draw();
    await settled();
  },
  async swapOptions(options) {
    shown = { ...shown, value: { ...(isObject(shown.value) && shown.value), options } };
    draw();
    await settled();
  },
  async writeEach() {
    const told = [];
    for (const control of root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(writable)) {
      if (control.role === "combobox" || control.role === "textbox") continue;
      calls = [];
      const before = shown.value;
      const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set;
      const isJson = /^[{[]/.test(control.value);
      setter?.call(control, isJson ? '{"a":1}' : /^[\d.]+$/.test(control.value) ? "7" : `${control.value}x`);
      control.dispatchEvent(new InputEvent("input", { bubbles: true }));
      const field = control.labels?.[0]?.textContent ?? control.getAttribute("aria-label") ?? "";
      told.push({ field, sets: calls, changed: differences(before, shown.value) });
      await Promise.resolve();
    }
    return told;
  },
  async setAndUnsetEach() {
    const left: Left[] = [];
    let fields = 0;
    for (const [selector, acts] of unsettable) {
      for (let index = 0; index < root.querySelectorAll(selector).length; index++) {
        const control = root.querySelectorAll<HTMLElement>(selector).item(index);
        if (control.role === "combobox" || control.role === "textbox") continue;
        const field = nameOf(control);
        const before = shown.value;
        acts.set(control);
        await Promise.resolve();
        if (shown.value === before) continue;
        fields++;
        acts.unset(root.querySelectorAll<HTMLElement>(selector).item(index), field);
        await Promise.resolve();
        // A field in which an empty text has a meaning is cleared by its button.
        if (!isSame(before, shown.value)) press(`Reset ${field}`);
        if (!isSame(before, shown.value)) left.push({ field, before, after: shown.value });
        shown = { ...shown, value: before };
        draw();
      }
    }
    return { fields, left };
  },
  sets: () => calls,
  value: () => shown.value,
};

const writable = "input[type=text], textarea, [role=textbox]";

type Acts = { set(control: HTMLElement): void; unset(control: HTMLElement, field: string): void };

/** How each kind of control is set and unset. */
const unsettable: readonly (readonly [selector: string, acts: Acts])[] = [
  ["input[type=text], textarea", { set: (control) => write(control, "7"), unset: (control) => write(control, "") }],
  ["input[type=date]", { set: (control) => write(control, "2026-01-02"), unset: (control) => write(control, "") }],
  ["select", { set: (control) => choose(control, 1), unset: (control) => choose(control, 0) }],
  ["[role=switch]", { set: (control) => control.click(), unset: (_, field) => press(`Reset ${field}`) }],
  ["[aria-label^='Add to '], [data-act=add]", { set: (control) => control.click(), unset: removeAdded }],
];

function write(control: HTMLElement, text: string): void {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set;
  setter?.call(control, text);
  control.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

function choose(control: HTMLElement, index: number): void {
  if (!(control instanceof HTMLSelectElement)) return;
  control.selectedIndex = index;
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

function press(label: string): void {
  root.querySelector<HTMLElement>(`button[aria-label="${CSS.escape(label)}"]`)?.click();
}

/**
 * Removes the entry that a button has added to its empty list. The button that removes a branch comes after its
 * contents.
 */
function removeAdded(control: HTMLElement, field: string): void {
  // Lists within the entry also have remove buttons.
  const adder = root.querySelector<HTMLElement>(`button[aria-label="${CSS.escape(field)}"]`) ?? control;
  const removers = adder.closest("fieldset")?.querySelectorAll<HTMLElement>("button[aria-label^='Remove ']") ?? [];
  [...removers].at(adder.dataset["act"] === "add" ? -1 : 0)?.click();
}

function nameOf(control: HTMLElement): string {
  // The field is identified by its label instead of its id, because ids restart whenever the whole page is rendered.
  const label = control.closest(".app-tick, .app-field")?.querySelector("label");
  return label?.textContent ?? control.getAttribute("aria-label") ?? "";
}

function draw(): void {
  render(
    <Form
      schema={shown.schema}
      layout={layoutOf(shown.name)}
      value={shown.value}
      context={context}
      onSet={(path, value) => {
        calls.push({ path, value });
        shown = { ...shown, value: withValue(shown.value, path, value) };
        draw();
      }}
    />,
    root,
  );
}

/** Unfolds every part of the form, and waits until every text has its editor. */
async function settled(): Promise<void> {
  const unfold = (): void => {
    for (const folded of root.querySelectorAll("details")) folded.open = true;
    for (const row of root.querySelectorAll<HTMLElement>("[data-act=unfold][aria-expanded=false]")) row.click();
  };
  unfold();
  do await frame();
  while (root.querySelector(".app-skeleton"));
  unfold();
  await frame();
  await frame();
}

function frame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function withValue(holder: unknown, [key, ...rest]: SetCall["path"], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === "number") {
    const list: unknown[] = Array.isArray(holder) ? [...holder] : [];
    list[key] = withValue(list[key], rest, value);
    return list;
  }
  const entries = new Map<string, unknown>(Object.entries(holder ?? {}));
  const inner = withValue(entries.get(key), rest, value);
  if (inner === undefined) entries.delete(key);
  else entries.set(key, inner);
  return Object.fromEntries(entries);
}

function differences(before: unknown, after: unknown, path = ""): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((entry, index) => differences(entry, after[index], `${path}[${index}]`));
  }
  if (!isObject(before) || !isObject(after)) return [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(before[key], after[key], `${path}.${key}`));
}

Object.assign(window, { forms: page });
