import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button, Dialog, FieldError, Form, TextField, type TextFieldProps } from "../ui/index.ts";
import { useWords } from "../words/index.ts";
import { type ErrorOf, useSubmit } from "./submit.ts";

export type FormDialogProps = {
  readonly title: string;
  /** The line under the title that names the subject. */
  readonly text?: ComponentChildren;
  /** The label of the submit button, which names the action. */
  readonly action: string;
  readonly size?: "s" | "m" | undefined;
  /** The required fields by name. */
  readonly required: Readonly<Record<string, string>>;
  /** Performs the action and closes the dialog. */
  readonly send: () => Promise<void>;
  readonly onClose: () => void;
  /** Renders the fields. An error that belongs to no field is shown below the fields. */
  readonly children: (errorOf: ErrorOf) => ComponentChildren;
};

/** A dialog with a small form, a cancel button, and a submit button. */
export function FormDialog({ title, text, action, size = "s", required, send, onClose, children }: FormDialogProps) {
  const words = useWords();
  const { isBusy, error, field, submit } = useSubmit();
  let isTaken = false;
  const fields = children((name) => {
    if (error === undefined || (name !== undefined && name !== field)) return undefined;
    isTaken = true;
    return error;
  });
  return (
    <Dialog
      title={title}
      text={text}
      size={size}
      onClose={onClose}
      onSubmit={() => void submit(required, send)}
      actions={
        <>
          <Button label={words.cancel} onPress={onClose} />
          <Button label={action} kind="primary" type="submit" busy={isBusy} />
        </>
      }
    >
      {fields}
      <FieldError error={isTaken ? undefined : error} />
    </Dialog>
  );
}

export type NameDialogProps = Pick<FormDialogProps, "title" | "text" | "action" | "onClose"> & {
  readonly label: string;
  readonly value?: string | undefined;
  /** Performs the action with the typed text. */
  readonly send: (name: string) => Promise<void>;
  readonly type?: TextFieldProps["type"];
  /** Additional optional fields. */
  readonly children?: ComponentChildren;
};

/** A dialog that asks for a name or another one-line text before an object is created or changed. */
export function NameDialog({ label, value = "", type = "text", send, children, ...rest }: NameDialogProps) {
  const [name, setName] = useState(value);
  return (
    <FormDialog {...rest} required={{ name }} send={() => send(name.trim())}>
      {(errorOf) => (
        <>
          <TextField
            label={label}
            type={type}
            error={errorOf()}
            value={name}
            onInput={setName}
            attributes={{ autofocus: true, autocomplete: "off" }}
          />
          {children}
        </>
      )}
    </FormDialog>
  );
}

type NameFormProps = Pick<NameDialogProps, "label" | "value" | "action" | "send"> & {
  readonly class: string;
  readonly attributes?: TextFieldProps["attributes"];
  /** Whether the text must be changed before it can be submitted. */
  readonly isForChanges?: boolean;
};

/** Like `NameDialog`, but as a part of the page. */
export function NameForm({ label, value = "", action, send, isForChanges = false, ...rest }: NameFormProps) {
  const [name, setName] = useState(value);
  const { isBusy, error, submit } = useSubmit();
  const isDisabled = isForChanges && name.trim() === value;
  return (
    <Form class={rest.class} onSubmit={() => submit({ name }, () => send(name.trim()))}>
      <TextField label={label} value={name} onInput={setName} error={error} attributes={rest.attributes} />
      <Button label={action} kind="primary" type="submit" busy={isBusy} isDisabled={isDisabled} />
    </Form>
  );
}
