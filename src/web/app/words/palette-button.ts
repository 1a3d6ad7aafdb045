import english from "./en/palette-button.json";
import { area } from "./language.ts";

/** The words of the button that opens the palette: they are there before it is. */
export const paletteButtonWords = area("paletteButton", english);
