import { useState } from "preact/hooks";
import { type Answer, call, refresh, useQuery } from "../../api/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { FieldProblem } from "../../page-parts/submit.ts";
import { allPages } from "../../session/workspaces.ts";
import { Badge, Button, ConfirmDialog, EmptyState, Menu, Table, TextField, toast } from "../../ui/index.ts";
import { timeText, useWords, whenText } from "../../words/index.ts";
import { workspaceWords } from "../../words/workspace.ts";

type Secret = Answer<"GET /api/v1/workspaces/:workspaceId/secrets">["secrets"][number];
type Asking = { readonly kind: "new" } | { readonly kind: "edit" | "delete"; readonly secret: Secret };

const one = "/api/v1/workspaces/:workspaceId/secrets/:name";

/** Values that flows name and nobody reads. */
export function Secrets({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords(workspaceWords);
  const shared = useWords();
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const key = `secrets/${workspaceId}`;
  const query = useQuery(key, () =>
    allPages(async (cursor) => {
      const answer = await call("GET /api/v1/workspaces/:workspaceId/secrets", {
        path: { workspaceId },
        query: { limit: 100, cursor },
      });
      return { entries: answer.secrets, nextCursor: answer.nextCursor };
    }),
  );
  const remove = async ({ name }: Secret) => {
    await call(`DELETE ${one}`, { path: { workspaceId, name } });
    await refresh(key);
  };
  return (
    <Part
      title={words.secrets}
      text={words.secretsText}
      action={
        <Button icon="plus" onPress={() => setAsking({ kind: "new" })}>
          {words.newSecret}
        </Button>
      }
    >
      <QueryState query={query} onRetry={() => refresh(key)} rows={3}>
        {(secrets) =>
          secrets.length === 0 ? (
            <EmptyState icon="key-round" title={words.noSecrets} text={words.noSecretsText} />
          ) : (
            <Table
              label={words.secrets}
              rows={secrets}
              keyOf={({ name }) => name}
              columns={[
                {
                  id: "name",
                  label: words.secretName,
                  isMain: true,
                  cell: ({ name, note, hosts, isReadable }) => (
                    <span class="app-cell-text">
                      <code>{name}</code>{" "}
                      {!isReadable && (
                        <Badge tone="danger" icon="triangle-alert">
                          {words.unreadable}
                        </Badge>
                      )}
                      <span class="app-cell-detail">
                        {[note, hosts === null ? words.anyHost : hosts.join(", ")].filter(Boolean).join(" · ")}
                      </span>
                    </span>
                  ),
                },
                {
                  id: "used",
                  label: words.lastUsed,
                  from: "medium",
                  cell: ({ lastUsedAt }) =>
                    lastUsedAt === null ? (
                      words.never
                    ) : (
                      <span title={timeText(lastUsedAt)}>{whenText(lastUsedAt)}</span>
                    ),
                },
                {
                  id: "more",
                  label: shared.more,
                  isHeadHidden: true,
                  align: "end",
                  cell: (secret) => (
                    <Menu
                      isIconOnly
                      kind="quiet"
                      size="s"
                      label={shared.moreOf(secret.name)}
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
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
      {(asking?.kind === "new" || asking?.kind === "edit") && (
        <SecretForm
          workspaceId={workspaceId}
          secret={asking.kind === "edit" ? asking.secret : undefined}
          onSaved={() => refresh(key)}
          onClose={close}
        />
      )}
      {asking?.kind === "delete" && (
        <ConfirmDialog
          title={words.deleteTitle(asking.secret.name)}
          text={words.deleteSecretText}
          action={words.delete}
          isDanger
          typed={asking.secret.name}
          onConfirm={() => remove(asking.secret)}
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
  const [name, setName] = useState(secret?.name ?? "");
  const [value, setValue] = useState("");
  const [hosts, setHosts] = useState(secret?.hosts?.join(", ") ?? "");
  const [note, setNote] = useState(secret?.note ?? "");
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
            value={name}
            onInput={(next) => setName(next.toUpperCase().replaceAll(/[\s-]/g, "_"))}
            error={errorOf("name")}
            attributes={{ autofocus: secret === undefined, autocomplete: "off", spellcheck: false }}
          />
          <TextField
            label={words.secretValue}
            help={secret ? words.keyAgain : words.keyHelp}
            type="password"
            value={value}
            onInput={setValue}
            error={errorOf("value")}
            attributes={{ autocomplete: "new-password", spellcheck: false, autofocus: secret !== undefined }}
          />
          <TextField
            label={words.secretHosts}
            aside={words.optional}
            help={words.secretHostsHelp}
            placeholder="crm.example.com"
            value={hosts}
            onInput={setHosts}
            error={errorOf("hosts")}
            attributes={{ autocomplete: "off", spellcheck: false }}
          />
          <TextField
            label={words.secretNote}
            aside={words.optional}
            value={note}
            onInput={setNote}
            error={errorOf("note")}
          />
        </>
      )}
    </FormDialog>
  );
}
