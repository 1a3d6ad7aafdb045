import english from "./en/canvas-act.json";
import { area } from "./language.ts";

/** The words of what one does on the canvas: palette, menus, bars, keys. */
export const canvasActWords = area("canvasAct", english);
