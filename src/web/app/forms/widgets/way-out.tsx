import { isWayOut } from "../../../../core/interpreter/schemas/own-keys.ts";
import { Combobox, Switch } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { Section } from "./section.tsx";

/**
 * An exit of a block: whether it is enabled, its target, and its options. The target can also be set by drawing an edge
 * on the canvas.
 */
export function WayOut(props: WidgetProps) {
  const { schema, value, path, around } = props;
  const { Fields, context } = useFormRoot();
  const words = useWords(formWords);
  const { label, help } = useFieldProps(props);
  const name = String(path.at(-1));
  const { waysOut } = context;
  if (!waysOut || !isWayOut(name)) return hasMore(schema) ? <Section {...props} /> : null;
  const isOn = value !== undefined;
  const target = waysOut.targetOf(name);
  return (
    <div class={isOn ? "app-form-section is-way" : undefined} {...(isOn && { role: "group", "aria-label": label })}>
      <Switch
        label={label}
        help={help}
        isChecked={isOn}
        isDisabled={context.isReadOnly}
        onChange={(isWanted) => (isWanted ? waysOut.add(name) : waysOut.remove(name))}
      />
      {isOn && (
        <div class="app-form-fields">
          <Fields schema={withoutEdge(schema)} value={value} path={path} around={around} hasUnknown={false} />
          <Combobox
            label={words.leadsTo}
            value={target}
            options={context.groups().map(({ id, title }) => ({ value: id, label: title || words.untitled }))}
            placeholder={words.leadsNowhere}
            noneLabel={words.none}
            isReadOnly={context.isReadOnly}
            isOptional
            onChange={(groupId) => waysOut.lead(name, groupId)}
          />
        </div>
      )}
    </div>
  );
}

function hasMore({ properties = {} }: WidgetProps["schema"]): boolean {
  return Object.keys(properties).some((key) => key !== "outgoingEdgeId");
}

/** Hides the field of the edge id, because the target group is shown instead. */
function withoutEdge(schema: WidgetProps["schema"]): WidgetProps["schema"] {
  const { outgoingEdgeId: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}
