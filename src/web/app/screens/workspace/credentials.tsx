import { useState } from "preact/hooks";
import { type Answer, ApiFailure, call, useAll, useQuery } from "../../api/index.ts";
import { CredentialsDialog, TrialBanner, UsedBy } from "../../credentials/credentials-dialog.tsx";
import { type Credential, serviceName } from "../../credentials/credentials-form.ts";
import { useCredentialTypes } from "../../forms/index.ts";
import { ListTable, MoreMenu, TwoLines, When } from "../../page-parts/lists.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { refusedToast } from "../../page-parts/submit.ts";
import { Badge, Banner, Button, ConfirmDialog, Dialog, EmptyState, type MenuItem } from "../../ui/index.ts";
import credentialsWords from "../../words/en/credentials.json";
import workspaceWords from "../../words/en/workspace.json";
import { useWords } from "../../words/index.ts";
import { Unreadable } from "./unreadable.tsx";

type Trial = Answer<"POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/test">["test"];
type Asking =
  | { readonly kind: "new" }
  | { readonly kind: "edit" | "delete"; readonly credential: Credential }
  | { readonly kind: "tried"; readonly credential: Credential; readonly trial: Trial };

const one = "/api/v1/workspaces/:workspaceId/credentials/:credentialsId";

/** Lists the credentials that blocks need to call other services, by name and type, without their secrets. */
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
  const pathOf = ({ id }: Credential) => pathIn(workspaceId, id);
  const tryOut = async (credential: Credential) => {
    const tried = await call(`POST ${one}/test`, { path: pathOf(credential) }).catch(refusedToast);
    if (tried) setAsking({ kind: "tried", credential, trial: tried.test });
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
          title={own.testTitle({ name: asking.credential.name })}
          size="s"
          onClose={close}
          actions={<Button label={words.done} onPress={close} />}
        >
          <TrialBanner trial={asking.trial} />
        </Dialog>
      )}
      {asking?.kind === "delete" && (
        <DeleteCredentials
          workspaceId={workspaceId}
          credential={asking.credential}
          onDeleted={query.again}
          onClose={close}
        />
      )}
    </Part>
  );
}

type DeleteProps = {
  readonly workspaceId: string;
  readonly credential: Credential;
  readonly onDeleted: () => Promise<void>;
  readonly onClose: () => void;
};

/**
 * Shows which bots use the credentials before they are deleted. The name must be typed as confirmation. If a published
 * bot uses the credentials, the deletion is forced only after the bot was shown.
 */
function DeleteCredentials({ workspaceId, credential, onDeleted, onClose }: DeleteProps) {
  const own = useWords(workspaceWords);
  const path = pathIn(workspaceId, credential.id);
  const query = useQuery(`credentials-of/${credential.id}`, () => call(`GET ${one}`, { path }));
  const bots = query.isLoading ? [] : (query.value?.credentials.usedBy ?? []);
  const isInUse = bots.some(({ isPublished }) => isPublished);
  const remove = async () => {
    try {
      await call(`DELETE ${one}`, { path, query: { force: isInUse } });
    } catch (cause) {
      if (!(cause instanceof ApiFailure) || cause.code !== "credentials.in_use") throw cause;
      await query.again();
      throw new Error(own.credentialsInUse, { cause });
    }
    await onDeleted();
  };
  return (
    <ConfirmDialog
      title={own.deleteTitle({ name: credential.name })}
      text={own.deleteCredentialsText}
      action={isInUse ? own.deleteAnyway : own.delete}
      isDanger
      typed={credential.name}
      onConfirm={remove}
      onClose={onClose}
    >
      {isInUse && <Banner text={own.credentialsInUse} tone="warning" />}
      {bots.length > 0 && <UsedBy bots={bots} />}
    </ConfirmDialog>
  );
}

function pathIn(workspaceId: string, credentialsId: string) {
  return { workspaceId, credentialsId };
}
