import type { ComponentType, RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CodeEditorProps } from "../../code/code-editor.tsx";

type Loaded = Pick<CodeEditorProps, "takesOver"> & { readonly Editor: ComponentType<CodeEditorProps> };

/**
 * The editor for code, loaded when the first field is met that holds some: when it comes into view, or when it gets the
 * focus. Undefined until it is there: the field is a plain one until then.
 */
export function useCodeEditor(box: RefObject<HTMLElement | null>, meets: "view" | "focus"): Loaded | undefined {
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    const element = box.current;
    if (loaded || !element) return;
    let isThere = true;
    const load = (): void => {
      stop();
      import("../../code/code-editor.tsx").then(
        ({ CodeEditor }) => {
          if (isThere) setLoaded({ Editor: CodeEditor, takesOver: chosenIn(box.current) });
        },
        // Without a connection the plain field does as well.
        () => {},
      );
    };
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && load(),
    );
    const stop = (): void => {
      observer.disconnect();
      element.removeEventListener("focusin", load);
    };
    element.addEventListener("focusin", load);
    if (meets === "view") observer.observe(element);
    return () => {
      isThere = false;
      stop();
    };
  }, []);
  return loaded;
}

/** Where the author is in the plain field, if it has the focus. */
function chosenIn(box: HTMLElement | null): CodeEditorProps["takesOver"] {
  const field = box?.querySelector("textarea");
  if (!field || field !== document.activeElement) return undefined;
  return { from: field.selectionStart, to: field.selectionEnd };
}
