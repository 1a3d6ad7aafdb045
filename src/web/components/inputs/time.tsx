/** @jsxImportSource preact */
import { timeAsTyped, typedTime } from "../../conversation/dates/typed-times.ts";
import { say } from "../../conversation/rare-words.ts";
import css from "./date.css" with { type: "text" };
import { TimeText } from "./dates/time-text.tsx";
import { typingLocale } from "./dates/typing-locale.ts";
import { ariaNames, buttonLabel, describedBy, SendButton, textOf } from "./parts/field.tsx";
import type { FieldProps, InputKind } from "./parts/input-kind.ts";
import { useLive } from "./parts/live.ts";

/** A time of day, typed in the visitor's usual format. */
export const timeInput: InputKind = {
  css,
  View: TimeInput,
  read(form, _input, words) {
    const text = textOf(form, "text").trim();
    if (text === "") return { kind: "wrong", error: words.required };
    const locale = typingLocale(words.language);
    const time = typedTime(text, locale);
    // The service recognizes words such as `noon`.
    if (time === undefined && !/\p{L}{2}/u.test(text))
      return { kind: "wrong", error: say(words, "invalidTime", { example: timeAsTyped("14:30", locale) }) };
    return { kind: "said", message: { type: "text", text: time ?? text } };
  },
  shownReply(reply, _input, { language }) {
    return /^([01]\d|2[0-3]):[0-5]\d$/.test(reply) ? timeAsTyped(reply, language) : undefined;
  },
};

function TimeInput(props: FieldProps) {
  const { input, words, errorId } = props;
  const locale = useLive(props.isLive) ? typingLocale(words.language) : undefined;
  const hintId = `${input.id}-hint`;
  return (
    <div class="date-input">
      <div class="typebot-input field-row date-parts">
        <TimeText
          time={pickerTime(props.initial)}
          locale={locale}
          name="text"
          placeholder={words.time}
          aria={{
            ...ariaNames(props, words.time),
            "aria-describedby": describedBy(locale !== undefined && hintId, errorId),
          }}
        />
        <SendButton label={buttonLabel(input)} words={words} />
      </div>
      {locale !== undefined && (
        <p class="field-hint" id={hintId}>
          {say(words, "example", { example: timeAsTyped("14:30", locale) })}
        </p>
      )}
    </div>
  );
}

/**
 * Converts a stored time to the format of time pickers: `02:30 PM` becomes `14:30`. Returns an empty text for any other
 * format.
 */
function pickerTime(text: string): string {
  const [, hours = "", minutes = "", half] = /^(\d{1,2}):(\d{2})(?::\d{2})?\s*([ap]m)?$/i.exec(text.trim()) ?? [];
  if (hours === "") return "";
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  return `${String(hour).padStart(2, "0")}:${minutes}`;
}
