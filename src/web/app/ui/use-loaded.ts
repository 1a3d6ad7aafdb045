import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

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

/** A part that does not load, without a network, is tried again when it is met the next time. */
function ignored(): void {}
