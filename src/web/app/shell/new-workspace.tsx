/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { call, refresh } from "../api/index.ts";
import { Button, Dialog, TextField } from "../ui/index.ts";
import { useWords } from "../words/index.ts";
import { go } from "./router.ts";
import { useSubmit } from "./submit.ts";

/** Asks for the name of a workspace, makes it, and leads there. */
export function NewWorkspace({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const [name, setName] = useState("");
  const { isBusy, error, submit } = useSubmit();
  const make = () =>
    submit({ name }, async () => {
      const { workspace } = await call("POST /api/v1/workspaces", { body: { name: name.trim() } });
      await refresh("workspaces");
      onClose();
      go(`/w/${workspace.id}`);
    });
  return (
    <Dialog
      title={words.newWorkspace}
      text={words.newWorkspaceText}
      size="s"
      onClose={onClose}
      onSubmit={() => void make()}
      actions={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {words.create}
          </Button>
        </>
      }
    >
      <TextField
        label={words.workspaceName}
        value={name}
        onInput={setName}
        error={error}
        attributes={{ autofocus: true }}
      />
    </Dialog>
  );
}
