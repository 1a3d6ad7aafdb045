/** @jsxImportSource preact */
import { ariaNames, buttonLabel, placeholderOf, SendButton, textOf } from "../parts/field.tsx";
import type { FieldProps, InputKind } from "../parts/input-kind.ts";
import { useLive } from "../parts/live.ts";
import { Countries } from "./countries.tsx";
import css from "./country.css" with { type: "text" };
import { countryNamed, homeCountries } from "./names.ts";

/** A country, which is entered by its name in the page's language. */
export const countryInput: InputKind = {
  css,
  View: CountryInput,
  read(form, _input, words) {
    const text = textOf(form, "text").trim();
    if (text === "") return { kind: "wrong", error: words.required };
    const countries = homeCountries(words.language);
    const country = countries.find(({ code }) => code === text) ?? countryNamed(text, countries);
    // The service recognizes further names, and names in other languages.
    if (!country) return { kind: "said", message: { type: "text", text } };
    const { name, code } = country;
    return { kind: "said", message: { type: "text", text: name, metadata: { replyId: code } } };
  },
};

function CountryInput(props: FieldProps) {
  const { input, words } = props;
  const placeholder = placeholderOf(input, words.country);
  return (
    <div class="typebot-input field-row country-row">
      <Countries
        id={`${input.id}-country`}
        name="text"
        isLive={useLive(props.isLive)}
        countries={homeCountries(words.language)}
        words={words}
        initial={props.initial}
        none={placeholder}
        textOf={({ name }) => name}
        keepsOthers
        autocomplete="country-name"
        attributes={{ ...ariaNames(props, placeholder), class: "text-input", required: true }}
      />
      <SendButton label={buttonLabel(input)} words={words} />
    </div>
  );
}
