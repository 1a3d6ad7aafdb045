import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";

/** The name and description of a credentials field for people. `isAdvanced`: whether forms collapse the field. */
type Words = {
  readonly title: string;
  readonly description: string;
  /** A short help text if the title does not explain the field. */
  readonly help?: string;
  readonly examples?: readonly string[];
  readonly isAdvanced?: boolean;
  /** Set for a field that Parley writes itself and that forms cannot edit. */
  readonly widget?: "kept";
};

/**
 * Defines a secret of visible ASCII characters, which can be sent in a header. `begins`: the prefix that every such
 * secret has.
 */
export function key(words: Partial<Words> = {}, begins = "") {
  const { title = "API key", description = "The key of the account." } = words;
  const expected = `visible ASCII characters without blanks${begins && `, beginning with ${begins}`}`;
  const pattern = `^${begins}[\\x21-\\x7e]+$`;
  const bounds = { minLength: 1, maxLength: limits.credentials.memberCharacters };
  return Type.String({ ...words, title, description, ...bounds, pattern, expected });
}

/** Defines a server address. The name of the member must be in `addressMembers` of its kind. */
export function address(words: Words & { readonly default?: string }) {
  return Type.String({ ...words, minLength: 1, maxLength: limits.credentials.urlCharacters });
}

export function text(words: Words) {
  return Type.String({ ...words, minLength: 1, maxLength: limits.credentials.memberCharacters });
}
