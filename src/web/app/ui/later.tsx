import type { FunctionComponent, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../words/index.ts";
import { toast } from "./toast.tsx";

type Load<Props> = () => Promise<FunctionComponent<Props>>;

/**
 * Returns a component that is loaded when it is first rendered. `waiting` is shown while it is loading. After that, the
 * component renders immediately.
 */
export function later<Props extends object>(load: Load<Props>, waiting: VNode | null = null): FunctionComponent<Props> {
  const useLoaded = loaderOf(load);
  return function Later(props: Props) {
    const Loaded = useLoaded();
    return Loaded ? <Loaded {...props} /> : waiting;
  };
}

/**
 * Like `later`, for a component with a text field. Text that is typed during loading is passed to the component as
 * `first`. If the component cannot be loaded, it is closed, so that the page handles keys again.
 */
export function laterWithField<Props extends { readonly onClose: () => void }>(
  load: Load<Props & { readonly first: string }>,
): FunctionComponent<Props> {
  const useLoaded = loaderOf(load);
  return function LaterWithField(props: Props) {
    const words = useWords();
    const Loaded = useLoaded(() => {
      props.onClose();
      toast(words.failedText);
    });
    const first = useTypedMeanwhile(Loaded === undefined);
    return Loaded ? <Loaded {...props} first={first} /> : null;
  };
}

function loaderOf<Props>(load: Load<Props>): (onFail?: () => void) => FunctionComponent<Props> | undefined {
  let known: FunctionComponent<Props> | undefined;
  return function useLoaded(onFail = ignored) {
    const [Loaded, setLoaded] = useState(() => known);
    useEffect(() => {
      let isHere = true;
      if (!known)
        load().then(
          (component) => {
            known = component;
            if (isHere) setLoaded(() => component);
          },
          () => isHere && onFail(),
        );
      return () => {
        isHere = false;
      };
    }, []);
    return Loaded;
  };
}

function useTypedMeanwhile(isLoading: boolean): string {
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

/** Ignores a failed load, for example while offline. Loading is retried when the component is next rendered. */
function ignored(): void {}
