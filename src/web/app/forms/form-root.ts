import type { Signal } from "@preact/signals";
import { type ComponentType, createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import type { SharedText } from "../presence/shared-text.ts";
import type { FieldProps, FieldsProps, FormContext, OnSet } from "./contract.ts";
import type { Path } from "./values.ts";

export type FormRoot = {
  readonly context: FormContext;
  readonly onSet: OnSet;
  /** The fields that a layout has placed, by their paths joined with dots: they are not drawn elsewhere. */
  readonly placed: ReadonlySet<string>;
  /** How often the form's button has requested to send the call of the block. */
  readonly asked: Signal<number>;
  /** Whether the layout has such a button. */
  readonly hasSend: boolean;
  /** Draw fields within a widget. They are passed in, because they import the widgets themselves. */
  readonly Field: ComponentType<FieldProps>;
  readonly Fields: ComponentType<FieldsProps>;
};

/** The context that the widgets of a form share. */
export const FormRootContext = createContext<FormRoot | undefined>(undefined);

export function useFormRoot(): FormRoot {
  const root = useContext(FormRootContext);
  if (!root) throw new Error("A widget is outside of a form.");
  return root;
}

/** The text of a field, if others may edit it. */
export function useSharedText(path: Path | undefined): SharedText | undefined {
  const { context } = useFormRoot();
  const { sharedText } = context;
  return useMemo(() => path && sharedText?.(path), [sharedText, JSON.stringify(path)]);
}
