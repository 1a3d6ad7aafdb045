import { useState } from "preact/hooks";
import { type Answer, call, refresh, useAll } from "../../api/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { ListTable, MoreMenu, TwoLines, When } from "../../page-parts/lists.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { FieldProblem, useTexts } from "../../page-parts/submit.ts";
import { Button, ConfirmDialog, EmptyState, TextArea, TextField, toast } from "../../ui/index.ts";
import instanceWords from "../../words/en/instance.json";
import { useWords } from "../../words/index.ts";

type Suspended = Answer<"GET /api/v1/workspaces/suspended">["workspaces"][number];
type Asking = { readonly kind: "suspend" } | { readonly kind: "reason" | "resume"; readonly workspace: Suspended };

const key = "suspended";

/**
 * Lists the suspended workspaces, each with the reason and a button that reactivates it. Other workspaces can be
 * suspended.
 */
export function Workspaces() {
  const words = useWords(instanceWords);
  const [asking, setAsking] = useState<Asking>();
  const query = useAll(
    key,
    (page) => call("GET /api/v1/workspaces/suspended", { query: page }),
    ({ workspaces }) => workspaces,
  );
  const resume = async ({ id, name }: Suspended) => {
    await call("POST /api/v1/workspaces/:workspaceId/resume", { path: { workspaceId: id } });
    toast(words.resumedToast({ name }));
    await refreshAll();
  };
  return (
    <Part
      title={words.workspaces}
      text={words.workspacesText}
      action={<Button label={words.suspend} icon="lock" onPress={() => setAsking({ kind: "suspend" })} />}
    >
      <ListTable
        query={query}
        empty={<EmptyState icon="circle-check" title={words.noneSuspended} text={words.noneSuspendedText} />}
        label={words.workspaces}
        keyOf={({ id }) => id}
        columns={[
          {
            id: "workspace",
            label: words.workspace,
            isMain: true,
            cell: ({ name, suspendedReason }) => (
              <TwoLines detail={suspendedReason} title={suspendedReason ?? undefined}>
                {name}
              </TwoLines>
            ),
          },
          {
            id: "since",
            label: words.suspendedSince,
            from: "medium",
            cell: ({ suspendedAt }) => <When at={suspendedAt} />,
          },
        ]}
        acts={(workspace) => (
          <span class="app-cell-acts">
            <Button label={words.resume} size="s" onPress={() => setAsking({ kind: "resume", workspace })} />
            <MoreMenu
              name={workspace.name}
              items={() => [
                { label: words.changeReason, icon: "pencil", onPress: () => setAsking({ kind: "reason", workspace }) },
              ]}
            />
          </span>
        )}
      />
      {(asking?.kind === "suspend" || asking?.kind === "reason") && (
        <Suspend
          workspace={asking.kind === "reason" ? asking.workspace : undefined}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.kind === "resume" && (
        <ConfirmDialog
          title={words.resumeTitle({ name: asking.workspace.name })}
          text={words.resumeText}
          action={words.resume}
          onConfirm={() => resume(asking.workspace)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Part>
  );
}

/** Suspends a workspace by its URL or id, or changes the reason for a suspended workspace. */
function Suspend({ workspace, onClose }: { readonly workspace: Suspended | undefined; readonly onClose: () => void }) {
  const words = useWords(instanceWords);
  const { texts, field } = useTexts({ place: workspace?.id ?? "", reason: workspace?.suspendedReason ?? "" });
  const suspend = async () => {
    const workspaceId = workspaceIdIn(texts.place);
    if (workspaceId === undefined) throw new FieldProblem("place", words.notAnId);
    const body = { reason: texts.reason.trim() };
    await call("POST /api/v1/workspaces/:workspaceId/suspend", { path: { workspaceId }, body });
    toast(words.suspendedToast);
    onClose();
    await refreshAll();
  };
  return (
    <FormDialog
      title={workspace ? words.changeReason : words.suspend}
      text={workspace ? workspace.name : words.suspendText}
      action={words.suspendAct}
      required={texts}
      send={suspend}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {!workspace && (
            <TextField
              label={words.whichWorkspace}
              help={words.whichHelp}
              {...field("place", errorOf)}
              attributes={{ autofocus: true, autocomplete: "off", spellcheck: false }}
            />
          )}
          <TextArea label={words.reason} help={words.reasonHelp} {...field("reason", errorOf)} />
        </>
      )}
    </FormDialog>
  );
}

/** Returns the id in a text that is either an id or a URL such as `https://bots.example.com/app/w/<id>/settings`. */
function workspaceIdIn(text: string): string | undefined {
  return /(?:^|\/w\/)([0-9a-z]{26}|[0-9a-f-]{36})(?:$|[/?#])/.exec(text.trim())?.[1];
}

/** Requests the lists of workspaces and bots again, because the administrator may also be a member of the workspace. */
async function refreshAll(): Promise<void> {
  await Promise.all([refresh(key), refresh("workspaces"), refresh("bots")]);
}
