import { useMemo } from "preact/hooks";
import type { View } from "../canvas/contract.ts";
import type { CommentPlace } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";
import { Icon } from "../ui/index.ts";
import commentWords from "../words/en/comment.json";
import { useWords } from "../words/index.ts";
import { choosePlace, cornerOf } from "./places.ts";
import { commentsOf, type Thread } from "./store.ts";
import "./marks.css";

type Props = {
  readonly bot: OpenBot;
  readonly view: View;
  readonly onThread: (threadId: string) => void;
};

/**
 * Shows the number of open threads at each object. Screen readers get the same information from the outline and the
 * panel.
 */
export function CommentMarks({ bot, view, onThread }: Props) {
  const words = useWords(commentWords);
  const { threads } = commentsOf(bot);
  const byPlace = useMemo(() => openByPlace(threads.value), [threads.value]);
  return (
    <>
      {[...byPlace].map(([key, { place, ids }]) => {
        const corner = cornerOf(bot, view, place);
        if (!corner) return null;
        const count = ids.length;
        return (
          <button
            key={key}
            type="button"
            class={`comment-mark ${place.kind === "place" ? "is-place" : ""}`}
            tabIndex={-1}
            aria-label={words.threads({ count })}
            style={{ transform: `translate(${corner.x}px, ${corner.y}px)` }}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => {
              choosePlace(bot, place);
              onThread(ids[0] ?? "");
            }}
          >
            <Icon name="message-circle" size={13} />
            {count}
          </button>
        );
      })}
    </>
  );
}

type Marked = { readonly place: CommentPlace; readonly ids: readonly string[] };

function openByPlace(threads: readonly Thread[]): ReadonlyMap<string, Marked> {
  const marked = new Map<string, Marked>();
  for (const { id, place, isResolved } of threads) {
    if (isResolved || place === null) continue;
    const key = JSON.stringify(place);
    marked.set(key, { place, ids: [...(marked.get(key)?.ids ?? []), id] });
  }
  return marked;
}
