import { type Input, Parser, type PartialParse, type TreeFragment } from "@lezer/common";
import { masked } from "./masked.ts";

/** A parser that takes variables for names of its language. Trees have the places of the text that was written. */
export class MaskedParser extends Parser {
  readonly #inner: Parser;
  readonly #letter: string;

  /** `letter`: the placeholder for a variable, repeated to its length. */
  constructor(inner: Parser, letter: string) {
    super();
    this.#inner = inner;
    this.#letter = letter;
  }

  override createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: readonly { readonly from: number; readonly to: number }[],
  ): PartialParse {
    const text = masked(input.read(0, input.length), this.#letter);
    const whole: Input = {
      length: text.length,
      lineChunks: false,
      chunk: (from) => text.slice(from),
      read: (from, to) => text.slice(from, to),
    };
    return this.#inner.createParse(whole, fragments, ranges);
  }
}
