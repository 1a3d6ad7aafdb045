/** How an editor draws a field whose type alone does not decide it. `web/app/forms/widget-of.ts` has the others. */
export type Widget =
  /** An address that may hold variables. */
  | "address"
  /** A colour, or the address of a picture: the field beside it says which. */
  | "background"
  /** A block of the group that the field beside it names, or of a type. */
  | "block"
  | "bot"
  /** One of `examples`; other stored words are kept. */
  | "choice"
  | "code"
  | "color"
  | "credentials"
  /** A number of seconds, or a variable that holds one: shown as a time, too. */
  | "duration"
  /** One of several shapes: the stored value decides which. */
  | "either"
  | "font"
  | "group"
  /** Not editable here: an id, an edge, or a word that is no longer read. Shown if it has a value. */
  | "kept"
  | "longText"
  /** HTML of which an author writes the text. */
  | "markupText"
  | "media"
  /** A date or a time, or a variable that holds one. */
  | "moment"
  /** Names with values: headers, parameters. */
  | "pairs"
  /** A value of a service: its options are asked for. Another value may be typed. */
  | "remote"
  | "richText"
  /** A secret of credentials: written, and never shown again. */
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
 * Fields by their names, each with the values of which it must have one. The fields are in the same object, or in the
 * nearest one around it that has them.
 */
export type ShownWhen = Readonly<Record<string, readonly (string | number | boolean)[]>>;

/**
 * An editor's hints for a field, as keywords of its schema. Data: chats never read it, and the documentation of the API
 * leaves it out.
 */
export type FieldMarks = {
  /** Its name for authors, if its key would not do: see `fieldTitle`. */
  readonly title?: string;
  /**
   * A short sentence for authors, in their words, where the title does not say it: see `helped`. The `description` is
   * for the documentation of the API.
   */
  readonly help?: string;
  readonly widget?: Widget;
  /** Whether few authors need it: forms fold it. */
  readonly isAdvanced?: boolean;
  /** All must hold for forms to show it. An absent field counts as its default, and as anything where it has none. */
  readonly shownWhen?: ShownWhen;
  readonly examples?: readonly string[];
  /** For `choice`: those of `examples` that are offered only where they are stored. */
  readonly retired?: readonly string[];
  /** Whether an empty text differs from an absent one: forms keep it. */
  readonly keepsEmpty?: boolean;
  /** For `media`. */
  readonly holds?: "image" | "video" | "audio";
  /** For `code`; absent: JavaScript. */
  readonly language?: "css" | "html" | "json" | "svg";
  /** For `credentials`: their type, or the field beside it that says it. */
  readonly credentialsType?: string;
  readonly credentialsTypeField?: string;
  /**
   * For `remote`: the block's options that the offered values depend on. Without the first, the credentials, there is
   * nothing to offer.
   */
  readonly dependsOn?: readonly string[];
  /** For `block`: its type, in any group; absent: any block of the group beside it. */
  readonly blockType?: string;
  /** For `group`: the field beside it that names the bot; absent: this bot. */
  readonly botField?: string;
};

/** A field with marks for editors. */
export function marked<Field extends object>(marks: FieldMarks, field: Field): Field {
  return { ...field, ...marks };
}

export function titled<Field extends object>(title: string, field: Field): Field {
  return marked({ title }, field);
}

/** Adds a hint below the field. Most fields need none: their title says it. */
export function helped<Field extends object>(help: string, field: Field): Field {
  return marked({ help }, field);
}

export function advanced<Field extends object>(field: Field): Field {
  return marked({ isAdvanced: true }, field);
}

/** Shows a field only where others have one of these values. */
export function shownWhen<Field extends object>(conditions: ShownWhen, field: Field): Field {
  return marked({ shownWhen: conditions }, field);
}

/** Shows a field only while the switch `isEnabled` beside it is on. */
export function whenEnabled<Field extends object>(field: Field): Field {
  return shownWhen({ isEnabled: [true] }, field);
}
