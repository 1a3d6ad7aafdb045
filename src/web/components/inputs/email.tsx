/** @jsxImportSource preact */
import { textOf } from "./parts/field.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { LineField } from "./parts/line-field.tsx";

/** An input for a mail address. */
export const emailInput: InputKind = {
  View(props) {
    // The browser does not check the address, because browsers reject letters other than a to z before the @.
    return <LineField {...props} defaultPlaceholder={props.words.typeEmail} attributes={attributes} isUnchecked />;
  },
  read(form, _input, words) {
    const text = textOf(form, "text").trim();
    if (text === "") return { kind: "wrong", error: words.required };
    if (!/^\S+@\S+$/.test(text)) return { kind: "wrong", error: words.invalidEmail };
    return { kind: "said", message: { type: "text", text } };
  },
};

const attributes = { type: "email", autocomplete: "email", autocapitalize: "off", spellcheck: false } as const;
