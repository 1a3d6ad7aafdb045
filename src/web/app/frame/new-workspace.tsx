import { call, refresh } from "../api/index.ts";
import { NameDialog } from "../page-parts/form-dialog.tsx";
import { go } from "../routing/router.ts";
import { useWords } from "../words/index.ts";

/** Asks for a name, creates the workspace and opens it. */
export function NewWorkspace({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const make = async (name: string) => {
    const { workspace } = await call("POST /api/v1/workspaces", { body: { name } });
    await refresh("workspaces");
    onClose();
    go(`/w/${workspace.id}`);
  };
  return (
    <NameDialog
      title={words.newWorkspace}
      text={words.newWorkspaceText}
      label={words.workspaceName}
      action={words.create}
      send={make}
      onClose={onClose}
    />
  );
}
