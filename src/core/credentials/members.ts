import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";

/** A field of credentials: its name for people, its description, and an example. `isAdvanced`: forms fold it. */
type Words = {
  readonly title: string;
  readonly description: string;
  /** A short sentence for people, if the title does not explain the field. */
  readonly help?: string;
  readonly examples?: readonly string[];
  readonly isAdvanced?: boolean;
  /** Written by Parley itself: the field is in no form. */
  readonly widget?: "kept";
};

/** A secret that is sent in a header. `begins`: its first characters, if all keys of the provider begin with them. */
export function key(words: Partial<Words> = {}, begins = "") {
  const { title = "API key", description = "The key of the account." } = words;
  const expected = `visible ASCII characters without blanks${begins && `, beginning with ${begins}`}`;
  const pattern = `^${begins}[\\x21-\\x7e]+$`;
  const bounds = { minLength: 1, maxLength: limits.credentials.memberCharacters };
  return Type.String({ ...words, title, description, ...bounds, pattern, expected });
}

/** The address of a server, in the field that `addressMembers` of the kind names. */
export function address(words: Words & { readonly default?: string }) {
  return Type.String({ ...words, minLength: 1, maxLength: limits.credentials.urlCharacters });
}

/** A text that is sent unchanged. */
export function text(words: Words) {
  return Type.String({ ...words, minLength: 1, maxLength: limits.credentials.memberCharacters });
}
