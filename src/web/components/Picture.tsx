/** @jsxImportSource preact */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Words } from "../conversation/words.ts";

type Props = {
  readonly source: string | undefined;
  /**
   * The picture's description. Empty if the text next to the picture already describes it; undefined if there is no
   * description.
   */
  readonly alt: string | undefined;
  readonly words: Words;
  readonly class?: string;
  /** The target of a click on the picture. If absent, a click may enlarge the picture. */
  readonly link?: string | undefined;
  /** Whether the picture is part of a button. It then cannot be enlarged, and its area already has a size. */
  readonly isStill?: boolean;
  readonly elementtiming?: string;
};

/** A picture, which may be a link or be enlarged. If the picture cannot be loaded, its description is shown. */
export function Picture({ source, alt, words, link, isStill, elementtiming, class: className }: Props) {
  const image = useRef<HTMLImageElement>(null);
  const [brokenSource, setBrokenSource] = useState<string>();
  const [shownSource, setShownSource] = useState<string>();
  const fail = (): void => setBrokenSource(source);
  useEffect(() => {
    // The picture may have failed before the script was loaded. A drawing may have no width of its own, so `decode` is
    // used to detect a failure.
    if (image.current?.complete && image.current.naturalWidth === 0) image.current.decode().catch(fail);
    if (image.current?.complete) setShownSource(source);
  }, [source]);
  const [width, height] = isStill ? [] : sizeIn(source);
  const isBroken = source === undefined || brokenSource === source;
  const href = link ?? (isBroken || isStill ? undefined : openable(source));
  const shown = isBroken ? (
    <BrokenPicture alt={alt} words={words} />
  ) : (
    <img
      ref={image}
      class={`${className ?? ""} ${shownSource === source ? "" : "is-loading"}`}
      src={source}
      {...{ width, height, elementtiming }}
      // The picture's description is also the name of the link that contains the picture.
      alt={href === undefined ? (alt ?? words.picture) : alt || words.picture}
      decoding="async"
      onLoad={() => setShownSource(source)}
      onError={fail}
    />
  );
  if (href === undefined) return shown;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" data-picture={link === undefined ? "" : undefined}>
      {shown}
    </a>
  );
}

/**
 * Returns the width and height in a picture's URL, in the formats of resizing services. The page reserves an area of
 * this size until the picture is loaded. Returns an empty list if the URL contains no size.
 */
function sizeIn(source = ""): readonly (number | undefined)[] {
  const said =
    /[?&]w(?:idth)?=(\d+)(?:&.*)?&h(?:eight)?=(\d+)/.exec(source) ??
    /\bw_(\d+),(?:.*,)?h_(\d+)/.exec(source) ??
    /(?<!\d)(\d{2,4})[x/](\d{2,4})(?:\.\w+)?(?:$|[?#/])/.exec(source);
  return said && !source.startsWith("data:") ? [Number(said[1]), Number(said[2])] : [];
}

/**
 * Returns a URL that opens the picture in a new tab, for pages without a script. Undefined for data URLs, which
 * browsers do not open in a tab.
 */
function openable(source: string): string | undefined {
  return source.startsWith("data:") ? undefined : source;
}

function BrokenPicture({ alt, words }: { readonly alt: string | undefined; readonly words: Words }) {
  return (
    <span class="broken-picture">
      <svg class="broken-icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M8.5 4H18a2 2 0 0 1 2 2v9.5M4 6v12a2 2 0 0 0 2 2h12M3 3l18 18M5 17l4.5-5 4 4" />
      </svg>
      <span>
        {alt && <span class="broken-words">{alt}</span>}
        <span class="broken-note">{words.pictureMissing}</span>
      </span>
    </span>
  );
}
