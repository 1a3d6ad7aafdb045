import { useState } from "preact/hooks";
import { Combobox, type ComboboxOption } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { FormBlock, WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { isObject, textOf } from "../values.ts";

/** Selects a variable by name. An unknown name creates a variable. */
export function VariablePicker(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const value = textOf(props.value);
  const options = context.variables.value.map(({ id, name }) => ({ value: id, label: name }));
  const isGone = value !== "" && !options.some((option) => option.value === value);
  return (
    <Picker
      {...props}
      options={options}
      error={isGone ? words.goneVariable : undefined}
      noneLabel={words.noVariables}
      onCreate={(name) => context.makeVariable(name)}
      createLabel={(name) => words.makeVariable({ name })}
    />
  );
}

/** Selects a group by title, or a variable that contains the title. */
export function GroupPicker(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const value = textOf(props.value);
  const botField = props.schema.botField;
  const bot = (botField === undefined ? "" : textOf(beside(props, botField))) || "current";
  const known = bot === "current" ? context.groups() : context.groupsOf?.(bot);
  const groups = known ?? [];
  const options = [
    ...groups.map(({ id, title }) => ({ value: id, label: title })),
    ...context.variables.value.map(({ name }) => ({
      value: `{{${name}}}`,
      label: words.variableFor({ name }),
      icon: "braces",
    })),
  ];
  const isPlain = value !== "" && !value.includes("{{");
  const isGone = isPlain && Boolean(known) && !options.some((option) => option.value === value);
  return (
    <Picker
      {...props}
      options={options}
      error={isGone ? words.goneGroup : undefined}
      noneLabel={words.none}
      // If the other bot cannot be read, the author has to enter the id of a group.
      {...(known === null && { onCreate: (text: string) => text, createLabel: (text: string) => text })}
    />
  );
}

/** Selects a block of the group in the neighbouring field, or a block of a given type in any group. */
export function BlockPicker(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const { blockType } = props.schema;
  const groupId = textOf(beside(props, "groupId"));
  const options = context.groups().flatMap(({ id: ownGroup, title, blocks }) =>
    blocks.flatMap((block) => {
      if (blockType === undefined) return ownGroup === groupId ? [{ value: block.id, label: labelOf(block) }] : [];
      return block.type === blockType ? [{ value: block.id, label: `${title}: ${labelOf(block)}` }] : [];
    }),
  );
  return <Picker {...props} options={options} noneLabel={words.none} />;
}

/**
 * Returns the name of a block's type, followed by the block's text, which distinguishes several blocks of the same
 * type.
 */
function labelOf({ name, says }: FormBlock): string {
  const text = says();
  return text === "" ? name : `${name}: ${text}`;
}

export function BotPicker(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  return (
    <Picker
      {...props}
      options={[
        { value: "current", label: words.thisBot },
        ...context.bots().map(({ id, name }) => ({ value: id, label: name })),
      ]}
      noneLabel={words.none}
    />
  );
}

export function CredentialsPicker(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const { credentialsType, credentialsTypeField } = props.schema;
  const type = credentialsTypeField === undefined ? credentialsType : textOf(beside(props, credentialsTypeField));
  const own = type === "smtp" ? [{ value: "default", label: words.operatorsServer }] : [];
  const [isMaking, setMaking] = useState(false);
  const wanted = type === "" ? undefined : type;
  const mayMake = context.newCredentials !== undefined && !context.isReadOnly;
  return (
    <>
      <Picker
        {...props}
        set={(value) => (value === newOnes ? setMaking(true) : props.set(value))}
        options={[
          ...own,
          ...context.credentials(wanted).map(({ id, name }) => ({ value: id, label: name })),
          ...(mayMake ? [{ value: newOnes, label: words.newCredentials, icon: "plus" }] : []),
        ]}
        noneLabel={words.none}
      />
      {isMaking && context.newCredentials?.({ type: wanted, onMade: props.set, onClose: () => setMaking(false) })}
    </>
  );
}

/** The value of the option that adds credentials. It cannot be an id, because ids contain no space. */
const newOnes = " new";

/** Returns the value of another field of the same object. */
export function beside({ around }: Pick<WidgetProps, "around">, key: string): unknown {
  const holder = around.at(-1)?.value;
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

type PickerProps = WidgetProps & {
  readonly options: readonly ComboboxOption[];
  readonly error?: string | undefined;
  readonly noneLabel: string;
  readonly onCreate?: (text: string) => string;
  readonly createLabel?: (text: string) => string;
};

function Picker({ options, error, noneLabel, onCreate, createLabel, ...props }: PickerProps) {
  const { context } = useFormRoot();
  return (
    <Combobox
      {...useFieldProps(props, error)}
      value={typeof props.value === "string" ? props.value : undefined}
      options={options}
      noneLabel={noneLabel}
      isReadOnly={context.isReadOnly}
      isOptional
      onCreate={onCreate}
      createLabel={createLabel}
      onChange={props.set}
    />
  );
}
