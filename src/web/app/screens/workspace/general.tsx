import { useState } from "preact/hooks";
import { call, refresh } from "../../api/index.ts";
import { Part } from "../../page-parts/sections.tsx";
import { useSubmit } from "../../page-parts/submit.ts";
import { go } from "../../routing/router.ts";
import { me } from "../../session/session.ts";
import { Banner, Button, ConfirmDialog, Form, TextField, toast } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { refreshWorkspace } from "./workspace.ts";

export type GeneralProps = {
  readonly workspace: { readonly id: string; readonly name: string; readonly icon: string | null };
  readonly isAdmin: boolean;
};

/** Edits the workspace's name and icon. The workspace can also be left or deleted. */
export function General({ workspace, isAdmin }: GeneralProps) {
  const words = useWords();
  const [name, setName] = useState(workspace.name);
  const [icon, setIcon] = useState(workspace.icon ?? "");
  const [asking, setAsking] = useState<"leave" | "delete">();
  const { isBusy, error, submit } = useSubmit();
  const path = { workspaceId: workspace.id };
  const save = () =>
    submit({ name }, async () => {
      const body = { name: name.trim(), icon: icon.trim() === "" ? null : icon.trim() };
      await call("PATCH /api/v1/workspaces/:workspaceId", { path, body });
      toast(words.saved);
      await refreshWorkspace(workspace.id);
    });
  const gone = async () => {
    await refresh("workspaces");
    go("/", { isReplacing: true });
  };
  const remove = async () => {
    await call("DELETE /api/v1/workspaces/:workspaceId", { path });
    await gone();
  };
  const leave = async () => {
    const userId = me.value?.id ?? "";
    await call("DELETE /api/v1/workspaces/:workspaceId/members/:userId", { path: { ...path, userId } });
    await gone();
  };
  return (
    <>
      <Part title={words.general}>
        {!isAdmin && <Banner text={words.onlyAdmins} />}
        <Form class="app-part-form" onSubmit={save}>
          <TextField label={words.name} value={name} onInput={setName} error={error} isReadOnly={!isAdmin} />
          <TextField label={words.icon} help={words.iconHelp} value={icon} onInput={setIcon} isReadOnly={!isAdmin} />
          {isAdmin && <Button label={words.save} kind="primary" type="submit" busy={isBusy} />}
        </Form>
      </Part>
      <Part title={words.danger}>
        <ul class="app-risks">
          <li>
            <p>{words.leaveWorkspaceText({ name: workspace.name })}</p>
            <Button label={words.leaveWorkspace} icon="log-out" onPress={() => setAsking("leave")} />
          </li>
          {isAdmin && (
            <li>
              <p>{words.deleteWorkspaceText({ name: workspace.name })}</p>
              <Button label={words.deleteWorkspace} icon="trash-2" onPress={() => setAsking("delete")} />
            </li>
          )}
        </ul>
      </Part>
      {asking === "leave" && (
        <ConfirmDialog
          title={words.leaveWorkspace}
          text={words.leaveWorkspaceText({ name: workspace.name })}
          action={words.leaveWorkspace}
          isDanger
          onConfirm={leave}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === "delete" && (
        <ConfirmDialog
          title={words.deleteWorkspace}
          text={words.deleteWorkspaceText({ name: workspace.name })}
          action={words.deleteWorkspace}
          isDanger
          typed={workspace.name}
          onConfirm={remove}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}
