import english from "./en/canvas.json";
import { area } from "./language.ts";

/** The words of the canvas itself: the texts on cards, and those of its tools. */
export const canvasWords = area("canvas", english);
