import { useState } from "preact/hooks";
import { call, isRecord } from "../../api/index.ts";
import { contextOf, withValueAt } from "../../credentials/credentials-form.ts";
import { Form as FieldsForm } from "../../forms/index.ts";
import { Part } from "../../page-parts/sections.tsx";
import { useSubmit } from "../../page-parts/submit.ts";
import { Button, FieldError, Form, Skeleton, toast } from "../../ui/index.ts";
import channelWords from "../../words/en/channels.json";
import { useWords } from "../../words/index.ts";
import type { ConnectionProps } from "./overview.tsx";
import { one, useChannelTypes } from "./service.ts";

/** Edits the settings of a connection. The form is generated from the service's description of the messenger type. */
export function ConnectionSettings({ workspaceId, connection, isAdmin, onChanged }: ConnectionProps) {
  const shared = useWords();
  const words = useWords(channelWords);
  const type = useChannelTypes()?.get(connection.channel);
  const stored = withoutNullTexts(connection.settings);
  const [typed, setTyped] = useState<Readonly<Record<string, unknown>>>(stored);
  const { isBusy, error, field, submit } = useSubmit();
  if (!type) return <Skeleton rows={6} />;
  const save = async () => {
    // Unchanged settings are not sent, because another person may have changed them. A cleared setting is deleted.
    const names = new Set([...Object.keys(stored), ...Object.keys(typed)]);
    const isTouched = (name: string) => JSON.stringify(typed[name]) !== JSON.stringify(stored[name]);
    const settings = Object.fromEntries([...names].filter(isTouched).map((name) => [name, typed[name] ?? null]));
    await call(`PATCH ${one}`, { path: { workspaceId, connectionId: connection.id }, body: { settings } });
    await onChanged();
    toast(shared.saved);
  };
  const errorOf = (name?: string) => (name === undefined || name === field ? error : undefined);
  const context = { ...contextOf(type.settings, errorOf), isReadOnly: !isAdmin };
  return (
    <Part title={words.settings} text={words.settingsText}>
      <Form class="channel-settings" onSubmit={() => submit({}, save)}>
        <FieldsForm
          schema={type.settings}
          value={typed}
          onSet={(at, value) => setTyped((now) => withValueAt(now, at, value))}
          context={context}
        />
        <FieldError error={error} />
        {isAdmin && <Button label={shared.save} kind="primary" type="submit" busy={isBusy} />}
      </Form>
    </Part>
  );
}

/** Returns the settings with an empty text for each text that is null, because forms treat null as absent. */
function withoutNullTexts(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { texts } = settings;
  if (!isRecord(texts)) return settings;
  return { ...settings, texts: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text ?? ""])) };
}
