import { type ReadonlySignal, signal } from "@preact/signals";
import { keep, read } from "../../session/local-storage.ts";
import { type WheelKind, wheelKinds } from "./wheel.ts";

const key = "parley.wheel";
const kept = signal<WheelKind>(wheelKinds.find((kind) => kind === read(key)) ?? "auto");

/** The setting for the mouse wheel, stored in this browser. */
export const wheelKind: ReadonlySignal<WheelKind> = kept;

export function setWheelKind(kind: WheelKind): void {
  kept.value = kind;
  keep(key, kind);
}
