import type { ComponentType, RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CodeEditorProps } from "../../code/code-editor.tsx";

type Loaded = Pick<CodeEditorProps, "takesOver"> & { readonly Editor: ComponentType<CodeEditorProps> };

/**
 * Loads the code editor when the field gets the focus, or when it becomes visible if `meets` is `view`. Until the
 * editor is loaded, the function returns undefined, and the field is a plain text field.
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
        // If the editor cannot be loaded, the plain text field is used.
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

/** Returns the author's selection in the plain text field, if the field has the focus. */
function chosenIn(box: HTMLElement | null): CodeEditorProps["takesOver"] {
  const field = box?.querySelector("textarea");
  if (!field || field !== document.activeElement) return undefined;
  return { from: field.selectionStart, to: field.selectionEnd };
}
