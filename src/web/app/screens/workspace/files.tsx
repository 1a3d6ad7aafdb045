import { useRef, useState } from "preact/hooks";
import { type Answer, ApiFailure, call, useAll } from "../../api/index.ts";
import { upload } from "../../api/upload.ts";
import { DeleteGuarded } from "../../credentials/delete-guarded.tsx";
import { ListTable, type ListTableProps, MoreMenu, When } from "../../page-parts/lists.tsx";
import { copyText } from "../../page-parts/save-and-copy.ts";
import { Part } from "../../page-parts/sections.tsx";
import { sentenceOf } from "../../page-parts/submit.ts";
import { useInstance } from "../../session/service-pages.ts";
import { Banner, Button, EmptyState, Icon, toast } from "../../ui/index.ts";
import workspaceWords from "../../words/en/workspace.json";
import { sizeText, useWords } from "../../words/index.ts";
import "./files.css";

type AuthorsFile = Answer<"GET /api/v1/workspaces/:workspaceId/files">["files"][number];

/** Lists the media that bots show: pictures, audio, videos and fonts. Files are added by selecting or dropping them. */
export function Files({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords(workspaceWords);
  const shared = useWords();
  const chooser = useRef<HTMLInputElement>(null);
  const { value: instance } = useInstance();
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [deleting, setDeleting] = useState<AuthorsFile>();
  const query = useAll(
    `files/${workspaceId}`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/files", { path: { workspaceId }, query: page }),
    ({ files }) => files,
  );
  const send = async (files: readonly File[]) => {
    if (files.length === 0 || isBusy) return;
    setBusy(true);
    const refused: string[] = [];
    for (const file of files) {
      try {
        await upload("POST /api/v1/workspaces/:workspaceId/files", {
          path: { workspaceId },
          query: { name: file.name },
          file,
        });
      } catch (cause) {
        if (!(cause instanceof ApiFailure)) throw cause;
        refused.push(words.notUploaded({ name: file.name, why: sentenceOf(cause, shared.tooManyTries) }));
      }
    }
    setProblems(refused);
    setBusy(false);
    if (refused.length < files.length) toast(words.uploaded({ count: files.length - refused.length }));
    await query.again();
  };
  const remove = async ({ id }: AuthorsFile, force: { readonly force: boolean }) => {
    const path = { workspaceId, fileId: id };
    await call("DELETE /api/v1/workspaces/:workspaceId/files/:fileId", { path, query: force });
    await query.again();
  };
  return (
    <Part
      title={words.files}
      text={words.filesText}
      action={<Button label={words.upload} icon="upload" busy={isBusy} onPress={() => chooser.current?.click()} />}
    >
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-hidden="true"
        tabIndex={-1}
        onChange={(event) => {
          void send([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      {problems.map((problem) => (
        <Banner text={problem} key={problem} tone="warning" isAlert />
      ))}
      <section
        class={`files-place ${isOver ? "is-over" : ""}`}
        aria-label={words.files}
        onDragOver={(event) => {
          if (!event.dataTransfer?.types.includes("Files")) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void send([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <FileTable
          query={query}
          empty={
            <EmptyState
              icon="upload"
              title={isOver ? words.dropHere : words.noFiles}
              text={words.noFilesText({ megabytes: instance?.bounds.uploadMegabytes ?? 10 })}
            >
              <Button label={words.upload} busy={isBusy} onPress={() => chooser.current?.click()} />
            </EmptyState>
          }
          onDelete={setDeleting}
        />
      </section>
      {deleting && (
        <DeleteGuarded
          name={deleting.name}
          text={words.deleteFileText}
          remove={(force) => remove(deleting, force)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Part>
  );
}

type FileTableProps = Pick<ListTableProps<AuthorsFile>, "query" | "empty"> & {
  readonly onDelete: (file: AuthorsFile) => void;
};

function FileTable({ onDelete, ...list }: FileTableProps) {
  const words = useWords(workspaceWords);
  return (
    <ListTable
      {...list}
      bars={5}
      label={words.files}
      keyOf={({ id }) => id}
      columns={[
        {
          id: "file",
          label: words.file,
          isMain: true,
          cell: (file) => (
            <span class="app-cell">
              <Thumbnail file={file} />
              <a class="app-cell-text" href={file.url} target="_blank" rel="noopener noreferrer" dir="auto">
                {file.name}
              </a>
            </span>
          ),
        },
        { id: "size", label: words.size, align: "end", cell: ({ bytes }) => sizeText(bytes) },
        { id: "added", label: words.added, from: "medium", cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
      acts={(file) => (
        <MoreMenu
          name={file.name}
          items={() => [
            { label: words.copyAddress, icon: "link", onPress: () => void copyText(file.url, words.addressCopied) },
            {
              label: words.openFile,
              icon: "external-link",
              onPress: () => void window.open(file.url, "_blank", "noopener"),
            },
            { kind: "line" },
            { label: words.delete, icon: "trash-2", isDanger: true, onPress: () => onDelete(file) },
          ]}
        />
      )}
    />
  );
}

/**
 * Shows a thumbnail if this page may load the picture, and otherwise the icon of the file type. Hidden from screen
 * readers, because the name is next to it.
 */
function Thumbnail({ file: { type, url } }: { readonly file: AuthorsFile }) {
  const isDrawn = type.startsWith("image/") && URL.parse(url)?.protocol === "https:";
  if (isDrawn) return <img class="files-picture" src={url} alt="" loading="lazy" />;
  return (
    <span class="files-picture" aria-hidden="true">
      <Icon name={type.startsWith("image/") ? "eye" : type.startsWith("font/") ? "languages" : "play"} />
    </span>
  );
}
