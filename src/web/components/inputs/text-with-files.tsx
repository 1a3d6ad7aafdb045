/** @jsxImportSource preact */
import { flagAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { FilePicker } from "./file-picker.tsx";
import css from "./files.css" with { type: "text" };
import { addressesIn } from "./files.tsx";
import type { FieldProps, InputKind } from "./input-kind.ts";
import { useLive } from "./live.ts";
import { Recorder } from "./recorder.tsx";
import { textInput } from "./text.tsx";

/** A text with attachments, or a voice message in its place, as the author allows. */
export const textWithFilesInput: InputKind = {
  css,
  takesFiles: true,
  View: TextWithFiles,
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

function TextWithFiles(props: FieldProps) {
  const { input, words } = props;
  const isLive = useLive(props.isLive);
  const TextView = textInput.View;
  return (
    <div class="files is-with-text">
      <TextView {...props} />
      {takes(input, "attachments") && (
        <FilePicker
          {...props}
          questionId={undefined}
          isLiveNow={isLive}
          isMultiple
          isRequired={false}
          button={words.attach}
          hint=""
          mentionsDrop
          stored={[]}
        />
      )}
      {takes(input, "audioClip") && isLive && <Recorder id={input.id} words={words} />}
    </div>
  );
}

function takes(input: Input, name: "attachments" | "audioClip"): boolean {
  return flagAt(input, "options", name, "isEnabled") === true;
}
