/** @jsxImportSource preact */

import type { RefObject } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { addressesIn } from "../../conversation/files.ts";
import { flagAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";
import { Sound } from "../Sound.tsx";
import { UploadingContext } from "../uploading.ts";
import composerCss from "./composer.css" with { type: "text" };
import filesCss from "./files.css" with { type: "text" };
import { useChosenFiles } from "./parts/chosen-files.ts";
import { buttonLabel, describedBy, SendButton } from "./parts/field.tsx";
import { FileField } from "./parts/file-field.tsx";
import { ChosenRows, FileProblems, Icon, RemoveButton, uploadingText, useInSight } from "./parts/file-rows.tsx";
import { FreeText } from "./parts/free-text.tsx";
import type { FieldProps, InputKind } from "./parts/input-kind.ts";
import { useLive } from "./parts/live.ts";
import { richAnswer } from "./parts/RichAnswer.tsx";
import { Recording } from "./parts/recording.tsx";
import { canRecord, type Recorder, useRecorder } from "./parts/use-recorder.ts";
import { KeysHint, keysHintId, textInput, useKeysHint } from "./text.tsx";

/**
 * A text to which files and a voice message can be attached, or a voice message without a text, if the author allows
 * them.
 */
export const textWithFilesInput: InputKind = {
  ...richAnswer,
  css: richAnswer.answerCss + filesCss + composerCss,
  takesFiles: true,
  View: Composer,
  read(form, input, words) {
    const files = takes(input, "attachments") ? addressesIn(form) : [];
    const audio = takes(input, "audioClip") ? form.get("audio") : null;
    const said = textInput.read(form, input, words);
    const text = said.kind === "said" && said.message?.type === "text" ? said.message.text : "";
    const isAudioAlone = typeof audio === "string" && text === "" && files.length === 0;
    if (isAudioAlone) return { kind: "said", message: { type: "audio", url: audio } };
    const attachedFileUrls = typeof audio === "string" ? [...files, audio] : files;
    if (attachedFileUrls.length === 0) return said;
    return { kind: "said", message: { type: "text", text, attachedFileUrls } };
  },
};

/** A field with attachments, the text, and the tools next to the send button. */
function Composer(props: FieldProps) {
  const { input, words, errorId } = props;
  const isLive = useLive(props.isLive);
  const box = useRef<HTMLDivElement>(null);
  const uploading = useContext(UploadingContext);
  const chosen = useChosenFiles(props, { isMultiple: true });
  const recorder = useRecorder();
  const { files } = chosen;
  const problemsId = `${input.id}-problems`;
  const isRecording = recorder.state === "recording";
  const isUploading = uploading !== undefined;
  const problems = recorder.state === "refused" ? [...chosen.problems, words.noMicrophone] : chosen.problems;
  const wrong = describedBy(problems.length > 0 && problemsId, errorId);
  const hint = useKeysHint(props);
  useDrops(box, isLive && takes(input, "attachments") && !isUploading ? chosen.add : undefined);
  useInSight(box, files.length + problems.length + (recorder.clip ? 1 : 0));
  useFocusAfterRecording(box, recorder.clip !== undefined);

  return (
    <>
      <div ref={box} class="typebot-input composer">
        {files.length > 0 && (
          <ul class="chosen-files">
            <ChosenRows {...{ chosen, uploading, words }} />
          </ul>
        )}
        {recorder.clip && (
          <div class="recorded">
            <Sound source={recorder.clip.url} seconds={recorder.clip.seconds} words={words} />
            {!uploading && <RemoveButton name={words.recording} words={words} onRemove={recorder.discard} />}
          </div>
        )}
        {recorder.stream && <Recording stream={recorder.stream} />}
        <FreeText
          {...props}
          describedBy={describedBy(hint && keysHintId(input), errorId)}
          isHidden={isRecording}
          isReadOnly={isUploading}
        />
        <div class="composer-tools">
          {uploading && <Tool label={words.cancel} path={crossPath} onClick={uploading.cancel} />}
          {takes(input, "attachments") && (
            <label class="sign-button tool" for={`${input.id}-file`} hidden={isRecording || isUploading}>
              <Icon path={clipPath} />
              <span class="tool-name" id={`${input.id}-attach`}>
                {words.attach}
              </span>
              <FileField
                id={`${input.id}-file`}
                input={input}
                chosen={chosen}
                isLive={isLive}
                isMultiple
                labelledBy={`${input.id}-attach`}
                describedBy={wrong}
                isInvalid={wrong !== undefined}
              />
            </label>
          )}
          {takes(input, "audioClip") && !recorder.clip && !isUploading && (
            <RecorderTools words={words} recorder={recorder} isLiveNow={isLive} />
          )}
          {!isRecording && <SendButton label={buttonLabel(input)} words={words} />}
        </div>
        <input ref={recorder.field} type="file" name="audio" hidden tabIndex={-1} aria-hidden="true" />
      </div>
      <FileProblems id={problemsId} problems={problems} />
      <KeysHint input={input} hint={hint} />
      <p class="visually-hidden" role="status">
        {isRecording && words.recordingNow}
        {isUploading && uploadingText(chosen, words)}
      </p>
    </>
  );
}

/**
 * Moves the focus when the pressed button disappears: to the send button after a recording, and to the record button
 * after the recording was discarded.
 */
function useFocusAfterRecording(box: RefObject<HTMLDivElement | null>, isRecorded: boolean): void {
  const wasRecorded = useRef(isRecorded);
  useLayoutEffect(() => {
    if (wasRecorded.current === isRecorded) return;
    wasRecorded.current = isRecorded;
    box.current?.querySelector<HTMLElement>(isRecorded ? ".send-button" : ".record-button")?.focus();
  }, [box, isRecorded]);
}

function takes(input: Input, name: "attachments" | "audioClip"): boolean {
  return flagAt(input, "options", name, "isEnabled") === true;
}

type RecorderToolsProps = { readonly words: Words; readonly recorder: Recorder; readonly isLiveNow: boolean };

function RecorderTools({ words, recorder, isLiveNow }: RecorderToolsProps) {
  // The space is reserved until it is known whether this browser can record.
  if (!isLiveNow) return <span class="sign-button tool is-to-come" />;
  if (!canRecord()) return null;
  const isRecording = recorder.state === "recording";
  return (
    <>
      {isRecording && <Tool label={words.cancel} path={crossPath} onClick={recorder.discard} />}
      <button
        type="button"
        class={`sign-button tool record-button ${isRecording ? "is-recording" : ""}`}
        aria-label={isRecording ? words.stopRecording : words.record}
        onClick={isRecording ? recorder.stop : recorder.record}
      >
        <Icon path={isRecording ? stopPath : microphonePath} />
      </button>
    </>
  );
}

function Tool({ label, path, onClick }: { readonly label: string; readonly path: string; onClick(): void }) {
  return (
    <button type="button" class="sign-button tool" aria-label={label} onClick={onClick}>
      <Icon path={path} />
    </button>
  );
}

const clipPath =
  "m20.5 11.5-8.4 8.4a5 5 0 0 1-7.1-7.1l8.8-8.8a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.7-7.7";
const microphonePath = "M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3ZM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21";
const stopPath = "M7 7h10v10H7Z";
const crossPath = "m6 6 12 12M18 6 6 18";

/** Accepts files that are dropped on an element or pasted into it. Without `onFiles`, no files are accepted. */
function useDrops(
  element: RefObject<HTMLElement | null>,
  onFiles: ((files: Iterable<File>) => void) | undefined,
): void {
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const box = element.current;
    if (!box) return undefined;
    const heard = new AbortController();
    const mark = (isOver: boolean): void => {
      box.classList.toggle("is-over", isOver);
    };
    const over = (event: DragEvent): void => {
      if (!take.current || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      mark(true);
    };
    const receive = (event: Event, transfer: DataTransfer | null): void => {
      mark(false);
      if (!take.current || !transfer || transfer.files.length === 0) return;
      event.preventDefault();
      take.current(transfer.files);
    };
    const { signal } = heard;
    box.addEventListener("dragover", over, { signal });
    box.addEventListener("dragleave", () => mark(false), { signal });
    box.addEventListener("drop", (event) => receive(event, event.dataTransfer), { signal });
    box.addEventListener("paste", (event) => receive(event, event.clipboardData), { signal });
    return () => heard.abort();
  }, [element]);
}
