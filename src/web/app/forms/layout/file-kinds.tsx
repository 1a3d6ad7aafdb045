import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { isObject } from "../values.ts";
import { listOf } from "../widgets/list.tsx";

/** The stored types for each kind of file. */
const kinds = {
  images: ["image/*"],
  videos: ["video/*"],
  sounds: ["audio/*"],
  pdf: [".pdf"],
  texts: [".doc", ".docx", ".odt", ".txt"],
  tables: [".xls", ".xlsx", ".ods", ".csv"],
} as const;
type Kind = keyof typeof kinds;
const names = ["images", "videos", "sounds", "pdf", "texts", "tables"] as const satisfies readonly Kind[];

/** The kinds of files that an input accepts, with a button for each kind. Without any type, all files are accepted. */
export function FileKinds(props: WidgetProps) {
  const { schema, value, path, around, set } = props;
  const { context, Fields } = useFormRoot();
  const { fileKinds: words } = useWords(formWords);
  const { label, error } = useFieldProps(props);
  const stored = isObject(value) ? value : {};
  const isEnabled = stored["isEnabled"] === true;
  const types = listOf(stored["types"]);
  const isTaken = (kind: Kind): boolean => isEnabled && kinds[kind].every((type) => types.includes(type));
  const press = (kind: Kind): void => {
    const own: readonly unknown[] = kinds[kind];
    // Stored types have no effect while the limit is not enabled.
    const now = isEnabled ? types : [];
    const next = isTaken(kind) ? now.filter((type) => !own.includes(type)) : [...new Set([...now, ...own])];
    const { isEnabled: _, types: __, ...rest } = stored;
    if (next.length > 0) set({ ...rest, isEnabled: true, types: next });
    else set(Object.keys(rest).length > 0 ? rest : undefined);
  };
  return (
    <fieldset class="app-form-section">
      <legend>{label}</legend>
      {error !== undefined && <p class="app-field-error">{error}</p>}
      <div class="app-form-chips">
        {names.map((kind) => (
          <button
            key={kind}
            type="button"
            class="app-form-chip"
            aria-pressed={isTaken(kind)}
            disabled={context.isReadOnly}
            onClick={() => press(kind)}
          >
            {words[kind]}
          </button>
        ))}
      </div>
      {!isEnabled && <p class="app-field-help">{words.all}</p>}
      <details class="app-form-more">
        <summary>{words.others}</summary>
        <div class="app-form-fields">
          <Fields schema={schema} value={value} path={path} around={[...around]} />
        </div>
      </details>
    </fieldset>
  );
}
