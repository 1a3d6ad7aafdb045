import { useMemo } from "preact/hooks";
import { setInPart } from "../editor/commands/look.ts";
import type { Held, OpenBot } from "../editor/index.ts";
import { type FieldSchema, Form, type FormContext, type Path, titleAt } from "../forms/index.ts";
import { toast } from "../ui/index.ts";
import { useFormContext } from "./form-context.ts";

type Part = "theme" | "settings";

export type LookFormProps = {
  readonly bot: OpenBot;
  readonly of: Part;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly at: Path;
  readonly only?: readonly string[];
  readonly hasUnknown?: boolean;
  readonly context: FormContext;
};

/** Edits fields of the theme or the settings. Each edit is saved as a change set and can be undone. */
export function LookForm({ bot: { editor }, of, schema, value, at, only, hasUnknown, context }: LookFormProps) {
  const onSet = useMemo(
    () => (path: Path, next: unknown) => {
      const done = editor.run(setInPart, { of, path, value: next, title: titleAt(schema, path) });
      if (done.kind === "refused") toast(done.sentence);
    },
    [editor, of, schema],
  );
  return <Form {...{ schema, value, at, only, hasUnknown, onSet, context }} />;
}

/** Returns the context for forms of the theme or the settings. */
export function useLookContext(bot: OpenBot, of: Part): FormContext {
  const context = useFormContext(bot);
  const { held } = bot.editor;
  return useMemo(() => ({ ...context, errors: () => errorsIn(held.value, of) }), [context, held, of]);
}

/** Returns the service's validation errors by field. */
function errorsIn(held: readonly Held[], of: Part): ReadonlyMap<string, string> {
  const refused = held.flatMap(({ reason }) => (reason.kind === "refused" ? reason.issues : []));
  return new Map(
    refused.flatMap(({ path, message }) =>
      path.startsWith(`${of}.`) ? [[path.slice(of.length + 1), message] as const] : [],
    ),
  );
}
