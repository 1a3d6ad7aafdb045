import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Words } from "../../conversation/words.ts";
import { focusInput } from "./focus.ts";
import { createFollower, type Follower } from "./follower.ts";

type Options = {
  readonly isMotionReduced: boolean;
  /** Identifies the open input or the end of the chat. False while neither is shown. */
  readonly place: string | false;
  /** When one of these values changes, the follower is updated and may scroll. */
  readonly changes: readonly unknown[];
};

/** Scrolls to new content of the chat, unless the visitor has scrolled up. */
export function useFollower(container: HTMLElement, { isMotionReduced, place, changes }: Options) {
  const [isUnseen, onUnseen] = useState(false);
  const follower = useRef<Follower>(null);
  useLayoutEffect(() => {
    follower.current = createFollower({ container, isMotionReduced, onUnseen });
    return follower.current.stop;
  }, [container, isMotionReduced]);
  useEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) return undefined;
    const following = import("./keyboard.ts").then(({ followKeyboard }) => followKeyboard(container));
    return () => following.then((stop) => stop());
  }, [container]);
  useLayoutEffect(() => follower.current?.update(place), changes);
  return {
    /** Whether new content is below the window. */
    isUnseen,
    isEndInSight: useCallback(() => follower.current?.isEndInSight() ?? true, []),
    /** Scrolls to the new content. If the end of the chat is then in sight, focuses the open input. */
    goOn(): void {
      follower.current?.goOn();
      if (follower.current?.isEndInSight()) focusInput(container);
    },
  };
}

/** A button that shows that there is new content below the window. Pressing it scrolls to the content. */
export function NewMessages({ words, onClick }: { readonly words: Words; onClick(): void }) {
  return (
    <div class="new-messages">
      <button type="button" class="new-messages-button" onClick={onClick}>
        {words.newMessages}
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 2v11M3.5 8.5 8 13l4.5-4.5" />
        </svg>
      </button>
    </div>
  );
}
