/*
 * The width of a text, estimated from its letters alone: nothing is measured, so that a card has the same height on
 * every machine, in a test and before it is drawn. System fonts differ by some percent. An extra line is better than a
 * cut one, so the estimate is on the wide side.
 */
const narrow = /[\s.,:;'"`|!iljtfrI()[\]{}/\\-]/;
const wide = /[mwMW@%&—…]/;
const capital = /[A-Z0-9_$€#+=<>~?]/;

/** In hundredths of the size of the font. */
const widths = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const letter = String.fromCharCode(code);
  widths[code] = narrow.test(letter) ? 34 : wide.test(letter) ? 95 : capital.test(letter) ? 70 : 60;
}

/** The width of a text in pixels; reading stops once the width exceeds `most`. */
export function textWidth(text: string, size: number, most = Number.POSITIVE_INFINITY): number {
  const bound = (most * 100) / size;
  let hundredths = 0;
  for (let index = 0; index < text.length && hundredths <= bound; index++) {
    const code = text.charCodeAt(index);
    hundredths += code < 128 ? (widths[code] ?? 60) : widthOf(code);
  }
  return (hundredths * size) / 100;
}

function widthOf(code: number): number {
  // Marks that stand on the letter before them.
  if (code >= 0x300 && code < 0x370) return 0;
  // Half of a letter beyond the first plane, such as a picture.
  if (code >= 0xd800 && code < 0xe000) return 68;
  // Chinese, Japanese, Korean: a square each.
  return code >= 0x1100 ? 100 : 60;
}
