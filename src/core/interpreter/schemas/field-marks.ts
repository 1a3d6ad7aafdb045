/**
 * The widget of a field whose type does not determine one. For all other fields, `web/app/forms/widget-of.ts` chooses
 * the widget.
 */
export type Widget =
  /** A URL that may contain variables. */
  | "address"
  /** A colour or the URL of a picture, depending on the neighbouring field. */
  | "background"
  /** A block of the group in the neighbouring field, or a block of a given type. */
  | "block"
  | "bot"
  /** One of `examples`. Other stored values are kept. */
  | "choice"
  | "code"
  | "color"
  | "credentials"
  /** A number of seconds, or a variable that contains the number. The number is also displayed as a time. */
  | "duration"
  /** One of several forms, determined by the stored value. */
  | "either"
  | "font"
  | "group"
  /**
   * A field that cannot be edited in forms: an id, an edge, or a value that is no longer read. The field is displayed
   * if it has a value.
   */
  | "kept"
  | "longText"
  /** HTML whose text an author edits. */
  | "markupText"
  | "media"
  /** A date or time, or a variable that contains a date or time. */
  | "moment"
  /** A text that replaces a default. Authors can turn the default off, which stores an empty text. */
  | "optionalText"
  /** Name-value pairs, such as headers or parameters. */
  | "pairs"
  /** A value of a service. The options are loaded from the service, and other values may be typed. */
  | "remote"
  | "richText"
  /** A secret of credentials, which is written but never displayed again. */
  | "secret"
  /** A text or a list of texts. */
  | "startValue"
  /** A text with suggestions from `examples`. */
  | "suggestion"
  /** A list of texts. */
  | "texts"
  | "variable"
  | "zone";

/**
 * Conditions by field name, each with the allowed values. A field is looked up in the same object, and then in the
 * enclosing objects.
 */
export type ShownWhen = Readonly<Record<string, readonly (string | number | boolean)[]>>;

/**
 * Hints for an editor, stored as keywords of a field's schema. Chats never read these keywords, and the API
 * documentation omits them.
 */
export type FieldMarks = {
  /** The field's name for authors, if the name derived from its key is unsuitable: see `fieldTitle`. */
  readonly title?: string;
  /**
   * A short explanation for authors, if the title is not sufficient: see `helped`. The `description` is for the API
   * documentation.
   */
  readonly help?: string;
  readonly widget?: Widget;
  /** Whether few authors need the field. Forms collapse such fields. */
  readonly isAdvanced?: boolean;
  /**
   * Conditions under which forms display the field. All conditions must be met. An absent value is treated as the
   * default of its field. If no enclosing schema defines the field of a condition, the condition is met.
   */
  readonly shownWhen?: ShownWhen;
  readonly examples?: readonly string[];
  /** For `choice`: the `examples` that are offered only if they are already stored. */
  readonly retired?: readonly string[];
  /** The display names of keywords that have one name in all languages, such as the names of languages. */
  readonly wordTitles?: Readonly<Record<string, string>>;
  /** Whether an empty text differs from an absent text. If so, forms store the empty text. */
  readonly keepsEmpty?: boolean;
  /** For `media`: the type of the file. */
  readonly holds?: "image" | "video" | "audio";
  /** For `code`: the language. Defaults to JavaScript. */
  readonly language?: "css" | "html" | "json" | "svg";
  /** For `credentials`: the type of the credentials, or the neighbouring field that contains the type. */
  readonly credentialsType?: string;
  readonly credentialsTypeField?: string;
  /**
   * For `remote`: the block options that determine the offered values. The first option is the credentials. Without
   * credentials, no values are offered.
   */
  readonly dependsOn?: readonly string[];
  /**
   * For `block`: the block type in any group. If absent, any block of the group in the neighbouring field is allowed.
   */
  readonly blockType?: string;
  /** For `group`: the neighbouring field with the bot. If absent, groups of this bot are offered. */
  readonly botField?: string;
};

export function marked<Field extends object>(marks: FieldMarks, field: Field): Field {
  return { ...field, ...marks };
}

export function titled<Field extends object>(title: string, field: Field): Field {
  return marked({ title }, field);
}

/** Adds a hint below the field. */
export function helped<Field extends object>(help: string, field: Field): Field {
  return marked({ help }, field);
}

export function advanced<Field extends object>(field: Field): Field {
  return marked({ isAdvanced: true }, field);
}

/** Displays a field only while every field named in `conditions` has one of the given values. */
export function shownWhen<Field extends object>(conditions: ShownWhen, field: Field): Field {
  return marked({ shownWhen: conditions }, field);
}

/** Displays a field only if the neighbouring switch `isEnabled` is on. */
export function whenEnabled<Field extends object>(field: Field): Field {
  return shownWhen({ isEnabled: [true] }, field);
}
