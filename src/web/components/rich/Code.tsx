/** @jsxImportSource preact */
import { useEffect, useRef, useState } from "preact/hooks";
import { isElement, type RichElement, textOf } from "../../../core/interpreter/rich-text/nodes.ts";
import type { Words } from "../../conversation/words.ts";
import type { ColoredCode } from "./code-parts.ts";
import { knownColors, readColors } from "./colors.ts";
import { Scroller } from "./Scroller.tsx";

/** A block of code with the name of its language, a copy button, and its unchanged lines, which scroll. */
export function Code({ node, words }: { readonly node: RichElement; readonly words: Words }) {
  const lines = node.children.filter(isElement);
  const text = lines.length > 0 ? lines.map(textOf).join("\n") : textOf(node);
  const language = typeof node["lang"] === "string" ? node["lang"] : "";
  return (
    <figure class="rich-code" dir="ltr">
      <figcaption>
        <span class="rich-language">{language}</span>
        <CopyButton text={text} words={words} />
      </figcaption>
      <Scroller class="rich-lines" label={language || words.code}>
        <pre>
          <code>{Colored({ text, colored: useColors(text, language) })}</code>
        </pre>
      </Scroller>
    </figure>
  );
}

/** How long the button shows that the code was copied. */
const copiedMs = 2_000;

function CopyButton({ text, words }: { readonly text: string; readonly words: Words }) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (event: MouseEvent): Promise<void> => {
    const { currentTarget } = event;
    const isDone = await copyText(text, currentTarget instanceof HTMLElement ? currentTarget : undefined);
    if (!isDone) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), copiedMs);
  };
  return (
    <button type="button" class="rich-copy" onClick={copy} aria-live="polite">
      {isCopied ? words.codeCopied : words.copyCode}
    </button>
  );
}

/** Copies code to the clipboard. Frames without the permission, and pages without HTTPS, can copy only a selection. */
async function copyText(text: string, button: HTMLElement | undefined): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const code = button?.closest("figure")?.querySelector("code");
    const selection = getSelection();
    if (!code || !selection) return false;
    selection.selectAllChildren(code);
    return document.execCommand("copy");
  }
}

/**
 * Returns the colors of code; undefined until they are known. While the code grows, its earlier part keeps its colors.
 */
function useColors(text: string, language: string): ColoredCode | undefined {
  const [colored, setColored] = useState<ColoredCode | undefined>(() => knownColors(text, language));
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(async () => {
      const read = await readColors(text, language);
      if (!isOver && read) setColored(read);
    }, 100);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text, language]);
  return colored && text.startsWith(colored.text) ? colored : undefined;
}

function Colored({ text, colored }: { readonly text: string; readonly colored: ColoredCode | undefined }) {
  if (!colored) return <>{text}</>;
  let at = 0;
  const parts = colored.spans.map(({ from, to, name }) => {
    const before = text.slice(at, from);
    at = to;
    return [
      before,
      <span key={from} class={`code-${name}`}>
        {text.slice(from, to)}
      </span>,
    ];
  });
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
