import { useState } from "preact/hooks";
import { call } from "../../api/index.ts";
import { contextOf, withValueAt } from "../../credentials/credentials-form.ts";
import { Form } from "../../forms/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { Skeleton } from "../../ui/index.ts";
import channelWords from "../../words/en/channels.json";
import { useWords } from "../../words/index.ts";
import { type Connection, one, useChannelTypes, writtenSecrets } from "./service.ts";

type Props = {
  readonly workspaceId: string;
  readonly connection: Connection;
  /** Called with the secrets that the service has generated, which are shown once. */
  readonly onRotated: (secrets: readonly string[]) => Promise<void>;
  readonly onClose: () => void;
};

/** Replaces the secrets of a connection with the typed secrets and with newly generated ones. */
export function RotateDialog({ workspaceId, connection, onRotated, onClose }: Props) {
  const words = useWords(channelWords);
  const [typed, setTyped] = useState<Readonly<Record<string, unknown>>>({});
  const type = useChannelTypes()?.get(connection.channel);
  const fields = type && { ...writtenSecrets(type), required: [] };
  const isAsking = Object.keys(fields?.properties ?? {}).length > 0;
  const send = async () => {
    const secrets = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ""));
    const path = { workspaceId, connectionId: connection.id };
    const { madeSecrets } = await call(`POST ${one}/rotate`, { path, body: { secrets } });
    await onRotated(Object.values(madeSecrets));
  };
  return (
    <FormDialog
      title={words.rotateTitle}
      text={isAsking ? `${words.rotateText} ${words.rotateKeeps}` : words.rotateText}
      action={words.rotate}
      required={{}}
      send={send}
      onClose={onClose}
    >
      {(errorOf) => {
        if (!type || !fields) return <Skeleton rows={2} />;
        if (!isAsking) return null;
        return (
          <Form
            schema={fields}
            value={typed}
            hasUnknown={false}
            onSet={(at, value) => setTyped((now) => withValueAt(now, at, value))}
            context={contextOf(type.secrets, errorOf)}
          />
        );
      }}
    </FormDialog>
  );
}
