/** @jsxImportSource preact */
import type { InputHTMLAttributes } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Words } from "../../../conversation/words.ts";
import { CountryField } from "./country-field.tsx";
import { type Country, countryNamed } from "./names.ts";

type Props = {
  readonly id: string;
  readonly name: string;
  readonly isLive: boolean;
  readonly countries: readonly Country[];
  readonly words: Words;
  /** The initial text of the field: the text of a country (`textOf`), or a rejected text. */
  readonly initial: string;
  /** The text that is shown if no country is chosen. */
  readonly none: string;
  textOf(country: Country): string;
  readonly keepsOthers: boolean;
  readonly attributes: InputHTMLAttributes<HTMLInputElement>;
  readonly autocomplete: string;
};

/**
 * A field for a country. It is a list of the browser until the script runs, and then a search field. The browser and
 * the server may name countries differently, so the browser draws the field again and keeps a country that was chosen
 * in the meantime.
 */
export function Countries({ isLive, name, none, autocomplete, attributes, ...props }: Props) {
  const { id, countries, initial, textOf } = props;
  const list = useRef<HTMLSelectElement>(null);
  const early = useRef<{ readonly code: string; readonly hasFocus: boolean }>(undefined);
  useLayoutEffect(() => {
    const { current } = list;
    if (current) early.current = { code: current.value, hasFocus: current.matches(":focus") };
  }, [isLive]);
  const code = countryNamed(initial, countries)?.code ?? "";
  if (isLive) {
    const chosen = countries.find((one) => one.code === early.current?.code);
    const isChanged = early.current !== undefined && early.current.code !== code;
    return (
      <CountryField
        {...props}
        hasFocus={early.current?.hasFocus === true}
        initial={isChanged ? (chosen ? textOf(chosen) : "") : initial}
        attributes={{ ...attributes, id, name, autocomplete, placeholder: none }}
      />
    );
  }
  return (
    <div class="country-line">
      <select
        ref={list}
        id={id}
        name={name}
        class="typebot-country-select"
        autocomplete={autocomplete}
        required={attributes.required}
        aria-label={attributes["aria-label"]}
        aria-labelledby={attributes["aria-labelledby"]}
        aria-describedby={attributes["aria-describedby"]}
        aria-invalid={attributes["aria-invalid"]}
        defaultValue={code}
      >
        <option value="">{none}</option>
        {countries.map((country) => (
          <option key={country.code} value={country.code} selected={country.code === code}>
            {textOf(country)}
          </option>
        ))}
      </select>
    </div>
  );
}
