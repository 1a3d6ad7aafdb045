/** @jsxImportSource preact */
import { textOf } from "./parts/field.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { LineField } from "./parts/line-field.tsx";

/** A web address. The field does not use `type="url"`, which would reject an address without `https://`. */
export const urlInput: InputKind = {
  View(props) {
    return <LineField {...props} defaultPlaceholder={props.words.typeUrl} attributes={attributes} />;
  },
  read(form, _input, words) {
    const text = textOf(form, "text").trim();
    if (text === "") return { kind: "wrong", error: words.required };
    const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
    if (!/^https?:\/\/[^\s<>]+\.[^\s<>]+$/i.test(whole)) return { kind: "wrong", error: words.invalidUrl };
    return { kind: "said", message: { type: "text", text: whole } };
  },
};

const attributes = {
  type: "text",
  inputMode: "url",
  autocomplete: "url",
  autocapitalize: "off",
  spellcheck: false,
} as const;
