import { useComputed } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import type { JsonObject } from "../../../../core/interpreter/flow.ts";
import { type StyledTheme, shownMain, styleNames, themeOfStyle } from "../../../../core/theme/styles.ts";
import { partOf, replaceTheme } from "../../editor/commands/look.ts";
import type { OpenBot } from "../../editor/index.ts";
import { toast } from "../../ui/index.ts";
import themeWords from "../../words/en/theme.json";
import { useWords } from "../../words/index.ts";
import { mainOf, styleOf, unreadMainOf, usualMain, withMain, withStyle } from "./look.ts";
import "./look-section.css";

/** The chosen colour, before it was made readable, and the theme's main colour that it became. */
type Wanted = { readonly color: string; readonly main: string | undefined };

/** A whole look in one press: a style, as a small page, and the colour that it is made of. All other fields stay. */
export function LookSection({ bot: { editor } }: { readonly bot: OpenBot }) {
  const words = useWords(themeWords);
  const id = useId();
  const theme = useComputed(() => partOf(editor.store.draft.value, "theme")).value;
  const style = styleOf(theme);
  const main = mainOf(theme, style);
  const unread = unreadMainOf(theme, style);
  const [wanted, setWanted] = useState<Wanted>();
  // After an undo, or a change by somebody else, the theme's own colour holds.
  const isWanted = wanted !== undefined && wanted.main === main;
  const color = (isWanted ? wanted.color : main) ?? usualMain;
  const isReadOnly = editor.readOnly.value !== undefined;
  const take = (next: JsonObject, { chosen, from }: { readonly chosen: string; readonly from: string }): void => {
    const done = editor.run(replaceTheme, { theme: next, from });
    if (done.kind === "refused") toast(done.sentence);
    else setWanted({ color: chosen, main: mainOf(next, styleOf(next)) });
  };
  const shown = shownMain(style ?? "clear", color);
  // Nothing is known here about texts that were coloured by hand.
  const isJudged = style !== undefined || main === undefined;
  return (
    <div class="styles">
      <div class="styles-main">
        <label for={id}>{words.mainColor}</label>
        <input
          id={id}
          type="color"
          class={unread === undefined ? "" : "is-unread"}
          value={color}
          disabled={isReadOnly}
          onChange={({ currentTarget: { value } }) =>
            take(withMain(theme, value), { chosen: value, from: words.mainColor })
          }
        />
        {unread === undefined && <code>{color}</code>}
      </div>
      <p class="look-hint" role="status">
        {unread !== undefined
          ? words.mainUnread({ stored: unread, shown: color })
          : shown !== color
            ? (isJudged || isWanted) && words.contrastMoved({ color: shown })
            : isJudged && words.contrastHolds}
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
              onChange={() => take(withStyle(theme, one, color), { chosen: color, from: words.styles[one] })}
            />
            <SmallPage theme={themeOfStyle(one, color)} says={words.sampleSays} answers={words.sampleAnswers} />
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
