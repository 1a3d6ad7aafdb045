import { useState } from "preact/hooks";
import { type Answer, call, useAll } from "../../api/index.ts";
import { DeleteGuarded } from "../../credentials/delete-guarded.tsx";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { ListTable, MoreMenu, TwoLines, When } from "../../page-parts/lists.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { FieldProblem, useTexts } from "../../page-parts/submit.ts";
import { Button, EmptyState, TextField, toast } from "../../ui/index.ts";
import workspaceWords from "../../words/en/workspace.json";
import { useWords } from "../../words/index.ts";
import { Unreadable } from "./unreadable.tsx";

type Secret = Answer<"GET /api/v1/workspaces/:workspaceId/secrets">["secrets"][number];
type Asking = { readonly kind: "new" } | { readonly kind: "edit" | "delete"; readonly secret: Secret };

const one = "/api/v1/workspaces/:workspaceId/secrets/:name";

/** Lists the secrets of a workspace, which flows can use but nobody can read. */
export function Secrets({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords(workspaceWords);
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const query = useAll(
    `secrets/${workspaceId}`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/secrets", { path: { workspaceId }, query: page }),
    ({ secrets }) => secrets,
  );
  const remove = async ({ name }: Secret, force: { readonly force: boolean }) => {
    await call(`DELETE ${one}`, { path: { workspaceId, name }, query: force });
    await query.again();
  };
  return (
    <Part
      title={words.secrets}
      text={words.secretsText}
      action={<Button label={words.newSecret} icon="plus" onPress={() => setAsking({ kind: "new" })} />}
    >
      <ListTable
        query={query}
        empty={<EmptyState icon="key-round" title={words.noSecrets} text={words.noSecretsText} />}
        label={words.secrets}
        keyOf={({ name }) => name}
        columns={[
          {
            id: "name",
            label: words.secretName,
            isMain: true,
            cell: ({ name, note, hosts, isReadable }) => (
              <TwoLines detail={[note, hosts === null ? words.anyHost : hosts.join(", ")].filter(Boolean).join(" · ")}>
                <code>{name}</code> {!isReadable && <Unreadable />}
              </TwoLines>
            ),
          },
          { id: "used", label: words.lastUsed, from: "medium", cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
        ]}
        acts={(secret) => (
          <MoreMenu
            name={secret.name}
            items={() => [
              { label: words.edit, icon: "pencil", onPress: () => setAsking({ kind: "edit", secret }) },
              { kind: "line" },
              {
                label: words.delete,
                icon: "trash-2",
                isDanger: true,
                onPress: () => setAsking({ kind: "delete", secret }),
              },
            ]}
          />
        )}
      />
      {(asking?.kind === "new" || asking?.kind === "edit") && (
        <SecretForm
          workspaceId={workspaceId}
          secret={asking.kind === "edit" ? asking.secret : undefined}
          onSaved={query.again}
          onClose={close}
        />
      )}
      {asking?.kind === "delete" && (
        <DeleteGuarded
          name={asking.secret.name}
          text={words.deleteSecretText}
          remove={(force) => remove(asking.secret, force)}
          onClose={close}
        />
      )}
    </Part>
  );
}

type SecretFormProps = {
  readonly workspaceId: string;
  readonly secret: Secret | undefined;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
};

function SecretForm({ workspaceId, secret, onSaved, onClose }: SecretFormProps) {
  const words = useWords(workspaceWords);
  const shared = useWords();
  const { texts, field } = useTexts({
    name: secret?.name ?? "",
    value: "",
    hosts: secret?.hosts?.join(", ") ?? "",
    note: secret?.note ?? "",
  });
  const name = texts.name.toUpperCase().replaceAll(/[\s-]/g, "_");
  const { value, hosts, note } = texts;
  const save = async () => {
    if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name)) throw new FieldProblem("name", words.secretNameHelp);
    const only = hosts.split(/[\s,]+/).filter((host) => host !== "");
    const body = { hosts: only.length === 0 ? null : only, note: note.trim() || null, ...(value !== "" && { value }) };
    await call(`PUT ${one}`, { path: { workspaceId, name }, body });
    toast(shared.saved);
    onClose();
    await onSaved();
  };
  return (
    <FormDialog
      title={secret ? words.editSecret : words.newSecret}
      action={secret ? shared.save : shared.create}
      required={secret ? { name } : { name, value }}
      send={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={words.secretName}
            help={words.secretNameHelp}
            isMono
            isReadOnly={secret !== undefined}
            {...field("name", errorOf)}
            value={name}
            attributes={{ autofocus: secret === undefined, autocomplete: "off", spellcheck: false }}
          />
          <TextField
            label={words.secretValue}
            help={secret ? words.keyAgain : words.keyHelp}
            type="password"
            {...field("value", errorOf)}
            attributes={{ autocomplete: "new-password", spellcheck: false, autofocus: secret !== undefined }}
          />
          <TextField
            label={words.secretHosts}
            aside={words.optional}
            help={words.secretHostsHelp}
            placeholder="crm.example.com"
            {...field("hosts", errorOf)}
            attributes={{ autocomplete: "off", spellcheck: false }}
          />
          <TextField label={words.secretNote} aside={words.optional} {...field("note", errorOf)} />
        </>
      )}
    </FormDialog>
  );
}
