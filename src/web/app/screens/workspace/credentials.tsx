import { useState } from "preact/hooks";
import { type Answer, call, useAll } from "../../api/index.ts";
import { CredentialsDialog, TrialBanner } from "../../credentials/credentials-dialog.tsx";
import { type Credential, serviceName } from "../../credentials/credentials-form.ts";
import { useCredentialTypes } from "../../forms/index.ts";
import { ListTable, MoreMenu, TwoLines, When } from "../../page-parts/lists.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { refusedToast } from "../../page-parts/submit.ts";
import { Badge, Button, ConfirmDialog, Dialog, EmptyState, type MenuItem } from "../../ui/index.ts";
import { credentialsWords } from "../../words/credentials.ts";
import { useWords } from "../../words/index.ts";
import { workspaceWords } from "../../words/workspace.ts";
import { Unreadable } from "./unreadable.tsx";

type Trial = Answer<"POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/test">["test"];
type Asking =
  | { readonly kind: "new" }
  | { readonly kind: "edit" | "delete"; readonly credential: Credential }
  | { readonly kind: "tried"; readonly credential: Credential; readonly trial: Trial };

const one = "/api/v1/workspaces/:workspaceId/credentials/:credentialsId";

/** The credentials that blocks need to call other services: their names and kinds, never their contents. */
export function Credentials({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords();
  const own = useWords(workspaceWords);
  const [asking, setAsking] = useState<Asking>();
  const types = useCredentialTypes();
  const ofDialog = useWords(credentialsWords);
  const nameOf = (type: string) => serviceName(types?.get(type) ?? { type, name: type }, ofDialog);
  const close = () => setAsking(undefined);
  const query = useAll(
    `credentials/${workspaceId}`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/credentials", { path: { workspaceId }, query: page }),
    ({ credentials }) => credentials,
  );
  const pathOf = ({ id }: Credential) => ({ workspaceId, credentialsId: id });
  const tryOut = async (credential: Credential) => {
    const tried = await call(`POST ${one}/test`, { path: pathOf(credential) }).catch(refusedToast);
    if (tried) setAsking({ kind: "tried", credential, trial: tried.test });
  };
  const remove = async (credential: Credential) => {
    await call(`DELETE ${one}`, { path: pathOf(credential), query: { force: true } });
    await query.again();
  };
  const itemsOf = (credential: Credential): MenuItem[] => [
    { label: own.edit, icon: "pencil", onPress: () => setAsking({ kind: "edit", credential }) },
    { label: own.test, icon: "send", onPress: () => void tryOut(credential) },
    { kind: "line" },
    { label: own.delete, icon: "trash-2", isDanger: true, onPress: () => setAsking({ kind: "delete", credential }) },
  ];
  return (
    <Part
      title={words.credentials}
      text={own.credentialsText}
      action={<Button label={own.newCredentials} icon="plus" onPress={() => setAsking({ kind: "new" })} />}
    >
      <ListTable
        query={query}
        empty={<EmptyState icon="lock" title={words.noCredentials} text={own.noCredentialsText} />}
        label={words.credentials}
        keyOf={({ id }) => id}
        columns={[
          {
            id: "name",
            label: words.name,
            isMain: true,
            cell: ({ name, type, isReadable, lastProblem }) => (
              <TwoLines detail={nameOf(type)}>
                {name} {!isReadable && <Unreadable />}
                {lastProblem && <Badge label={own.refused} tone="warning" icon="triangle-alert" />}
              </TwoLines>
            ),
          },
          { id: "used", label: own.lastUsed, from: "medium", cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
        ]}
        acts={(credential) => <MoreMenu name={credential.name} items={() => itemsOf(credential)} />}
      />
      {(asking?.kind === "new" || asking?.kind === "edit") && (
        <CredentialsDialog
          workspaceId={workspaceId}
          credential={asking.kind === "edit" ? asking.credential : undefined}
          onSaved={query.again}
          onClose={close}
        />
      )}
      {asking?.kind === "tried" && (
        <Dialog
          title={own.testTitle(asking.credential.name)}
          size="s"
          onClose={close}
          actions={<Button label={words.done} onPress={close} />}
        >
          <TrialBanner trial={asking.trial} />
        </Dialog>
      )}
      {asking?.kind === "delete" && (
        <ConfirmDialog
          title={own.deleteTitle(asking.credential.name)}
          text={own.deleteCredentialsText}
          action={own.delete}
          isDanger
          typed={asking.credential.name}
          onConfirm={() => remove(asking.credential)}
          onClose={close}
        />
      )}
    </Part>
  );
}
