import english from "./en/palette.json";
import { area, type WordsOf } from "./language.ts";

/** The words of the palette: everything that can be done or gone to, by typing. */
export const paletteWords = area("palette", english);

export type PaletteWords = WordsOf<typeof paletteWords>;
