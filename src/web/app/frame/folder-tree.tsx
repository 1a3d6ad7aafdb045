import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { call, refresh } from "../api/index.ts";
import { NameDialog } from "../page-parts/form-dialog.tsx";
import { go, match, route } from "../routing/router.ts";
import { keep, read } from "../session/local-storage.ts";
import { type Folder, useFolders } from "../session/workspaces.ts";
import { ConfirmDialog, IconButton, type MenuItem, Tree, type TreeNode, useContextMenu } from "../ui/index.ts";
import { useWords } from "../words/index.ts";
import { draggedBots, moveDragged } from "./dragging.ts";

const openKey = "parley.folders";
const open = signal<ReadonlySet<string>>(new Set((read(openKey) ?? "").split(" ").filter((id) => id !== "")));

function expand(id: string, isExpanded: boolean): void {
  const next = new Set(open.value);
  if (isExpanded) next.add(id);
  else next.delete(id);
  open.value = next;
  keep(openKey, [...next].join(" "));
}

/** The dialog for an action on a folder. */
type Doing =
  | { readonly kind: "new"; readonly parent: Folder | undefined }
  | { readonly kind: "rename" | "delete"; readonly folder: Folder };

type FolderTreeProps = { readonly workspaceId: string; readonly onFollow: (() => void) | undefined };

/** The tree of a workspace's folders. Bots can be dropped on the folders. */
export function FolderTree({ workspaceId, onFollow }: FolderTreeProps) {
  const words = useWords();
  const { value: folders = [] } = useFolders(workspaceId);
  const [doing, setDoing] = useState<Doing>();
  const [pointed, setPointed] = useState<string>();
  const selected = match("/w/:workspaceId/folders/:folderId", route.value.path)?.["folderId"];
  const items = (): MenuItem[] => {
    const folder = folders.find(({ id }) => id === pointed);
    if (!folder) return [];
    return [
      {
        label: words.newFolderIn({ name: folder.name }),
        icon: "folder-plus",
        onPress: () => setDoing({ kind: "new", parent: folder }),
      },
      { label: words.renameFolder, icon: "pencil", onPress: () => setDoing({ kind: "rename", folder }) },
      { kind: "line" },
      {
        label: words.deleteFolder,
        icon: "trash-2",
        isDanger: true,
        onPress: () => setDoing({ kind: "delete", folder }),
      },
    ];
  };
  const { menu, onContextMenu } = useContextMenu(words.folders, items);
  return (
    <section class="app-side-group">
      <header>
        <h2>{words.folders}</h2>
        <IconButton
          size="s"
          icon="folder-plus"
          label={words.newFolder}
          onPress={() => setDoing({ kind: "new", parent: undefined })}
        />
      </header>
      {folders.length > 0 && (
        <Tree
          label={words.folders}
          nodes={nodesOf(folders, null)}
          selected={selected}
          expanded={open.value}
          onExpand={expand}
          onSelect={(id) => {
            onFollow?.();
            go(`/w/${workspaceId}/folders/${id}`);
          }}
          onDrop={(event, id) => {
            const folder = folders.find((each) => each.id === id);
            const bots = draggedBots(event);
            if (folder && bots.length > 0) void moveDragged(bots, folder, words);
          }}
          onContextMenu={(event, id) => {
            setPointed(id);
            onContextMenu(event);
          }}
        />
      )}
      {menu}
      {doing?.kind === "new" && (
        <FolderName workspaceId={workspaceId} parent={doing.parent} onClose={() => setDoing(undefined)} />
      )}
      {doing?.kind === "rename" && (
        <FolderName workspaceId={workspaceId} folder={doing.folder} onClose={() => setDoing(undefined)} />
      )}
      {doing?.kind === "delete" && (
        <DeleteFolder
          folder={doing.folder}
          isShown={selected === doing.folder.id}
          onClose={() => setDoing(undefined)}
        />
      )}
    </section>
  );
}

/** Returns the folders of one level, sorted by name, each with its subfolders. */
export function nodesOf(folders: readonly Folder[], parentFolderId: string | null): readonly TreeNode[] {
  return folders
    .filter((folder) => folder.parentFolderId === parentFolderId)
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ id, name }) => ({ id, label: name || "…", icon: "folder", children: nodesOf(folders, id) }));
}

type NameProps = {
  readonly workspaceId: string;
  readonly parent?: Folder | undefined;
  readonly folder?: Folder;
  readonly onClose: () => void;
};

function FolderName({ workspaceId, parent, folder, onClose }: NameProps) {
  const words = useWords();
  const save = async (name: string) => {
    if (folder) {
      await call("PATCH /api/v1/folders/:folderId", { path: { folderId: folder.id }, body: { folder: { name } } });
    } else {
      const body = { workspaceId, folderName: name, parentFolderId: parent?.id ?? null };
      await call("POST /api/v1/folders", { body });
      if (parent) expand(parent.id, true);
    }
    await refresh(`folders/${workspaceId}`);
    onClose();
  };
  return (
    <NameDialog
      title={folder ? words.renameFolder : parent ? words.newFolderIn({ name: parent.name }) : words.newFolder}
      label={words.folderName}
      value={folder?.name}
      action={folder ? words.rename : words.create}
      send={save}
      onClose={onClose}
    />
  );
}

type DeleteProps = { readonly folder: Folder; readonly isShown: boolean; readonly onClose: () => void };

function DeleteFolder({ folder, isShown, onClose }: DeleteProps) {
  const words = useWords();
  const remove = async () => {
    await call("DELETE /api/v1/folders/:folderId", { path: { folderId: folder.id }, query: {}, body: {} });
    const parent = folder.parentFolderId;
    if (isShown) go(parent === null ? `/w/${folder.workspaceId}` : `/w/${folder.workspaceId}/folders/${parent}`);
    await Promise.all([refresh(`folders/${folder.workspaceId}`), refresh("bots")]);
  };
  return (
    <ConfirmDialog
      title={words.deleteFolder}
      text={words.deleteFolderText({ name: folder.name })}
      action={words.deleteBot}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
