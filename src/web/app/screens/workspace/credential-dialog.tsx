import { useState } from "preact/hooks";
import { call, useQuery } from "../../api/index.ts";
import { type ErrorOf, FormDialog } from "../../page-parts/form-dialog.tsx";
import { FailureState } from "../../page-parts/states.tsx";
import { Banner, Checkbox, Dialog, Select, Skeleton, TextField, toast } from "../../ui/index.ts";
import { useWords, type WordsOf } from "../../words/index.ts";
import { workspaceWords } from "../../words/workspace.ts";
import {
  type Credential,
  type CredentialType,
  credentialTypes,
  type Draft,
  dataOf,
  draftOf,
  emptyDraft,
  endOf,
  requiredOf,
  serviceName,
  takesAddress,
} from "./credential-kinds.ts";

type CredentialDialogProps = {
  readonly workspaceId: string;
  /** Those that are changed; undefined for new ones. */
  readonly credential: Credential | undefined;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
};

/** Makes credentials, or changes some; a secret is written here and never read. */
export function CredentialDialog(props: CredentialDialogProps) {
  return props.credential ? <Existing {...props} credential={props.credential} /> : <CredentialForm {...props} />;
}

function Existing(props: CredentialDialogProps & { readonly credential: Credential }) {
  const words = useWords(workspaceWords);
  const { workspaceId, credential, onClose } = props;
  const key = `credentials-of/${credential.id}`;
  const read = () =>
    call("GET /api/v1/workspaces/:workspaceId/credentials/:credentialsId", {
      path: { workspaceId, credentialsId: credential.id },
    });
  const { value, failure, isLoading } = useQuery(key, read);
  // A cached copy from before the last change must not fill the form.
  if (value && !isLoading) return <CredentialForm {...props} data={value.credentials.data} />;
  return (
    <Dialog title={words.editCredentials} size="s" onClose={onClose}>
      {failure ? <FailureState failure={failure} onRetry={onClose} /> : <Skeleton rows={3} />}
    </Dialog>
  );
}

type FormProps = CredentialDialogProps & { readonly data?: Readonly<Record<string, unknown>> };

function CredentialForm({ workspaceId, credential, data, onSaved, onClose }: FormProps) {
  const words = useWords(workspaceWords);
  const shared = useWords();
  const [type, setType] = useState<CredentialType>(credential?.type ?? "openai");
  const [draft, setDraft] = useState(credential ? draftOf(credential.name, data ?? {}) : emptyDraft);
  const isNew = credential === undefined;
  const save = async () => {
    const body = { name: draft.name.trim(), data: dataOf(type, draft, isNew) };
    const path = { workspaceId };
    if (isNew) await call("POST /api/v1/workspaces/:workspaceId/credentials", { path, body: { type, ...body } });
    else {
      const name = "PATCH /api/v1/workspaces/:workspaceId/credentials/:credentialsId";
      await call(name, { path: { ...path, credentialsId: credential.id }, body });
    }
    toast(shared.saved);
    onClose();
    await onSaved();
  };
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  return (
    <FormDialog
      title={isNew ? words.newCredentials : words.editCredentials}
      action={isNew ? shared.create : shared.save}
      required={requiredOf(type, draft, isNew)}
      send={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {credential?.isReadable === false && <Banner tone="warning">{words.unreadableText}</Banner>}
          {isNew && (
            <Select
              label={words.service}
              value={type}
              options={credentialTypes.map((value) => ({ value, label: serviceName(value, words) }))}
              onChange={(value) => setType(credentialTypes.find((each) => each === value) ?? type)}
            />
          )}
          <TextField
            label={shared.name}
            value={draft.name}
            onInput={(name) => set({ name })}
            error={errorOf("name")}
            attributes={{ autofocus: true, autocomplete: "off" }}
          />
          {type === "smtp"
            ? mailFields({ draft, set, errorOf, words, kept: isNew ? undefined : endOf(data?.["password"]) })
            : providerFields({ type, draft, set, errorOf, words, kept: isNew ? undefined : endOf(data?.["apiKey"]) })}
        </>
      )}
    </FormDialog>
  );
}

type FieldsProps = {
  readonly draft: Draft;
  readonly set: (changes: Partial<Draft>) => void;
  readonly errorOf: ErrorOf;
  readonly words: WordsOf<typeof workspaceWords>;
  /** How the secret ends that is there; undefined where there is none yet. */
  readonly kept: string | undefined;
};

const secret = { autocomplete: "new-password", spellcheck: false };

function providerFields({ type, draft, set, errorOf, words, kept }: FieldsProps & { readonly type: CredentialType }) {
  return (
    <>
      <TextField
        label={words.apiKey}
        help={kept === undefined ? words.keyHelp : words.keyAgain}
        placeholder={kept === undefined ? undefined : words.keptKey(kept)}
        type="password"
        value={draft.apiKey}
        onInput={(apiKey) => set({ apiKey })}
        error={errorOf("apiKey")}
        attributes={secret}
      />
      {takesAddress(type) && (
        <TextField
          label={words.baseUrl}
          aside={words.optional}
          help={words.baseUrlHelp}
          type="url"
          placeholder="https://"
          value={draft.baseUrl}
          onInput={(baseUrl) => set({ baseUrl })}
          error={errorOf("baseUrl")}
        />
      )}
    </>
  );
}

function mailFields({ draft, set, errorOf, words, kept }: FieldsProps) {
  return (
    <>
      <div class="app-pair is-wide-first">
        <TextField
          label={words.host}
          placeholder="smtp.example.com"
          value={draft.host}
          onInput={(host) => set({ host })}
          error={errorOf("host")}
          attributes={{ autocomplete: "off", spellcheck: false }}
        />
        <TextField
          label={words.port}
          value={draft.port}
          onInput={(port) => set({ port })}
          error={errorOf("port")}
          attributes={{ inputmode: "numeric" }}
        />
      </div>
      <Checkbox label={words.isTls} isChecked={draft.isTlsEnabled} onChange={(isTlsEnabled) => set({ isTlsEnabled })} />
      <TextField
        label={words.username}
        aside={words.optional}
        value={draft.username}
        onInput={(username) => set({ username })}
        error={errorOf("username")}
        attributes={{ autocomplete: "off", spellcheck: false }}
      />
      <TextField
        label={words.password}
        aside={words.optional}
        help={kept === undefined ? words.keyHelp : words.keyAgain}
        placeholder={kept === undefined ? undefined : words.keptKey(kept)}
        type="password"
        value={draft.password}
        onInput={(password) => set({ password })}
        error={errorOf("password")}
        attributes={secret}
      />
      <div class="app-pair">
        <TextField
          label={words.fromEmail}
          type="email"
          value={draft.fromEmail}
          onInput={(fromEmail) => set({ fromEmail })}
          error={errorOf("email")}
          attributes={{ autocomplete: "off" }}
        />
        <TextField
          label={words.fromName}
          aside={words.optional}
          value={draft.fromName}
          onInput={(fromName) => set({ fromName })}
          attributes={{ autocomplete: "off" }}
        />
      </div>
    </>
  );
}
