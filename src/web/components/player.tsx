/** @jsxImportSource preact */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Words } from "../conversation/words.ts";
import { adoptStyle } from "./adopt-style.ts";
import { clockTime } from "./clock.ts";
import css from "./player.css" with { type: "text" };

type Props = {
  readonly audio: RefObject<HTMLAudioElement | null>;
  readonly seconds: number | undefined;
  readonly words: Words;
};

/** The controls of a sound, in the color of the surrounding text. */
export function Player({ audio, seconds, words }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const { isPlaying, time, length } = usePlayback(audio, seconds);
  useLayoutEffect(() => adoptStyle(root.current, css), []);
  useLayoutEffect(() => {
    root.current?.style.setProperty("--played", `${length > 0 ? (time / length) * 100 : 0}%`);
  }, [time, length]);
  const toggle = (): void => {
    const element = audio.current;
    if (isPlaying) element?.pause();
    // A sound that cannot be loaded stays silent, as in the browser's own player.
    else element?.play().catch(() => {});
  };
  return (
    <div ref={root} class="player">
      <button
        type="button"
        class="sign-button player-button"
        aria-label={isPlaying ? words.pause : words.play}
        onClick={toggle}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={isPlaying ? pausePath : playPath} />
        </svg>
      </button>
      <input
        type="range"
        class="player-place"
        min={0}
        max={length}
        step={0.1}
        value={time}
        disabled={length === 0}
        aria-label={words.recording}
        aria-valuetext={`${clockTime(time)} / ${clockTime(length)}`}
        onInput={({ currentTarget }) => {
          if (audio.current) audio.current.currentTime = currentTarget.valueAsNumber;
        }}
      />
      <span class="player-time">{clockTime(isPlaying || time > 0 ? time : length)}</span>
    </div>
  );
}

const playPath = "M8 5.5v13L19 12Z";
const pausePath = "M7 5.5h3.5v13H7ZM13.5 5.5H17v13h-3.5Z";

type Playback = { readonly isPlaying: boolean; readonly time: number; readonly length: number };

/**
 * Returns whether a sound is playing, its position and its length. The length is 0 while it is unknown, for example for
 * a stream.
 */
function usePlayback(audio: Props["audio"], seconds: number | undefined): Playback {
  const [playback, setPlayback] = useState<Playback>({ isPlaying: false, time: 0, length: seconds ?? 0 });
  useEffect(() => {
    const element = audio.current;
    if (!element) return undefined;
    const heard = new AbortController();
    let isMeasuring = false;
    const look = (): void => {
      if (isMeasuring && element.currentTime > 0) return;
      const length = Number.isFinite(element.duration) ? element.duration : (seconds ?? 0);
      setPlayback({ isPlaying: !element.paused, time: Math.min(element.currentTime, length || Infinity), length });
    };
    const measure = (): void => {
      if (element.duration !== Number.POSITIVE_INFINITY || !element.paused) return;
      isMeasuring = true;
      element.currentTime = pastEverySound;
    };
    const endMeasuring = (): void => {
      if (!isMeasuring || element.currentTime === 0) return;
      isMeasuring = false;
      element.currentTime = 0;
    };
    const { signal } = heard;
    element.addEventListener("loadedmetadata", measure, { signal });
    element.addEventListener("seeked", endMeasuring, { signal });
    element.addEventListener("play", () => quietOthers(element), { signal });
    for (const name of ["play", "pause", "timeupdate", "durationchange", "seeked", "ended"]) {
      element.addEventListener(name, look, { signal });
    }
    if (element.readyState > 0) measure();
    look();
    return () => heard.abort();
  }, [audio, seconds]);
  return playback;
}

/**
 * A position past the end of every sound. A recording does not contain its length, so browsers determine the length by
 * seeking to the end.
 */
const pastEverySound = 1e6;

/** Pauses other sounds, so that only one sound plays at a time. */
function quietOthers(element: HTMLAudioElement): void {
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  for (const other of root.querySelectorAll("audio")) if (other !== element) other.pause();
}
