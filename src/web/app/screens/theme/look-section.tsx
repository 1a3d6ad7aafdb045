import { useComputed } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import {
  type StyledTheme,
  type StyleName,
  shownMain,
  styleNames,
  themeOfStyle,
} from "../../../../core/theme/styles.ts";
import { partOf, replaceTheme } from "../../editor/commands/look.ts";
import type { OpenBot } from "../../editor/index.ts";
import { valueAt } from "../../forms/index.ts";
import { toast } from "../../ui/index.ts";
import themeWords from "../../words/en/theme.json";
import { useWords } from "../../words/index.ts";
import "./look-section.css";

/** The colour of a theme that has none. */
const usual = "#1f5c4d";

/** A whole look in one press: a style, as a small page, and the colour that it is made of. All other fields stay. */
export function LookSection({ bot: { editor } }: { readonly bot: OpenBot }) {
  const words = useWords(themeWords);
  const id = useId();
  const theme = useComputed(() => partOf(editor.store.draft.value, "theme")).value;
  const style = styleOf(theme);
  const main = mainOf(theme, style) ?? usual;
  // The chosen colour, before it was made readable.
  const [wanted, setWanted] = useState<string>();
  const isReadOnly = editor.readOnly.value !== undefined;
  const apply = (next: StyleName, color: string): void => {
    const { general, chat, dark } = themeOfStyle(next, color);
    const own = (key: string) => partAt(theme, key);
    const styled = {
      ...{ ...theme, general: { ...own("general"), ...general }, chat: { ...own("chat"), ...chat } },
      dark: { ...own("dark"), ...dark },
    };
    const done = editor.run(replaceTheme, { theme: styled, from: words.styles[next] });
    if (done.kind === "refused") toast(done.sentence);
  };
  const shown = shownMain(style ?? "clear", wanted ?? main);
  return (
    <div class="styles">
      <div class="styles-main">
        <label for={id}>{words.mainColor}</label>
        <input
          id={id}
          type="color"
          value={wanted ?? main}
          disabled={isReadOnly}
          onChange={({ currentTarget: { value } }) => {
            setWanted(value);
            apply(style ?? "clear", value);
          }}
        />
        <code>{wanted ?? main}</code>
      </div>
      <p class="look-hint" role="status">
        {shown === (wanted ?? main) ? words.contrastHolds : words.contrastMoved({ color: shown })}
      </p>
      <fieldset class="styles-list" disabled={isReadOnly}>
        <legend>{words.style}</legend>
        {styleNames.map((one) => (
          <label key={one} class="styles-one">
            <input
              type="radio"
              name={`${id}-style`}
              class="visually-hidden"
              checked={one === style}
              onChange={() => apply(one, wanted ?? main)}
            />
            <SmallPage
              theme={themeOfStyle(one, wanted ?? main)}
              says={words.sampleSays}
              answers={words.sampleAnswers}
            />
            <span>{words.styles[one]}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

type SmallPageProps = { readonly theme: StyledTheme; readonly says: string; readonly answers: string };

/** The page of a style, as small as a stamp: its name says what it is. */
function SmallPage({ theme: { general, chat }, says, answers }: SmallPageProps) {
  const { hostBubbles, guestBubbles, buttons } = chat;
  return (
    <span class="styles-page" aria-hidden="true" style={{ backgroundColor: general.background?.content ?? "" }}>
      <span style={boxOf(hostBubbles)}>{says}</span>
      <span class="is-guest" style={boxOf(guestBubbles)}>
        {answers}
      </span>
      <span class="is-button" style={boxOf(buttons)} />
    </span>
  );
}

function boxOf(part: StyledTheme["chat"]["buttons"]) {
  const { backgroundColor = "", color = "", border } = part ?? {};
  return {
    ...{ backgroundColor: String(backgroundColor), color: String(color) },
    borderRadius: `${Math.round(Number(border?.customRoundeness ?? 0) / 2)}px`,
    border: border?.thickness ? `1px solid ${border.color}` : "",
  };
}

function partAt(theme: object, key: string): object {
  const part: unknown = Reflect.get(theme, key);
  return typeof part === "object" && part !== null ? part : {};
}

/** The colour that a theme is made of: that of its buttons, or of their words where these have no ground. */
function mainOf(theme: object, style: StyleName | undefined): string | undefined {
  const color = valueAt(theme, ["chat", "buttons", style === "outline" ? "color" : "backgroundColor"]);
  return typeof color === "string" && /^#[\da-f]{6}$/i.test(color) ? color : undefined;
}

/** The style whose values a theme has, as long as nobody changed one of them. */
function styleOf(theme: object): StyleName | undefined {
  return styleNames.find((style) => {
    const made = themeOfStyle(style, mainOf(theme, style) ?? usual);
    const parts = ["hostBubbles", "guestBubbles", "buttons", "inputs"] as const;
    return (
      isSame(valueAt(theme, ["general", "background"]), made.general.background) &&
      parts.every((part) => isSame(valueAt(theme, ["chat", part]), made.chat[part]))
    );
  });
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => isSame(Reflect.get(one, key), Reflect.get(other, key)))
  );
}
