import { useState } from "preact/hooks";
import { type Answer, request } from "../../api/index.ts";
import { contextOf, withValueAt } from "../../credentials/credentials-form.ts";
import { Form } from "../../forms/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { Secret } from "../../page-parts/secret.tsx";
import { go } from "../../routing/router.ts";
import { Button, Dialog, Select, Skeleton, TextField } from "../../ui/index.ts";
import channelWords from "../../words/en/channels.json";
import { useWords, type WordsOf } from "../../words/index.ts";
import { type ChannelType, type Connection, requiredTexts, useChannelTypes, writtenSecrets } from "./service.ts";

type Props = {
  readonly workspaceId: string;
  /** The initially selected type; absent for the first type. */
  readonly channel: string | undefined;
  readonly onConnected: () => Promise<void> | void;
  readonly onClose: () => void;
};

type Data = Readonly<Record<string, unknown>>;
type Connected = Pick<Answer<"POST /api/v1/workspaces/:workspaceId/channel-connections">, "madeSecrets"> & {
  readonly channelConnection: Pick<Connection, "id">;
};
type Made = { readonly id: string; readonly secrets: readonly (readonly [name: string, value: string])[] };

/** Connects a messenger account. The form is generated from the service's description of the messenger type. */
export function ConnectDialog(props: Props) {
  const words = useWords(channelWords);
  const types = useChannelTypes();
  if (types) return <ConnectForm {...props} types={types} />;
  return (
    <Dialog title={words.connect} size="s" onClose={props.onClose}>
      <Skeleton rows={3} />
    </Dialog>
  );
}

function ConnectForm({
  workspaceId,
  channel,
  types,
  onConnected,
  onClose,
}: Props & { readonly types: ReadonlyMap<string, ChannelType> }) {
  const shared = useWords();
  const words = useWords(channelWords);
  const [chosen, setChosen] = useState(channel ?? types.keys().next().value ?? "");
  const [name, setName] = useState("");
  const [secrets, setSecrets] = useState<Data>({});
  const [settings, setSettings] = useState<Data>({});
  const [made, setMade] = useState<Made>();
  const type = types.get(chosen);
  if (made) return <MadeSecrets made={made} onClose={() => go(`/w/${workspaceId}/channels/${made.id}`)} />;
  if (!type) return null;
  const needed = neededSettings(type);
  const send = async () => {
    const answer = await request("POST /api/v1/workspaces/:workspaceId/channel-connections", {
      path: { workspaceId },
      body: { channel: chosen, name: name.trim(), settings, secrets },
    });
    const { channelConnection, madeSecrets }: Connected = await answer.json();
    await onConnected();
    // The service itself sends the secret to Telegram. An author's own server must be configured with its secret by
    // hand.
    if (chosen === "webhook") setMade({ id: channelConnection.id, secrets: Object.entries(madeSecrets) });
    else go(`/w/${workspaceId}/channels/${channelConnection.id}`);
  };
  const required = {
    name,
    ...requiredTexts(type.secrets, type.madeSecrets, secrets),
    ...requiredTexts(type.settings, [], settings),
  };
  return (
    <FormDialog
      title={words.connect}
      text={stepsOf(words)[chosen]}
      action={words.connectAct}
      required={required}
      send={send}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Select
            label={words.messenger}
            value={chosen}
            options={[...types.values()].map((each) => ({
              value: each.type,
              label: each.type === "webhook" ? words.ownMessenger : each.name,
            }))}
            onChange={(next) => {
              setChosen(next);
              setSecrets({});
              setSettings({});
            }}
          />
          <TextField
            label={shared.name}
            value={name}
            onInput={setName}
            error={errorOf("name")}
            attributes={{ autofocus: true, autocomplete: "off" }}
          />
          <Form
            key={`${chosen} secrets`}
            schema={writtenSecrets(type)}
            value={secrets}
            hasUnknown={false}
            onSet={(at, value) => setSecrets((now) => withValueAt(now, at, value))}
            context={contextOf(type.secrets, errorOf)}
          />
          {needed.length > 0 && (
            <Form
              key={`${chosen} settings`}
              schema={type.settings}
              value={settings}
              only={needed}
              hasUnknown={false}
              onSet={(at, value) => setSettings((now) => withValueAt(now, at, value))}
              context={contextOf(type.settings, errorOf)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

/** Returns the instructions for connecting an account, by messenger. Most messengers need none. */
function stepsOf({ telegramSteps, webhookSteps }: WordsOf<"channels">): Readonly<Record<string, string>> {
  return { telegram: telegramSteps, webhook: webhookSteps };
}

/** Returns the settings that a new connection requires. The other settings have defaults and can be changed later. */
function neededSettings({ settings }: ChannelType): readonly string[] {
  return settings.required ?? [];
}

/** Shows the generated secrets once, because the receiving server needs them. */
function MadeSecrets({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const shared = useWords();
  const words = useWords(channelWords);
  return (
    <Dialog
      title={words.secretsTitle}
      isDismissable={false}
      onClose={onClose}
      actions={<Button label={shared.done} kind="primary" onPress={onClose} />}
    >
      {made.secrets.map(([name, value]) => (
        <Secret key={name} text={words.secretShown} value={value} />
      ))}
    </Dialog>
  );
}
