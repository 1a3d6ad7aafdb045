/** @jsxImportSource preact */
import { useId } from "preact/hooks";
import type { RichElement } from "../../../core/interpreter/rich-text/nodes.ts";
import type { Source } from "../../conversation/sources.ts";
import type { Words } from "../../conversation/words.ts";
import { showNote } from "./notes.tsx";

/**
 * The number of a source in a text, which links to the source. `place` distinguishes the sources of this bubble from
 * those of other bubbles.
 */
export function SourceMark(props: {
  readonly node: RichElement;
  readonly place: string;
  readonly sources: readonly Source[];
}) {
  const number = Number(props.node["number"]);
  return (
    <sup class="rich-note rich-source">
      <a
        href={`#${idOf(props.place, number)}`}
        title={props.sources[number - 1]?.title}
        aria-label={`${number}: ${props.sources[number - 1]?.title ?? ""}`}
        onClick={showNote}
      >
        {number}
      </a>
    </sup>
  );
}

/** The sources of an answer, which are shown below its text. */
export function Sources(props: { readonly sources: readonly Source[]; readonly place: string; readonly words: Words }) {
  const heading = useId();
  return (
    <div class="rich-sources">
      <p id={heading}>{props.words.sources}</p>
      <ol aria-labelledby={heading}>
        {props.sources.map(({ id, title, url, place }, index) => (
          <li key={id} id={idOf(props.place, index + 1)} tabIndex={-1} dir="auto">
            {url === undefined ? (
              title
            ) : (
              <a href={url} target="_blank" rel="noopener noreferrer nofollow">
                {title}
              </a>
            )}
            {place !== undefined && <span class="rich-source-place"> {place}</span>}
          </li>
        ))}
      </ol>
    </div>
  );
}

function idOf(place: string, number: number): string {
  return `source-${place}-${number}`;
}
