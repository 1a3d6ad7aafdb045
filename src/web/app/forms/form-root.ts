import { type ComponentType, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { FieldProps, FieldsProps, FormContext, OnSet } from "./contract.ts";

export type FormRoot = {
  readonly context: FormContext;
  readonly onSet: OnSet;
  /** What widgets draw in themselves: they are a part of it. */
  readonly Field: ComponentType<FieldProps>;
  readonly Fields: ComponentType<FieldsProps>;
};

/** What the widgets of a form share. */
export const FormRootContext = createContext<FormRoot | undefined>(undefined);

export function useFormRoot(): FormRoot {
  const root = useContext(FormRootContext);
  if (!root) throw new Error("A widget stands outside of a form.");
  return root;
}
