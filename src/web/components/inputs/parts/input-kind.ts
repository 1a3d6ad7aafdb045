import type { ComponentType } from "preact";
import type { Input, Message } from "../../../conversation/step.ts";
import type { Answer } from "../../../conversation/transcript.ts";
import type { Words } from "../../../conversation/words.ts";

export type FieldProps = {
  readonly input: Input;
  readonly words: Words;
  /** The field's initial value, such as a rejected or prefilled answer. */
  readonly initial: string;
  /** The id of the bubble that asks the question and names the field; undefined if there is none. */
  readonly questionId: string | undefined;
  /** The id of the error; undefined while there is no error. */
  readonly errorId: string | undefined;
  /** Whether the page's script runs. Without the script, a field is plain HTML and its form is posted. */
  readonly isLive: boolean;
  /** Whether the question is already answered, but the bot has not asked the next one. */
  readonly isEarly?: boolean | undefined;
};

/** The result of reading a form: a message or an error. */
export type Read =
  | { readonly kind: "said"; readonly message: Message }
  | {
      readonly kind: "wrong";
      readonly error: string;
      /** The answer to correct. If absent, the value of the field `text` is used. */
      readonly draft?: string;
    };

/** A kind of input: how its fields are drawn, and how its form is read. */
export type InputKind = {
  /** The fields and buttons inside the form. `InputForm` draws the form itself, its hidden fields and its error. */
  readonly View: ComponentType<FieldProps>;
  /** A style sheet that only this kind needs. */
  readonly css?: string;
  /** Whether the form may contain files. The files are stored first, and `read` receives their URLs instead. */
  readonly takesFiles?: boolean;
  /** Reads the message from the form, both in the browser and on the server. */
  read(form: FormData, input: Input, words: Words): Read;
  /** Formats a visitor's reply in the page's language. Returns undefined if the reply is shown unchanged. */
  shownReply?(reply: string, input: Input, words: Words): string | undefined;
  /** Returns a text in the page's language that says that the visitor has paid. */
  shownPaid?(paid: unknown, words: Words): string;
  /** The bubble of an answer that contains more than text. */
  readonly Answer?: ComponentType<AnswerProps>;
  /** A style sheet that only `Answer` needs. */
  readonly answerCss?: string;
};

export type AnswerProps = { readonly answer: Answer; readonly words: Words };
