/**
 * How an editor draws a field whose type alone does not decide it. `web/app/forms/widget-of.ts` decides the other
 * fields.
 */
export type Widget =
  /** An address that may hold variables. */
  | "address"
  /** A colour, or the address of a picture: the field beside it decides which. */
  | "background"
  /** A block of the group that the field beside it names, or a block of a type. */
  | "block"
  | "bot"
  /** One of `examples`; other stored words are kept. */
  | "choice"
  | "code"
  | "color"
  | "credentials"
  /** A number of seconds, or a variable that holds one: also shown as a time. */
  | "duration"
  /** One of several shapes: the stored value decides which. */
  | "either"
  | "font"
  | "group"
  /** Not editable in forms: an id, an edge, or a word that is no longer read. Shown if it has a value. */
  | "kept"
  | "longText"
  /** HTML of which an author writes the text. */
  | "markupText"
  | "media"
  /** A date or a time, or a variable that holds one. */
  | "moment"
  /** Names with values: headers, parameters. */
  | "pairs"
  /** A value of a service: the options are requested from the service. Another value may be typed. */
  | "remote"
  | "richText"
  /** A secret of credentials: written, but never shown again. */
  | "secret"
  /** Text or a list of texts. */
  | "startValue"
  /** A text for which `examples` are offered. */
  | "suggestion"
  /** Several texts. */
  | "texts"
  | "variable"
  | "zone";

/**
 * Fields by their names, each with its allowed values. The fields are in the same object, or in the nearest enclosing
 * object that has them.
 */
export type ShownWhen = Readonly<Record<string, readonly (string | number | boolean)[]>>;

/**
 * An editor's hints for a field, as keywords of its schema. Data: chats never read it, and the documentation of the API
 * leaves it out.
 */
export type FieldMarks = {
  /** The field's name for authors, if its key is unsuitable: see `fieldTitle`. */
  readonly title?: string;
  /**
   * A short sentence for authors, in their words, if the title does not explain the field: see `helped`. The
   * `description` is for the documentation of the API.
   */
  readonly help?: string;
  readonly widget?: Widget;
  /** Whether few authors need the field: forms fold it. */
  readonly isAdvanced?: boolean;
  /**
   * Forms show the field only if all conditions hold. An absent field counts as its default, and as any value if it has
   * no default.
   */
  readonly shownWhen?: ShownWhen;
  readonly examples?: readonly string[];
  /** For `choice`: the `examples` that are offered only if they are already stored. */
  readonly retired?: readonly string[];
  /** Whether an empty text differs from an absent one: forms then keep the empty text. */
  readonly keepsEmpty?: boolean;
  /** For `media`. */
  readonly holds?: "image" | "video" | "audio";
  /** For `code`; absent: JavaScript. */
  readonly language?: "css" | "html" | "json" | "svg";
  /** For `credentials`: their type, or the neighbouring field with the type. */
  readonly credentialsType?: string;
  readonly credentialsTypeField?: string;
  /**
   * For `remote`: the block's options that the offered values depend on. Without the first, the credentials, no values
   * are offered.
   */
  readonly dependsOn?: readonly string[];
  /** For `block`: the block's type, in any group; absent: any block of the group in the neighbouring field. */
  readonly blockType?: string;
  /** For `group`: the neighbouring field that names the bot; absent: this bot. */
  readonly botField?: string;
};

/** A field with marks for editors. */
export function marked<Field extends object>(marks: FieldMarks, field: Field): Field {
  return { ...field, ...marks };
}

export function titled<Field extends object>(title: string, field: Field): Field {
  return marked({ title }, field);
}

/** Adds a hint below the field. Most fields need no hint: their title is enough. */
export function helped<Field extends object>(help: string, field: Field): Field {
  return marked({ help }, field);
}

export function advanced<Field extends object>(field: Field): Field {
  return marked({ isAdvanced: true }, field);
}

/** Shows a field only if other fields have one of these values. */
export function shownWhen<Field extends object>(conditions: ShownWhen, field: Field): Field {
  return marked({ shownWhen: conditions }, field);
}

/** Shows a field only while the switch `isEnabled` beside it is on. */
export function whenEnabled<Field extends object>(field: Field): Field {
  return shownWhen({ isEnabled: [true] }, field);
}
