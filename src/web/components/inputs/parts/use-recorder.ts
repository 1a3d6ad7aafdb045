import { useEffect, useRef, useState } from "preact/hooks";
import { putInto, useFormReset } from "./chosen-files.ts";

/**
 * A voice message that is being recorded.
 *
 *     idle → asking       the visitor starts a recording, and the browser asks for the microphone
 *     asking → recording  the microphone is allowed
 *     asking → refused    the microphone is denied or missing; the visitor can try again
 *     recording → idle    stopped or at the longest duration, with a clip; discarded, without a clip
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
    /** The recording, for the form's field `audio`. */
    clip,
    /** The form's field for the recording. */
    field,
    /** The microphone's stream during a recording. */
    stream: state === "recording" ? running.current?.stream : undefined,
    async record(): Promise<void> {
      if (state === "asking" || state === "recording") return;
      setState("asking");
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => undefined);
      if (stream && !isGone.current) {
        running.current = startRecording(stream, keep);
        setState("recording");
      } else if (stream) release(stream);
      // The visitor or the device denied access to the microphone. The visitor can still type.
      else setState("refused");
    },
    /** Ends the recording and keeps it. */
    stop: () => end(true),
    /** Ends a running recording without keeping it, or removes the finished recording. */
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
 * Speech is clear at this bit rate, and the longest recording stays below 4 MB, which is less than the default limit
 * for files.
 */
const voiceBitsPerSecond = 48_000;
const longestRecordingMs = 10 * 60_000;
