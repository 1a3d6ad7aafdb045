/** @jsxImportSource preact */
import { useRef } from "preact/hooks";
import { plainDigits } from "../../conversation/digits.ts";
import { say } from "../../conversation/rare-words.ts";
import { filledTextAt, flagAt, numberAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { numberIn } from "../../conversation/words.ts";
import { buttonLabel, nameOf, SendButton, textOf } from "./parts/field.tsx";
import type { FieldProps, InputKind } from "./parts/input-kind.ts";
import { LineField } from "./parts/line-field.tsx";
import { pictureSource } from "./parts/picture-source.ts";
import css from "./rating.css" with { type: "text" };

/**
 * A rating on a scale of numbers or icons, with labels at the ends of the scale, or a number field if the scale is
 * long. The author can let one click send the rating.
 */
export const ratingInput: InputKind = {
  css,
  View(props) {
    const { input, words, questionId, errorId } = props;
    const typed = useRef("");
    const { from, to } = scaleOf(input);
    if (to - from > maxSteps) return <RatingField {...props} />;
    const steps = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
    const isOneClick = flagAt(input, "options", "isOneClickSubmitEnabled") === true;
    const left = filledTextAt(input, "options", "labels", "left");
    const right = filledTextAt(input, "options", "labels", "right");
    const leftId = left && `${input.id}-left`;
    const rightId = right && `${input.id}-right`;
    const Step = isOneClick ? StepButton : StepRadio;
    const chooseByDigit = (event: KeyboardEvent): void => {
      const step = stepOfDigit(event, typed.current);
      if (!step) return;
      event.preventDefault();
      typed.current = step.value;
      step.focus();
      step.click();
    };
    return (
      <fieldset
        class={`rating ${isIcons(input) ? "is-icons" : ""}`}
        role={isOneClick ? "group" : "radiogroup"}
        aria-describedby={[leftId, rightId, errorId].filter(Boolean).join(" ") || undefined}
        aria-invalid={errorId && !isOneClick ? "true" : undefined}
        onKeyDown={chooseByDigit}
        {...nameOf(questionId, words.rating)}
      >
        <div class="rating-scale">
          <div class={`rating-steps ${lengthClass(steps.length)}`}>
            {steps.map((step) => (
              <Step
                key={step}
                step={step}
                input={input}
                name={isIcons(input) ? say(words, "ratingOf", { rating: step, most: to }) : undefined}
                isChosen={String(step) === props.initial.trim()}
              />
            ))}
          </div>
          {left !== undefined && (
            <span class="rating-label" id={leftId} dir="auto">
              {left}
            </span>
          )}
          {right !== undefined && (
            <span class="rating-label is-right" id={rightId} dir="auto">
              {right}
            </span>
          )}
        </div>
        {!isOneClick && <SendButton label={buttonLabel(input) ?? words.send} words={words} />}
      </fieldset>
    );
  },
  read(form, input, words) {
    const text = plainDigits(textOf(form, "text").trim());
    const { from, to } = scaleOf(input);
    const rating = Number(text);
    if (text === "") return { kind: "wrong", error: words.chooseRating };
    const isOnScale = /^[+-]?\d+$/.test(text) && rating >= from && rating <= to;
    if (!isOnScale) return { kind: "wrong", error: say(words, "numberBetween", { from, to }) };
    return { kind: "said", message: { type: "text", text: String(rating) } };
  },
  shownReply: (reply, input, words) =>
    /^-?\d+$/.test(reply)
      ? say(words, "ratingOf", { rating: numberIn(words, Number(reply)), most: numberIn(words, scaleOf(input).to) })
      : undefined,
};

type StepElement = HTMLInputElement | HTMLButtonElement;

/**
 * Returns the step for a digit together with the digits typed before it: 0 after 1 selects 10. Undefined if there is no
 * such step, or if the step sends immediately and another digit could still change it.
 */
function stepOfDigit(event: KeyboardEvent, typed: string): StepElement | undefined {
  const { key, currentTarget: group } = event;
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (!/^\d$/.test(key) || hasModifier || event.repeat || !(group instanceof Element)) return undefined;
  const steps = [...group.querySelectorAll<StepElement>("[name=text]")];
  const step = [typed + key, key].flatMap((text) => steps.find(({ value }) => value === text) ?? []).at(0);
  const isOpen = step?.type === "submit" && steps.some(({ value }) => value !== key && value.startsWith(key));
  return isOpen ? undefined : step;
}

/** A scale whose ends differ by more than this is shown as a number field. */
const maxSteps = 100;

/**
 * Returns the class for the length of a scale. Up to eleven steps, for example from 0 to 10, fit into one row on every
 * phone.
 */
function lengthClass(steps: number): string {
  if (steps > 11) return "is-long";
  return steps > 7 ? "is-many" : "";
}

function scaleOf(input: Input): { from: number; to: number } {
  // Icons start at one unless the author sets another start, because zero stars are not a rating.
  const from = Math.ceil(numberAt(input, "options", "startsAt") ?? (isIcons(input) ? 1 : 0));
  return { from, to: Math.floor(numberAt(input, "options", "length") || 10) };
}

function isIcons(input: Input): boolean {
  return textAt(input, "options", "buttonType") === "Icons";
}

type StepProps = {
  readonly step: number;
  readonly input: Input;
  /** The name of an icon; undefined for a number. */
  readonly name: string | undefined;
  readonly isChosen: boolean;
};

function StepRadio({ step, input, name, isChosen }: StepProps) {
  return (
    <label class="rating-step typebot-selectable">
      <input
        class="visually-hidden"
        type="radio"
        name="text"
        value={step}
        defaultChecked={isChosen}
        data-focus={isChosen || undefined}
        required
        aria-label={name}
      />
      <Face step={step} input={input} name={name} />
    </label>
  );
}

function StepButton({ step, input, name }: StepProps) {
  return (
    <button type="submit" class="rating-step typebot-selectable" name="text" value={step} aria-label={name}>
      <Face step={step} input={input} name={name} />
    </button>
  );
}

function Face({ step, input, name }: Pick<StepProps, "step" | "input" | "name">) {
  if (name === undefined) return <span>{step}</span>;
  const own = flagAt(input, "options", "customIcon", "isEnabled") === true;
  const source = own ? pictureSource(textAt(input, "options", "customIcon", "svg")) : undefined;
  return (
    <span class="rating-icon-container">
      {source === undefined ? (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="m12 2.6 2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.4l6.5-.9Z" />
        </svg>
      ) : (
        <img src={source} alt="" />
      )}
    </span>
  );
}

function RatingField(props: FieldProps) {
  const placeholder = say(props.words, "numberBetween", scaleOf(props.input));
  const attributes = { type: "text", inputMode: "numeric", autocomplete: "off" } as const;
  return <LineField {...props} defaultPlaceholder={placeholder} attributes={attributes} />;
}
