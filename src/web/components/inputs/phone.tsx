/** @jsxImportSource preact */
import { plainDigits } from "../../conversation/digits.ts";
import { filledTextAt } from "../../conversation/read.ts";
import { Countries } from "./countries/countries.tsx";
import countryCss from "./countries/country.css" with { type: "text" };
import { type Country, countryNamed, namedCountries } from "./countries/names.ts";
import { ariaNames, buttonLabel, placeholderOf, SendButton, textOf } from "./parts/field.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { useLive } from "./parts/live.ts";
import css from "./phone.css" with { type: "text" };

/** A phone number: a country and the number in the country's format, or the whole number with `+`. */
export const phoneInput: InputKind = {
  css: css + countryCss,
  View(props) {
    const { input, words, initial } = props;
    const placeholder = placeholderOf(input, words.typePhone);
    const countries = namedCountries(words.language);
    const byDefault = filledTextAt(input, "options", "defaultCountryCode")?.toUpperCase();
    const country = countries.find(({ code }) => code === byDefault);
    return (
      <div class="typebot-input phone-field">
        <Countries
          id={`${input.id}-country`}
          name="country"
          isLive={useLive(props.isLive)}
          {...{ countries, words }}
          initial={country ? withCode(country) : ""}
          none={words.otherCountry}
          textOf={withCode}
          keepsOthers={false}
          autocomplete="country"
          attributes={{ "aria-label": words.country }}
        />
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
    const chosen = textOf(form, "country");
    const countries = namedCountries(words.language);
    const country = countries.find(({ code }) => code === chosen) ?? countryNamed(chosen, countries);
    const whole = wholeNumber(text, country);
    if (whole === undefined) return { kind: "wrong", error: words.phoneCountry };
    return { kind: "said", message: { type: "text", text: whole } };
  },
};

/**
 * Returns the number with its calling code; undefined if the number has none and no country is chosen. The server
 * removes the trunk prefix, because it has the prefix of each country.
 */
function wholeNumber(text: string, country: Country | undefined): string | undefined {
  if (text.startsWith("+")) return text;
  if (/^00\s*[1-9]/.test(text)) return `+${text.slice(2).trim()}`;
  return country && `+${country.callingCode} ${text}`;
}

function withCode({ name, callingCode }: Country): string {
  return `${name} (+${callingCode})`;
}
