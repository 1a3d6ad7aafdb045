import type { Signal } from "@preact/signals";
import { type ComponentType, createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import type { SharedText } from "../presence/shared-text.ts";
import type { FieldProps, FieldsProps, FormContext, OnSet } from "./contract.ts";
import type { Path } from "./values.ts";

export type FormRoot = {
  readonly context: FormContext;
  readonly onSet: OnSet;
  /** The paths, joined with dots, of the fields that a layout renders. They are not rendered again elsewhere. */
  readonly placed: ReadonlySet<string>;
  /** The number of presses on the form's send button. Each press sends the request of the block once. */
  readonly asked: Signal<number>;
  /** Whether the layout has a send button. */
  readonly hasSend: boolean;
  /**
   * The components that render fields within a widget. They are passed in the context to avoid a circular import of the
   * widgets.
   */
  readonly Field: ComponentType<FieldProps>;
  readonly Fields: ComponentType<FieldsProps>;
};

export const FormRootContext = createContext<FormRoot | undefined>(undefined);

export function useFormRoot(): FormRoot {
  const root = useContext(FormRootContext);
  if (!root) throw new Error("A widget is outside of a form.");
  return root;
}

/** Returns the shared text of a field, if other people may edit it. */
export function useSharedText(path: Path | undefined): SharedText | undefined {
  const { context } = useFormRoot();
  const { sharedText } = context;
  return useMemo(() => path && sharedText?.(path), [sharedText, JSON.stringify(path)]);
}
