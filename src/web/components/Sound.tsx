/** @jsxImportSource preact */
import { useEffect, useRef, useState } from "preact/hooks";
import "../conversation/rare-words.ts";
import type { Words } from "../conversation/words.ts";

type Props = {
  readonly source: string | undefined;
  readonly words: Words;
  readonly autoplay?: boolean;
  /** The length of the sound, if it is known before the sound is loaded. */
  readonly seconds?: number;
};

/**
 * A sound with a player in the theme's colors. Until this player is loaded, or without a script, the browser's own
 * player is shown.
 */
export function Sound({ source, words, autoplay, seconds }: Props) {
  const audio = useRef<HTMLAudioElement>(null);
  const [part, setPart] = useState<typeof import("./player.tsx")>();
  useEffect(() => {
    // The server does not know whether the visitor has muted sounds.
    if (audio.current && !autoplay) audio.current.autoplay = false;
    import("./player.tsx").then(setPart, () => {});
  }, []);
  return (
    <div class="sound">
      <audio
        ref={audio}
        src={source}
        controls={!part}
        autoplay={autoplay}
        preload="metadata"
        aria-label={words.recording}
      >
        <track kind="captions" />
      </audio>
      {part && <part.Player audio={audio} seconds={seconds} words={words} />}
    </div>
  );
}
