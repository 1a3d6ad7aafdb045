import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { holdKeys } from "../../keys/hold-keys.ts";
import { later } from "../../ui/index.ts";
import type { OnCardProps } from "./index.tsx";
import type { Met } from "./met.ts";

const OnCard = later(async () => (await import("./index.tsx")).OnCard);

type Props = Omit<OnCardProps, "met"> & { readonly isWanted: boolean };

/**
 * Loads the layer over cards when a pointer or the focus enters the canvas, or when an author selects or edits
 * something.
 */
export function OnCardWhenMet({ isWanted, ...props }: Props) {
  const [isMet, setMet] = useState(false);
  const met = useMemo((): Met => ({}), []);
  const { view, state } = props.context;
  const canvas = view.element.value;
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const meet = (event: Event): void => {
      if (event.type === "pointermove" && event instanceof PointerEvent) met.pointer = event;
      setMet(true);
    };
    for (const name of ["pointermove", "pointerdown", "focusin"]) canvas?.addEventListener(name, meet, { signal });
    return () => listening.abort();
  }, [canvas]);
  const isWriting = state.editing.value !== undefined;
  useLayoutEffect(() => {
    if (!isWriting || met.isLoaded) return undefined;
    met.keys = holdKeys();
    return () => {
      met.keys?.release();
      met.keys = undefined;
    };
  }, [isWriting]);
  return isMet || isWanted || isWriting ? <OnCard {...props} met={met} /> : null;
}
