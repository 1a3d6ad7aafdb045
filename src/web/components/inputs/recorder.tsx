/** @jsxImportSource preact */
import { useEffect, useRef, useState } from "preact/hooks";
import { fill, type Words } from "../../conversation/words.ts";

type Recording = { readonly recorder: MediaRecorder; readonly stream: MediaStream };

/** Records a voice message, where the browser can, and puts it into the form's field `audio`. */
export function Recorder({ id, words }: { readonly id: string; readonly words: Words }) {
  const field = useRef<HTMLInputElement>(null);
  const running = useRef<Recording>(undefined);
  const [state, setState] = useState<"idle" | "recording" | "refused">("idle");
  const [recordedUrl, setHeard] = useState<string>();
  // Stop recording when the input goes.
  useEffect(() => () => release(running.current), []);
  useEffect(() => () => recordedUrl && URL.revokeObjectURL(recordedUrl), [recordedUrl]);
  if (typeof MediaRecorder === "undefined") return null;

  const keep = (file: File | undefined): void => {
    const transfer = new DataTransfer();
    if (file) transfer.items.add(file);
    if (field.current) field.current.files = transfer.files;
    setHeard(file && URL.createObjectURL(file));
  };
  const record = async (): Promise<void> => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const recorder = new MediaRecorder(stream);
      const parts: Blob[] = [];
      recorder.ondataavailable = ({ data }) => parts.push(data);
      recorder.onstop = () => {
        const type = recorder.mimeType.split(";")[0] ?? "audio/webm";
        keep(new File(parts, `voice.${type.split("/")[1]}`, { type }));
        setState("idle");
      };
      running.current = { recorder, stream };
      recorder.start();
      setState("recording");
    } catch {
      // The visitor or the device refused. They can still type.
      setState("refused");
    }
  };

  return (
    <div class="typebot-recorder">
      <input ref={field} type="file" name="audio" hidden tabIndex={-1} aria-hidden="true" />
      {recordedUrl !== undefined && (
        <div class="recorded">
          <audio src={recordedUrl} controls aria-label={words.recording}>
            <track kind="captions" />
          </audio>
          <button type="button" class="typebot-button secondary-button" onClick={() => keep(undefined)}>
            {fill(words.remove, { name: words.recording })}
          </button>
        </div>
      )}
      <button
        type="button"
        class={`typebot-button secondary-button ${state === "recording" ? "is-recording" : ""}`}
        aria-describedby={`${id}-recorder`}
        onClick={() => (state === "recording" ? release(running.current) : record())}
      >
        {state === "recording" ? words.stopRecording : words.record}
      </button>
      <p class="field-hint" id={`${id}-recorder`} role="status">
        {state === "recording" ? words.recordingNow : state === "refused" ? words.noMicrophone : ""}
      </p>
    </div>
  );
}

/** Ends a recording and releases the microphone. */
function release(recording: Recording | undefined): void {
  if (recording?.recorder.state === "recording") recording.recorder.stop();
  for (const track of recording?.stream.getTracks() ?? []) track.stop();
}
