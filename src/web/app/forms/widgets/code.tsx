/** @jsxImportSource preact */
import type { WidgetProps } from "../contract.ts";
import { Written } from "./text.tsx";

/** Code with variables: JavaScript, HTML, CSS, JSON, SVG. */
export function Code(props: WidgetProps) {
  return <Written {...props} kind="code" />;
}
