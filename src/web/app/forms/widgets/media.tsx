import { useEffect, useRef, useState } from "preact/hooks";
import { ApiFailure } from "../../api/index.ts";
import { announce, Button, Icon, later } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords, type WordsOf } from "../../words/index.ts";
import type { FormContext, WidgetProps } from "../contract.ts";
import { useFormRoot } from "../form-root.ts";
import { textOf } from "../values.ts";
import { Written } from "./text.tsx";

const MediaLibrary = later(async () => (await import("../fields/media-library.tsx")).MediaLibrary);

export type Holds = "image" | "video" | "audio";
type Words = WordsOf<"form">;
type UnderWay = { readonly name: string; readonly share: number; readonly stop: AbortController };

/**
 * A field for the URL of a picture, video or audio file. The URL is typed, or set by an upload or by choosing a file of
 * the workspace. Pictures are shown.
 */
export function Media(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const [failure, setFailure] = useState<string>();
  const { holds = "image" } = props.schema;
  const address = textOf(props.value);
  const below = (
    <>
      {holds === "image" && isAddress(address) && (
        <img
          key={address}
          class="app-form-picture"
          src={address}
          alt=""
          loading="lazy"
          onError={({ currentTarget }) => (currentTarget.hidden = true)}
        />
      )}
      {context.upload && !context.isReadOnly && (
        <Upload
          holds={holds}
          context={context}
          onDone={props.set}
          onFailure={(sentence) => {
            setFailure(sentence && words.uploadFailed({ why: sentence }));
            if (sentence) announce(words.uploadFailed({ why: sentence }), "assertive");
          }}
        />
      )}
    </>
  );
  return <Written {...props} kind="line" below={below} error={failure} />;
}

type UploadProps = {
  readonly holds: Holds;
  readonly context: FormContext;
  readonly onDone: (address: string) => void;
  /** Called with an error message, or with undefined when the error is resolved. */
  readonly onFailure: (sentence: string | undefined) => void;
};

/** A drop area with buttons for a file from this computer and for a file of the workspace. */
function Upload({ holds, context, onDone, onFailure }: UploadProps) {
  const words = useWords(formWords);
  const file = useRef<HTMLInputElement>(null);
  const [underWay, setUnderWay] = useState<UnderWay>();
  const [isOver, setOver] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const running = useRef<AbortController>(undefined);
  // Uses the latest callback, because the field's list entry may move during an upload.
  const take = useRef(onDone);
  take.current = onDone;
  // Aborts the upload when the form is closed.
  useEffect(() => () => running.current?.abort(), []);
  const send = async (chosen: File | undefined) => {
    if (!chosen || !context.upload || underWay) return;
    onFailure(undefined);
    const refusal = refusalOf(chosen, { holds, context, words });
    if (refusal) return onFailure(refusal);
    const stop = new AbortController();
    running.current = stop;
    const tell = (share: number) => setUnderWay({ name: chosen.name, share, stop });
    tell(0);
    try {
      const address = await context.upload(chosen, { onProgress: tell, signal: stop.signal });
      take.current(address);
      announce(words.uploaded({ name: chosen.name }));
    } catch (cause) {
      if (!stop.signal.aborted) onFailure(sentenceOf(cause, { holds, context, words }));
    } finally {
      setUnderWay(undefined);
    }
  };
  if (underWay) {
    const percent = Math.round(underWay.share * 100);
    return (
      <div class="app-form-upload">
        <progress value={percent} max={100} aria-label={words.uploading({ name: underWay.name, percent })} />
        <span>{words.uploading({ name: underWay.name, percent })}</span>
        <Button label={words.cancelUpload} size="s" kind="quiet" onPress={() => underWay.stop.abort()} />
      </div>
    );
  }
  const drops = {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      // Dropped text is handled by the text field.
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(false);
      void send(event.dataTransfer.files[0]);
    },
  };
  return (
    <div class={`app-form-drop ${isOver ? "is-over" : ""}`} {...drops}>
      <input
        ref={file}
        class="visually-hidden"
        type="file"
        tabIndex={-1}
        aria-hidden="true"
        accept={`${holds}/*`}
        onChange={(event) => {
          void send(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      <p class="app-form-drop-words">
        <Icon name="upload" size={16} />
        {words.dropHere}
      </p>
      <div class="app-form-chips">
        <Button label={words.upload} size="s" onPress={() => file.current?.click()} />
        {context.library && <Button label={words.fromLibrary} size="s" onPress={() => setChoosing(true)} />}
      </div>
      {isChoosing && context.library && (
        <MediaLibrary
          holds={holds}
          load={context.library}
          onPick={(address) => {
            onFailure(undefined);
            onDone(address);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

type Known = { readonly holds: Holds; readonly context: FormContext; readonly words: Words };

/** Returns the reason why the browser rejects a file before the upload; undefined if the file is acceptable. */
function refusalOf({ type, size }: File, { holds, context, words }: Known): string | undefined {
  const { uploadMegabytes: most } = context;
  if (size === 0) return words.uploads.empty;
  if (most !== undefined && size > most * 1024 * 1024) return words.uploads.tooLarge({ megabytes: most });
  return type !== "" && !type.startsWith(`${holds}/`) ? words.uploads[holds] : undefined;
}

function sentenceOf(cause: unknown, { holds, context, words }: Known): string {
  if (!(cause instanceof ApiFailure)) return cause instanceof Error ? cause.message : String(cause);
  switch (cause.code) {
    case "upload.type_not_allowed":
      return words.uploads[holds];
    case "upload.empty":
      return words.uploads.empty;
    case "request.too_large":
      return words.uploads.tooLarge({ megabytes: context.uploadMegabytes ?? 0 });
    case "workspace_file.too_many":
      return words.uploads.tooMany;
    case "network.offline":
    case "upload.interrupted":
      return words.uploads.offline;
    case "storage.unavailable":
      return words.uploads.storage;
    default:
      return cause.message;
  }
}

/** Whether the text is a complete URL. A URL with variables cannot be opened. */
function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s{}]+$/.test(text);
}
