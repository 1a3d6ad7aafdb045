import type { ComponentType } from "preact";
import type { Input, Message } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";

export type FieldProps = {
  readonly input: Input;
  readonly words: Words;
  /** What the field begins with: an answer that was refused, or a value that is known. */
  readonly initial: string;
  /** The element that asks, to name the field by; undefined where nothing was asked. */
  readonly questionId: string | undefined;
  /** The element that tells what is wrong; undefined while nothing is. */
  readonly errorId: string | undefined;
  /** Whether the page's script has taken over. Without it a field is plain HTML and posts its form. */
  readonly isLive: boolean;
  /** The bot's language, as a tag. */
  readonly language: string;
};

/** What a form holds: something to say, or what is wrong with it. */
export type Read =
  | { readonly kind: "said"; readonly message: Message }
  | {
      readonly kind: "wrong";
      readonly error: string;
      /** What was given, to be mended; the field `text` where it is not said. */
      readonly draft?: string;
    };

/** One kind of input. */
export type InputKind = {
  /** The fields and buttons inside the form. The form itself, its hidden fields and its error belong to `InputForm`. */
  readonly View: ComponentType<FieldProps>;
  /** Style that only this kind needs. */
  readonly css?: string;
  /** Whether its form may bring files. They are stored first: `read` finds their addresses in their place. */
  readonly takesFiles?: boolean;
  /** What the visitor says with the form, in the browser and on the server alike. */
  read(form: FormData, input: Input, words: Words): Read;
};
