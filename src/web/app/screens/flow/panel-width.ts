import { type ReadonlySignal, signal } from "@preact/signals";
import { keep, read } from "../../session/local-storage.ts";

/** A chat needs more room than a form: its panel has a width of its own. */
export type PanelKind = "form" | "preview";

const key = (kind: PanelKind): string => `parley.panel-width.${kind}`;
const kept = (kind: PanelKind): number | undefined => Number(read(key(kind))) || undefined;
const chosen = signal<Readonly<Record<PanelKind, number | undefined>>>({
  form: kept("form"),
  preview: kept("preview"),
});

/** The width of the panel beside a flow in this browser, in pixels; undefined until the author has chosen one. */
export const panelWidths: ReadonlySignal<Readonly<Record<PanelKind, number | undefined>>> = chosen;

export function setPanelWidth(kind: PanelKind, width: number | undefined): void {
  chosen.value = { ...chosen.value, [kind]: width };
  keep(key(kind), width === undefined ? null : String(width));
}
