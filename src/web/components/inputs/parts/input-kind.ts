import type { ComponentType } from "preact";
import type { Input, Message } from "../../../conversation/step.ts";
import type { Answer } from "../../../conversation/transcript.ts";
import type { Words } from "../../../conversation/words.ts";

export type FieldProps = {
  readonly input: Input;
  readonly words: Words;
  /** The field's initial value: a refused answer, or a prefilled one. */
  readonly initial: string;
  /** Id of the bubble that asks, which names the field; undefined if there is none. */
  readonly questionId: string | undefined;
  /** Id of the error; undefined while there is none. */
  readonly errorId: string | undefined;
  /** Whether the page's script has taken over. Without the script a field is plain HTML and posts its form. */
  readonly isLive: boolean;
  /** Whether the question was answered, and the bot has not asked the next one. */
  readonly isEarly?: boolean | undefined;
};

/** The content of a form: a message, or an error. */
export type Read =
  | { readonly kind: "said"; readonly message: Message }
  | {
      readonly kind: "wrong";
      readonly error: string;
      /** The answer to correct; if absent, the field `text`. */
      readonly draft?: string;
    };

/** One kind of input. */
export type InputKind = {
  /** The fields and buttons inside the form. The form itself, its hidden fields and its error belong to `InputForm`. */
  readonly View: ComponentType<FieldProps>;
  /** Style that only this kind needs. */
  readonly css?: string;
  /**
   * Whether the input's form may contain files. They are stored first: `read` receives their addresses in their place.
   */
  readonly takesFiles?: boolean;
  /** Reads the message from the form, in the browser and on the server alike. */
  read(form: FormData, input: Input, words: Words): Read;
  /** A visitor's reply in the page's language; undefined for a reply that our pages never send. */
  shownReply?(reply: string, input: Input, words: Words): string | undefined;
  /** A sentence in the page's language which says that the visitor paid. */
  shownPaid?(paid: unknown, words: Words): string;
  /** The bubble of an answer that contains more than text. */
  readonly Answer?: ComponentType<AnswerProps>;
  /** Style that only such answers need. */
  readonly answerCss?: string;
};

export type AnswerProps = { readonly answer: Answer; readonly words: Words };
