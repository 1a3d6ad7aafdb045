const narrow = /[\s.,:;'"`|!iljtfrI()[\]{}/\\-]/;
const wide = /[mwMW@%&—…]/;
const capital = /[A-Z0-9_$€#+=<>~?]/;

/** The widths of letters in hundredths of the font size. */
const widths = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const letter = String.fromCharCode(code);
  widths[code] = narrow.test(letter) ? 34 : wide.test(letter) ? 95 : capital.test(letter) ? 70 : 60;
}

/**
 * Estimates the width of a text in pixels from its letters. Nothing is measured, so that a card has the same height on
 * every machine, in tests and before it is rendered. The estimate is generous, because an extra line is better than a
 * cut-off line. Stops as soon as the width exceeds `most`.
 */
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
  // Combining marks have no width.
  if (code >= 0x300 && code < 0x370) return 0;
  // One half of a surrogate pair, for example of an emoji.
  if (code >= 0xd800 && code < 0xe000) return 68;
  // Chinese, Japanese and Korean letters are squares.
  return code >= 0x1100 ? 100 : 60;
}
