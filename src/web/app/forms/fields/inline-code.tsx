import type { ComponentChildren } from "preact";

/** Renders the text between backticks as code. */
export function inlineCode(text: string): ComponentChildren {
  const parts = text.split("`");
  return parts.length < 3
    ? text
    : parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
