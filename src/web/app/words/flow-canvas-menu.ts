import english from "./en/canvas-menu.json";
import { area } from "./language.ts";

/** The words of what comes when it is asked for: the bar below the canvas, its menu, its dialogs. */
export const canvasMenuWords = area("canvasMenu", english);
