/** @jsxImportSource preact */
import { plainDigits } from "../../conversation/digits.ts";
import { filledTextAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { ariaNames, buttonLabel, placeholderOf, SendButton, textOf } from "./parts/field.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { useLive } from "./parts/live.ts";
import { type PhoneCountry, phoneCountries } from "./parts/phone-countries.ts";
import css from "./phone.css" with { type: "text" };

/** A phone number: a country, and the number as people of that country write it; or all of it, beginning with `+`. */
export const phoneInput: InputKind = {
  css,
  View(props) {
    const { input, words, initial } = props;
    const isLive = useLive(props.isLive);
    const placeholder = placeholderOf(input, words.typePhone);
    return (
      <div class="typebot-input phone-field">
        <div class="country-line">
          {/* The browser may name and sort countries differently from the server, so it draws the list anew. */}
          <select
            key={isLive ? "browser" : "server"}
            class="typebot-country-select"
            name="country"
            aria-label={words.country}
            autocomplete="country"
            defaultValue={defaultCountry(input)?.code ?? ""}
          >
            <option value="">{words.otherCountry}</option>
            {namedCountries(words.language).map(({ code, callingCode, name }) => (
              <option key={code} value={code} selected={code === defaultCountry(input)?.code}>
                {`${name} (+${callingCode})`}
              </option>
            ))}
          </select>
        </div>
        <div class="phone-line">
          <input
            class="text-input"
            data-focus
            type="tel"
            name="text"
            defaultValue={initial}
            placeholder={placeholder}
            required
            autocomplete="tel"
            // Numbers are written from left to right in every language.
            dir="ltr"
            {...ariaNames(props, placeholder)}
          />
          <SendButton label={buttonLabel(input)} words={words} />
        </div>
      </div>
    );
  },
  read(form, _input, words) {
    const text = plainDigits(textOf(form, "text").trim());
    if (text === "") return { kind: "wrong", error: words.required };
    const digits = text.replaceAll(/\D/g, "");
    if (digits.length < 4 || digits.length > 20) return { kind: "wrong", error: words.invalidPhone };
    const country = phoneCountries.find(({ code }) => code === textOf(form, "country"));
    const whole = wholeNumber(text, country);
    if (whole === undefined) return { kind: "wrong", error: words.phoneCountry };
    return { kind: "said", message: { type: "text", text: whole } };
  },
};

/** The number with its calling code. The server removes the trunk prefix, since it knows each country's. */
function wholeNumber(text: string, country: PhoneCountry | undefined): string | undefined {
  if (text.startsWith("+")) return text;
  if (/^00\s*[1-9]/.test(text)) return `+${text.slice(2).trim()}`;
  return country && `+${country.callingCode} ${text}`;
}

function defaultCountry(input: Input): PhoneCountry | undefined {
  const wanted = filledTextAt(input, "options", "defaultCountryCode")?.toUpperCase();
  return phoneCountries.find(({ code }) => code === wanted);
}

/** The countries by their names in the bot's language, in its order. */
function namedCountries(language: string): (PhoneCountry & { readonly name: string })[] {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  const order = new Intl.Collator(language);
  return phoneCountries
    .map((country) => ({ ...country, name: names.of(country.code) ?? country.code }))
    .sort((a, b) => order.compare(a.name, b.name));
}
