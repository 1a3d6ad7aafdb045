/** @jsxImportSource preact */
import css from "./date.css" with { type: "text" };
import { ariaNames, buttonLabel, SendButton, textOf } from "./parts/field.tsx";
import type { InputKind } from "./parts/input-kind.ts";

/** A time of day. */
export const timeInput: InputKind = {
  css,
  View(props) {
    return (
      <div class="typebot-input field-row">
        <input
          class="text-input typebot-datetime-input"
          type="time"
          name="text"
          defaultValue={pickerTime(props.initial)}
          required
          {...ariaNames(props, props.words.time)}
        />
        <SendButton label={buttonLabel(props.input)} words={props.words} />
      </div>
    );
  },
  read(form, _input, words) {
    const text = textOf(form, "text").trim();
    if (text === "") return { kind: "wrong", error: words.required };
    return { kind: "said", message: { type: "text", text } };
  },
  shownReply(reply, _input, { language }) {
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(reply)) return undefined;
    return new Intl.DateTimeFormat(language, { timeStyle: "short", timeZone: "UTC" }).format(
      new Date(`1970-01-01T${reply}Z`),
    );
  },
};

/** A stored time in the picker's format: `02:30 PM` becomes `14:30`. */
function pickerTime(text: string): string {
  const [, hours = "", minutes = "", half] = /^(\d{1,2}):(\d{2})(?::\d{2})?\s*([ap]m)?$/i.exec(text.trim()) ?? [];
  if (hours === "") return "";
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  return `${String(hour).padStart(2, "0")}:${minutes}`;
}
