import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiFailure, call, request, useQuery } from "../api/index.ts";
import { type CredentialType, Form, useCredentialTypes } from "../forms/index.ts";
import { FormDialog } from "../page-parts/form-dialog.tsx";
import { FailureState } from "../page-parts/states.tsx";
import { refusedToast } from "../page-parts/submit.ts";
import { Link } from "../routing/router.ts";
import { Banner, Button, Dialog, Select, Skeleton, TextField, toast } from "../ui/index.ts";
import credentialsWords from "../words/en/credentials.json";
import { timeText, useWords } from "../words/index.ts";
import { ConnectGoogle } from "./connect-google.tsx";
import {
  type Credential,
  changesOf,
  contextOf,
  type Data,
  drawnOf,
  formOf,
  isReported,
  requiredTexts,
  serviceName,
  withValueAt,
} from "./credentials-form.ts";

export type CredentialsDialogProps = {
  readonly workspaceId: string;
  /** The credentials to edit; undefined for new credentials. */
  readonly credential?: Pick<Credential, "id"> | undefined;
  /** The type of new credentials. If undefined, the dialog asks for the type. */
  readonly type?: string | undefined;
  /** Called with the id of the credentials after they were created, changed or connected. */
  readonly onSaved: (id: string) => Promise<void> | void;
  readonly onClose: () => void;
};

const one = "/api/v1/workspaces/:workspaceId/credentials/:credentialsId";

/**
 * Creates credentials of any type, or edits existing credentials. The form is generated from the service's catalogue.
 * Stored secrets are never sent to the browser.
 */
export function CredentialsDialog(props: CredentialsDialogProps) {
  const words = useWords(credentialsWords);
  const types = useCredentialTypes();
  // The id of the credentials that were created when an account was connected. The dialog continues with these
  // credentials.
  const [madeId, setMadeId] = useState<string>();
  const id = madeId ?? props.credential?.id;
  if (types && id !== undefined) return <Existing key={id} {...props} id={id} types={types} />;
  if (types) return <CredentialsForm {...props} types={types} onMade={setMadeId} />;
  return (
    <Dialog title={words.newTitle} size="s" onClose={props.onClose}>
      <Skeleton rows={3} />
    </Dialog>
  );
}

type Types = ReadonlyMap<string, CredentialType>;
type Known = Awaited<ReturnType<typeof readOne>>["credentials"];

function readOne(workspaceId: string, credentialsId: string) {
  return call(`GET ${one}`, { path: { workspaceId, credentialsId } });
}

function Existing(props: CredentialsDialogProps & { readonly id: string; readonly types: Types }) {
  const words = useWords(credentialsWords);
  const { workspaceId, id, onClose } = props;
  const query = useQuery(`credentials-of/${id}`, () => readOne(workspaceId, id));
  const { value, failure, isLoading } = query;
  // A cached response from before the last change must not fill the form.
  if (value && !isLoading) {
    const { credentials } = value;
    return (
      <CredentialsForm key={credentials.updatedAt} {...props} known={credentials} onMade={() => void query.again()} />
    );
  }
  return (
    <Dialog title={words.editTitle} size="s" onClose={onClose}>
      {failure ? <FailureState failure={failure} onRetry={onClose} /> : <Skeleton rows={3} />}
    </Dialog>
  );
}

type FormProps = CredentialsDialogProps & {
  readonly types: Types;
  readonly known?: Known;
  readonly onMade: (id: string) => void;
};

function CredentialsForm({ workspaceId, types, known, onSaved, onClose, onMade, ...props }: FormProps) {
  const words = useWords(credentialsWords);
  const shared = useWords();
  const [chosen, setChosen] = useState(known?.type ?? props.type ?? types.keys().next().value ?? "");
  const type = types.get(chosen);
  const [name, setName] = useState(known?.name);
  const stored: Data = known?.data ?? {};
  const form = type && formOf(type, stored);
  const [typed, setTyped] = useState<Data>(form?.data ?? {});
  // The id of the credentials once they are saved. Connecting an account may save them before the form is submitted.
  const savedId = useRef(known?.id);
  const isDrawn = type !== undefined && form !== undefined;
  // New credentials of a known service already have a name, so the focus is set on the field for the key.
  useLayoutEffect(() => {
    if (!isDrawn || known || props.type === undefined || type?.connects !== null) return;
    // On a phone, the form of the block is also in a dialog, so the topmost dialog is used.
    const own = [...document.querySelectorAll("dialog[open]")].at(-1);
    const fields = own?.querySelectorAll<HTMLInputElement>(".app-form input:not([type=file])") ?? [];
    [...fields].find(({ value }) => value === "")?.focus({ preventScroll: true });
  }, [isDrawn]);
  if (!type || !form) return null;
  const shownName = name ?? serviceName(type, words);
  const path = { workspaceId };
  const send = async (): Promise<string> => {
    const body = { name: shownName.trim(), data: known ? changesOf(type, typed) : typed };
    if (savedId.current !== undefined) {
      await request(`PATCH ${one}`, { path: { ...path, credentialsId: savedId.current }, body });
      return savedId.current;
    }
    const answer = await request("POST /api/v1/workspaces/:workspaceId/credentials", {
      path,
      body: { type: type.type, ...body },
    });
    const { credentials }: { readonly credentials: { readonly id: string } } = await answer.json();
    savedId.current = credentials.id;
    return credentials.id;
  };
  const save = async () => {
    const id = await send();
    toast(shared.saved);
    onClose();
    await onSaved(id);
  };
  const connected = async (id: string) => {
    onMade(id);
    await onSaved(id);
  };
  return (
    <FormDialog
      title={known ? words.editTitle : words.newTitle}
      text={type.summary}
      action={known ? shared.save : shared.create}
      required={{ name: shownName, ...(!known && requiredTexts(type, typed)) }}
      send={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {known?.isReadable === false && <Banner text={words.unreadable} tone="warning" />}
          {known?.lastProblem && (
            <Banner
              title={words.refusedAt({ when: timeText(known.lastProblem.at) })}
              text={known.lastProblem.message}
              tone="warning"
            />
          )}
          {!known && props.type === undefined && (
            <Select
              label={words.service}
              value={chosen}
              options={[...types.values()].map((each) => ({ value: each.type, label: serviceName(each, words) }))}
              onChange={(next) => {
                setChosen(next);
                setTyped({});
              }}
            />
          )}
          <TextField
            label={shared.name}
            value={shownName}
            onInput={setName}
            error={errorOf("name")}
            attributes={{ autofocus: true, autocomplete: "off" }}
          />
          {type.connects === "google" && (
            <ConnectGoogle
              {...{ workspaceId, name: shownName, type: type.type, account: stored["account"], onConnected: connected }}
              // The author's own OAuth client must be stored before it can be used.
              saveFirst={known || Object.keys(typed).length > 0 ? send : undefined}
              isAgain={known?.lastProblem !== null && known !== undefined}
            />
          )}
          <Form
            key={type.type}
            schema={drawnOf(form.schema)}
            value={typed}
            hasUnknown={false}
            onSet={(at, value) => setTyped((now) => withValueAt(now, at, value))}
            context={contextOf(form.schema, errorOf)}
          />
          {known?.type === "stripe" && (
            <PaymentReports
              path={{ ...path, credentialsId: known.id }}
              stored={stored}
              onDone={() => onMade(known.id)}
            />
          )}
          {known && <Trial workspaceId={workspaceId} id={known.id} type={type} />}
          {known && known.usedBy.length > 0 && <UsedBy bots={known.usedBy} />}
        </>
      )}
    </FormDialog>
  );
}

type ReportsProps = {
  readonly path: { readonly workspaceId: string; readonly credentialsId: string };
  readonly stored: Data;
  readonly onDone: () => void;
};

/** Shows whether the provider's webhook for payments is set up, with a button that sets it up. */
function PaymentReports({ path, stored, onDone }: ReportsProps) {
  const words = useWords(credentialsWords);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (isReported(stored)) return <Banner text={words.reportsOn} tone="good" />;
  const register = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await call(`POST ${one}/webhook`, { path });
      onDone();
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setProblem(cause.message);
      setBusy(false);
    }
  };
  return (
    <div class="app-field">
      {problem !== undefined && <Banner title={words.reportsRefused} text={problem} tone="warning" isAlert />}
      <Button label={words.reportPayments} icon="plus" busy={isBusy} onPress={() => void register()} />
      <p class="app-field-help">{words.reportsOff}</p>
    </div>
  );
}

/** A button that tests the stored credentials, and the outcome. */
function Trial({ workspaceId, id, type }: { workspaceId: string; id: string; type: CredentialType }) {
  const words = useWords(credentialsWords);
  const [trial, setTrial] = useState<{ readonly isAccepted: boolean | null; readonly message: string }>();
  const [isBusy, setBusy] = useState(false);
  const tryOut = async () => {
    setBusy(true);
    const tried = await call(`POST ${one}/test`, { path: { workspaceId, credentialsId: id } }).catch(refusedToast);
    setBusy(false);
    if (tried) setTrial(tried.test);
  };
  return (
    <div class="app-field">
      {type.isTestable && <Button label={words.test} icon="send" busy={isBusy} onPress={() => void tryOut()} />}
      {trial && <TrialBanner trial={trial} />}
    </div>
  );
}

/** The outcome of a test. */
export function TrialBanner({ trial }: { trial: { readonly isAccepted: boolean | null; readonly message: string } }) {
  const words = useWords(credentialsWords);
  const { isAccepted, message } = trial;
  if (isAccepted === null) return <Banner text={message} isAlert />;
  return (
    <Banner
      text={message}
      tone={isAccepted ? "good" : "warning"}
      title={isAccepted ? words.accepted : words.refused}
      isAlert
    />
  );
}

/** Lists the bots that use credentials, a secret or a file. Bots in the bin are not links. */
export function UsedBy({ bots }: { readonly bots: Known["usedBy"] }) {
  const words = useWords(credentialsWords);
  return (
    <div class="app-field">
      <span class="app-field-label">{words.usedBy}</span>
      <ul class="app-credentials-bots">
        {bots.map(({ id, name, isPublished, isDeleted }) => (
          <li key={id}>
            {isDeleted ? name : <Link to={`/bots/${id}`}>{name}</Link>}
            {!isPublished && ` ${words.draftOnly}`}
            {isDeleted && ` ${words.inBin}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
