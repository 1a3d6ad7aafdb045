/** @jsxImportSource preact */
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that is loaded when it is first drawn: nothing is seen of it until then, and from then on it is there at once. */
export function later<Props extends object>(load: () => Promise<FunctionComponent<Props>>): FunctionComponent<Props> {
  let known: FunctionComponent<Props> | undefined;
  return function Later(props: Props) {
    const [Loaded, setLoaded] = useState(() => known);
    useEffect(() => {
      let isHere = true;
      if (!known)
        void load().then((component) => {
          known = component;
          if (isHere) setLoaded(() => component);
        });
      return () => {
        isHere = false;
      };
    }, []);
    return Loaded ? <Loaded {...props} /> : null;
  };
}
