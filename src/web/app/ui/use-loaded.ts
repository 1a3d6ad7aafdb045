import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** A component of a part that is loaded when it is met; undefined until it is there. `load` is the same function each time. */
export function useLoaded<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> | undefined {
  const [Component, setComponent] = useState<ComponentType<Props>>();
  useEffect(() => {
    let isLeft = false;
    load().then((part) => {
      if (!isLeft) setComponent(() => part);
    }, ignored);
    return () => {
      isLeft = true;
    };
  }, [load]);
  return Component;
}

/** What is typed while a part with a field is on its way is meant for that field: it is kept from the page, and given to the part. */
export function useTypedMeanwhile(isLoading: boolean): string {
  const typed = useRef("");
  useLayoutEffect(() => {
    if (!isLoading) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.length === 1) typed.current += event.key;
      else if (event.key === "Backspace") typed.current = typed.current.slice(0, -1);
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener("keydown", onKeyDown, { capture: true });
    return () => removeEventListener("keydown", onKeyDown, { capture: true });
  }, [isLoading]);
  return typed.current;
}

/** A part that does not load, without a network, is tried again when it is met the next time. */
function ignored(): void {}
