import { useMemo } from "preact/hooks";
import { entriesOf, idOf } from "../../../../editing/things.ts";
import { isJsonObject, textAt } from "../../../../interpreter/flow.ts";
import { call, isRecord, request, useQuery } from "../../api/index.ts";
import { useInstance } from "../../bot-bar/chat-address.ts";
import { addVariable } from "../../editor/commands/variables.ts";
import { newId } from "../../editor/ids.ts";
import type { Held, OpenBot } from "../../editor/index.ts";
import { type FormContext, useBlockTypes } from "../../forms/index.ts";
import { announce } from "../../ui/index.ts";

/** What a form of this bot knows of the flow and of the workspace around it. */
export function useFormContext({ bot, editor, id }: OpenBot): FormContext {
  const types = useBlockTypes();
  const { workspaceId } = bot.peek();
  const bots = useQuery(`flow/${workspaceId}/bots`, () =>
    call("GET /api/v1/bots", { query: { workspaceId, limit: 100 } }),
  ).value?.bots;
  const credentials = useQuery(`flow/${workspaceId}/credentials`, () =>
    call("GET /api/v1/workspaces/:workspaceId/credentials", { path: { workspaceId } }),
  ).value?.credentials;
  const isReadOnly = editor.readOnly.value !== undefined;
  const hasStorage = useInstance()?.has.storage === true;
  return useMemo(
    (): FormContext => ({
      variables: editor.store.variables,
      makeVariable(name) {
        const made = newId();
        const done = editor.run(addVariable, { name, id: made });
        if (done.kind === "done") announce(done.title);
        return editor.copy.view().variables.find((variable) => variable.name === name)?.id ?? made;
      },
      groups: () =>
        entriesOf(editor.store.structure.value.groups)
          .filter(isJsonObject)
          .map((group) => ({
            id: idOf(group) ?? "",
            title: textAt(group, "title") ?? "",
            blocks: entriesOf(group["blocks"])
              .filter(isJsonObject)
              .map((block) => ({
                id: idOf(block) ?? "",
                name: types?.get(textAt(block, "type") ?? "")?.editor.name ?? "",
              })),
          })),
      bots: () => (bots ?? []).filter((one) => one.id !== id).map(({ id: botId, name }) => ({ id: botId, name })),
      credentials: (type) =>
        (credentials ?? [])
          .filter((one) => type === undefined || one.type === type)
          .map(({ id: credentialsId, name }) => ({ id: credentialsId, name })),
      isReadOnly,
      ...(hasStorage && { upload: (file: File) => uploadTo(workspaceId, file) }),
      errors: () => errorsIn(editor.held.value, editor.selection.peek()),
    }),
    [editor, types, bots, credentials, isReadOnly, hasStorage],
  );
}

/** Gives a file to the workspace, and its address to who asks. Throws an `ApiFailure`. */
async function uploadTo(workspaceId: string, file: File): Promise<string> {
  const query = { name: file.name.slice(0, 255) };
  const name = "POST /api/v1/workspaces/:workspaceId/files";
  const answer: unknown = await (await request(name, { path: { workspaceId }, query, body: file })).json();
  const address = isRecord(answer) && isRecord(answer["workspaceFile"]) ? answer["workspaceFile"]["url"] : undefined;
  return typeof address === "string" ? address : "";
}

/** What the service had against fields of the block that is selected. */
function errorsIn(
  held: readonly Held[],
  selection: { readonly id: string; readonly blockId?: string } | undefined,
): ReadonlyMap<string, string> {
  const prefix = `blocks.${selection?.blockId ?? selection?.id}.`;
  const errors = new Map<string, string>();
  for (const { reason } of held) {
    if (reason.kind !== "refused") continue;
    for (const { path, message } of reason.issues)
      if (path.startsWith(prefix)) errors.set(path.slice(prefix.length), message);
  }
  return errors;
}
