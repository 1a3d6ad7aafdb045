import { useState } from "preact/hooks";
import { call, request, useQuery } from "../../api/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { FailureState } from "../../page-parts/states.tsx";
import { useTexts } from "../../page-parts/submit.ts";
import { Banner, Checkbox, Dialog, Select, Skeleton, TextField, type TextFieldProps, toast } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { workspaceWords } from "../../words/workspace.ts";
import {
  type Credential,
  type CredentialType,
  credentialTypes,
  dataOf,
  emptyTexts,
  endOf,
  requiredOf,
  serviceName,
  takesAddress,
  textsOf,
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

const plain = { autocomplete: "off", spellcheck: false };

type FormProps = CredentialDialogProps & { readonly data?: Readonly<Record<string, unknown>> };

function CredentialForm({ workspaceId, credential, data, onSaved, onClose }: FormProps) {
  const words = useWords(workspaceWords);
  const shared = useWords();
  const [type, setType] = useState<CredentialType>(credential?.type ?? "openai");
  const { texts, field } = useTexts(credential ? textsOf(credential.name, data ?? {}) : emptyTexts);
  const [isTlsEnabled, setTls] = useState(data?.["isTlsEnabled"] === true);
  const isNew = credential === undefined;
  const save = async () => {
    const body = { name: texts.name.trim(), data: dataOf(type, { ...texts, isTlsEnabled }, isNew) };
    const path = { workspaceId };
    if (isNew) await request("POST /api/v1/workspaces/:workspaceId/credentials", { path, body: { type, ...body } });
    else {
      const name = "PATCH /api/v1/workspaces/:workspaceId/credentials/:credentialsId";
      await call(name, { path: { ...path, credentialsId: credential.id }, body });
    }
    toast(shared.saved);
    onClose();
    await onSaved();
  };
  // A stored secret is never shown; the service says how it ends.
  const secretField = (kept: unknown): Partial<TextFieldProps> => ({
    type: "password",
    help: isNew ? words.keyHelp : words.keyAgain,
    placeholder: isNew ? undefined : words.keptKey(endOf(kept)),
    attributes: { autocomplete: "new-password", spellcheck: false },
  });
  return (
    <FormDialog
      title={isNew ? words.newCredentials : words.editCredentials}
      action={isNew ? shared.create : shared.save}
      required={requiredOf(type, texts, isNew)}
      send={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {credential?.isReadable === false && <Banner text={words.unreadableText} tone="warning" />}
          {isNew && (
            <Select
              label={words.service}
              value={type}
              options={credentialTypes.map((value) => ({ value, label: serviceName(value, words) }))}
              onChange={setType}
            />
          )}
          <TextField
            label={shared.name}
            {...field("name", errorOf)}
            attributes={{ autofocus: true, autocomplete: "off" }}
          />
          {type === "smtp" ? (
            <>
              <div class="app-pair is-wide-first">
                <TextField
                  label={words.host}
                  placeholder="smtp.example.com"
                  {...field("host", errorOf)}
                  attributes={plain}
                />
                <TextField label={words.port} {...field("port", errorOf)} attributes={{ inputmode: "numeric" }} />
              </div>
              <Checkbox label={words.isTls} isChecked={isTlsEnabled} onChange={setTls} />
              <TextField
                label={words.username}
                aside={words.optional}
                {...field("username", errorOf)}
                attributes={plain}
              />
              <TextField
                label={words.password}
                aside={words.optional}
                {...secretField(data?.["password"])}
                {...field("password", errorOf)}
              />
              <div class="app-pair">
                <TextField label={words.fromEmail} type="email" {...field("email", errorOf)} attributes={plain} />
                <TextField label={words.fromName} aside={words.optional} {...field("fromName")} attributes={plain} />
              </div>
            </>
          ) : (
            <>
              <TextField label={words.apiKey} {...secretField(data?.["apiKey"])} {...field("apiKey", errorOf)} />
              {takesAddress(type) && (
                <TextField
                  label={words.baseUrl}
                  aside={words.optional}
                  help={words.baseUrlHelp}
                  type="url"
                  placeholder="https://"
                  {...field("baseUrl", errorOf)}
                />
              )}
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}
