import { type ReadonlySignal, signal } from "@preact/signals";
import { keep, read } from "../../session/local-storage.ts";

/** The kinds of panels with their own width. A chat needs more room than a form. */
export type PanelKind = "form" | "preview";

const key = (kind: PanelKind): string => `parley.panel-width.${kind}`;
const kept = (kind: PanelKind): number | undefined => Number(read(key(kind))) || undefined;
const chosen = signal<Readonly<Record<PanelKind, number | undefined>>>({
  form: kept("form"),
  preview: kept("preview"),
});

/** The widths of the panels in this browser, in pixels; undefined until the author has set one. */
export const panelWidths: ReadonlySignal<Readonly<Record<PanelKind, number | undefined>>> = chosen;

export function setPanelWidth(kind: PanelKind, width: number | undefined): void {
  chosen.value = { ...chosen.value, [kind]: width };
  keep(key(kind), width === undefined ? null : String(width));
}
