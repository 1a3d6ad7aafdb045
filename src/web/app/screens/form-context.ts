import { type Signal, signal } from "@preact/signals";
import { h } from "preact";
import { useMemo } from "preact/hooks";
import { entriesOf, idOf, objectsIn } from "../../../core/editing/changes/things.ts";
import { textAt } from "../../../core/interpreter/flow.ts";
import { ApiFailure, call, useAll } from "../api/index.ts";
import { filesOfWorkspace, uploadToWorkspace } from "../api/upload.ts";
import { DecisionNote } from "../decisions/decision.tsx";
import { addVariable } from "../editor/commands/variables.ts";
import { newId } from "../editor/ids.ts";
import type { Held, OpenBot } from "../editor/index.ts";
import { blockIdOf } from "../editor/selection.ts";
import { lineOfBlock } from "../forms/block-line.ts";
import { type BlockType, type FormContext, type FormGroup, type ModelNames, useBlockTypes } from "../forms/reading.ts";
import { useInstance } from "../session/service-pages.ts";
import { announce, later } from "../ui/index.ts";

const CredentialsDialog = later(async () => (await import("../credentials/credentials-dialog.tsx")).CredentialsDialog);

/** Returns the context for a form of this bot, with access to its flow and workspace. */
export function useFormContext({ bot, editor, id }: OpenBot, isLocked = false): FormContext {
  const types = useBlockTypes();
  const { workspaceId } = bot.value;
  const { value: bots } = useAll(
    `flow/${workspaceId}/bots`,
    (page) => call("GET /api/v1/bots", { query: { workspaceId, ...page } }),
    (answer) => answer.bots,
  );
  const { value: credentials, again } = useAll(
    `flow/${workspaceId}/credentials`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/credentials", { path: { workspaceId }, query: page }),
    (answer) => answer.credentials,
  );
  const isReadOnly = isLocked || editor.readOnly.value !== undefined;
  const groupsOf = useMemo(() => groupsOfOthers(types), [types]);
  const { has, bounds } = useInstance().value ?? {};
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
        groupsIn(
          { groups: editor.store.structure.value.groups, variables: editor.store.variables.value },
          { types, bots: bots ?? [] },
        ),
      groupsOf,
      bots: () => (bots ?? []).filter((one) => one.id !== id).map(({ id: botId, name }) => ({ id: botId, name })),
      credentials: (type) =>
        (credentials ?? [])
          .filter((one) => type === undefined || one.type === type)
          .map(({ id: credentialsId, name }) => ({ id: credentialsId, name })),
      models: (credentialsId) => modelsOf(workspaceId, credentialsId),
      newCredentials: ({ type, onMade, onClose }) =>
        h(CredentialsDialog, {
          ...{ workspaceId, type, onClose },
          async onSaved(made: string) {
            await again();
            onMade(made);
          },
        }),
      isReadOnly,
      errors: () => errorsIn(editor.held.value, editor.selection.focus.value),
      below: (path, { isWhole }) => decisionsAt(editor, path, isWhole),
      uploadMegabytes: bounds?.uploadMegabytes,
      ...(has?.storage && { upload: uploadToWorkspace(workspaceId), library: () => filesOfWorkspace(workspaceId) }),
    }),
    [editor, types, bots, credentials, isReadOnly, groupsOf, has, bounds, workspaceId],
  );
}

type Types = ReadonlyMap<string, BlockType> | undefined;

type Around = { readonly types: Types; readonly bots: readonly { readonly id: string; readonly name: string }[] };
type Flow = {
  readonly groups: unknown;
  readonly variables: readonly { readonly id: string; readonly name: string }[];
};

function groupsIn({ groups, variables }: Flow, { types, bots }: Around): readonly FormGroup[] {
  const all = objectsIn(groups);
  const names = {
    variable: (id: string) => variables.find((one) => one.id === id)?.name,
    group: (id: string) =>
      textAt(
        all.find((one) => idOf(one) === id),
        "title",
      ),
    bot: (id: string) => bots.find((one) => one.id === id)?.name,
  };
  return all.map((group) => ({
    id: idOf(group) ?? "",
    title: textAt(group, "title") ?? "",
    blocks: objectsIn(group["blocks"]).map((block) => ({
      id: idOf(block) ?? "",
      type: textAt(block, "type") ?? "",
      name: types?.get(textAt(block, "type") ?? "")?.editor.name ?? "",
      says: () => lineOfBlock(block, types, names),
    })),
  }));
}

/** Returns a function that returns the groups of another bot. They are loaded when a form first requests them. */
function groupsOfOthers(types: Types): (botId: string) => readonly FormGroup[] | null | undefined {
  const known = new Map<string, Signal<readonly FormGroup[] | null | undefined>>();
  return (botId) => {
    const found = known.get(botId);
    if (found) return found.value;
    const made = signal<readonly FormGroup[] | null | undefined>(undefined);
    known.set(botId, made);
    call("GET /api/v1/bots/:botId", { path: { botId } }).then(
      ({ bot }) => {
        made.value = groupsIn(bot, { types, bots: [] });
      },
      (error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error;
        made.value = null;
      },
    );
    return made.value;
  };
}

/**
 * Returns notes about the pending decisions at a field of the selected block or event; with `isWhole`, also at the
 * fields inside it.
 */
function decisionsAt(editor: OpenBot["editor"], path: readonly (string | number)[], isWhole: boolean) {
  const id = blockIdOf(editor.selection.focus.value);
  const items = entriesOf(id === undefined ? undefined : editor.store.find.block(id)?.block["items"]);
  return editor.decisions.value.flatMap((decision) => {
    const { clash } = decision;
    const isItem = clash.of === "item" && clash.in === id;
    if (!isItem && (clash.id !== id || (clash.of !== "block" && clash.of !== "event"))) return [];
    const within = isItem ? ["items", items.findIndex((item) => idOf(item) === clash.id)] : [];
    const at = [...within, ...clash.path];
    const isMeant = (isWhole ? at.length >= path.length : at.length === path.length) && path.length > 0;
    if (!isMeant || path.some((step, index) => step !== at[index])) return [];
    return [h(DecisionNote, { key: decision.held.set.id, decision, editor })];
  });
}

/** Returns the service's validation errors in fields of the selected block. */
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

type Known = { readonly names: Signal<readonly string[] | undefined>; isAsked: boolean };

/**
 * The models of all credentials that were requested in this tab. They are cached, because each request uses the
 * customer's key.
 */
const known = new Map<string, Known>();

/** Returns the known names of the models that the credentials can use, and a function that requests them. */
export function modelsOf(workspaceId: string, credentialsId: string): ModelNames {
  const key = `${workspaceId}/${credentialsId}`;
  const entry = known.get(key) ?? { names: signal(undefined), isAsked: false };
  known.set(key, entry);
  return {
    names: entry.names.value,
    ask() {
      if (!entry.isAsked) void ask(entry, { workspaceId, credentialsId });
    },
  };
}

async function ask(entry: Known, path: { readonly workspaceId: string; readonly credentialsId: string }) {
  entry.isAsked = true;
  entry.names.value = undefined;
  try {
    const { models } = await call("GET /api/v1/workspaces/:workspaceId/credentials/:credentialsId/models", { path });
    entry.names.value = models;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // After a failure, the list is requested again when the field is next focused.
    entry.isAsked = false;
    entry.names.value = [];
  }
}
