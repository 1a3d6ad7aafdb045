import { useEffect, useRef, useState } from "preact/hooks";
import { putInto, useFormReset } from "./chosen-files.ts";

/**
 * A voice message in the making.
 *
 *     idle → asking       the visitor wants to record, the browser asks for the microphone
 *     asking → recording  allowed
 *     asking → refused    denied, or there is none; asked again when the visitor wants to
 *     recording → idle    stopped, with a clip; discarded, without one; or after the longest time, with a clip
 */
export type Recorder = ReturnType<typeof useRecorder>;

type Clip = { readonly file: File; readonly url: string; readonly seconds: number };

export function canRecord(): boolean {
  return typeof MediaRecorder !== "undefined" && navigator.mediaDevices !== undefined;
}

export function useRecorder() {
  const field = useRef<HTMLInputElement>(null);
  const running = useRef<Recording>(undefined);
  const isGone = useRef(false);
  const [state, setState] = useState<"idle" | "asking" | "recording" | "refused">("idle");
  const [clip, setClip] = useState<Clip>();
  useEffect(
    () => () => {
      isGone.current = true;
      running.current?.end({ isKept: false });
    },
    [],
  );
  useEffect(() => () => clip && URL.revokeObjectURL(clip.url), [clip]);

  const keep = (made: Clip | undefined): void => {
    running.current = undefined;
    if (isGone.current) return;
    putInto(field.current, made ? [made.file] : []);
    setClip(made);
    setState("idle");
  };
  useFormReset(field, () => setClip(undefined));
  const end = (isKept: boolean): void => running.current?.end({ isKept });
  return {
    state,
    /** The recording, as the form's field `audio`. */
    clip,
    /** The form's field. */
    field,
    /** The microphone, while it records. */
    stream: state === "recording" ? running.current?.stream : undefined,
    async record(): Promise<void> {
      if (state === "asking" || state === "recording") return;
      setState("asking");
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => undefined);
      if (stream && !isGone.current) {
        running.current = startRecording(stream, keep);
        setState("recording");
      } else if (stream) release(stream);
      // The visitor or the device refused. The visitor can still type.
      else setState("refused");
    },
    /** Ends the recording and keeps it. */
    stop: () => end(true),
    /** Ends the recording, or discards the recorded part. */
    discard(): void {
      if (state === "recording") end(false);
      else keep(undefined);
    },
  };
}

type Recording = { readonly stream: MediaStream; end(how: { isKept: boolean }): void };

function startRecording(stream: MediaStream, onEnd: (clip: Clip | undefined) => void): Recording {
  const recorder = new MediaRecorder(stream, { audioBitsPerSecond: voiceBitsPerSecond });
  const parts: Blob[] = [];
  const startedAt = performance.now();
  let isClipKept = true;
  const stop = (): void => {
    if (recorder.state === "recording") recorder.stop();
    release(stream);
  };
  const longest = setTimeout(stop, longestRecordingMs);
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => {
    clearTimeout(longest);
    release(stream);
    if (!isClipKept) return onEnd(undefined);
    const type = recorder.mimeType.split(";")[0] || "audio/webm";
    const file = new File(parts, `voice.${type.split("/")[1]}`, { type });
    onEnd({ file, url: URL.createObjectURL(file), seconds: (performance.now() - startedAt) / 1000 });
  };
  recorder.start();
  return {
    stream,
    end({ isKept }) {
      isClipKept = isKept;
      stop();
    },
  };
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/**
 * Speech is clear at this rate, and the longest recording stays below 4 MB, which is less than the default limit of
 * files.
 */
const voiceBitsPerSecond = 48_000;
const longestRecordingMs = 10 * 60_000;
