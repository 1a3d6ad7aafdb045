import type { ComponentType, RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CodeEditorProps } from "../../code/code-editor.tsx";

type Loaded = Pick<CodeEditorProps, "takesOver"> & { readonly Editor: ComponentType<CodeEditorProps> };

/**
 * The editor for code, loaded when the first field with code comes into view or gets the focus. Undefined until it is
 * loaded: until then the field is a plain one.
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
        // Without a connection the plain field is sufficient.
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

/** The author's selection in the plain field, if it has the focus. */
function chosenIn(box: HTMLElement | null): CodeEditorProps["takesOver"] {
  const field = box?.querySelector("textarea");
  if (!field || field !== document.activeElement) return undefined;
  return { from: field.selectionStart, to: field.selectionEnd };
}
