import { type Static, Type } from "@sinclair/typebox";
import { flagOption, numberOption, textOption, wordOption } from "../../interpreter/fields.ts";
import { defaultColors } from "./default-colors.ts";
import { themeDefaults } from "./defaults.ts";

const colors = defaultColors["6.1"];

const look = {
  general: Type.Optional(
    Type.Object(
      {
        header: Type.Optional(
          Type.Object(
            {
              isEnabled: flagOption("Whether the chat has one."),
              name: textOption("Who is talking; absent: the page's title."),
            },
            { description: "A bar that stays above the chat, with the bot's picture and its name." },
          ),
        ),
        font: Type.Optional(
          Type.Union([
            Type.String({ description: "A family of Google Fonts." }),
            Type.Object({
              type: wordOption(["Google", "Custom"], "Where the font comes from.", "Google"),
              family: textOption("Name of the family; several are separated by commas."),
              css: textOption("Rules that load a custom font, such as `@font-face`."),
              url: textOption("Address of a style sheet that loads a custom font."),
            }),
          ]),
        ),
        background: Type.Optional(
          Type.Object(
            {
              type: wordOption(["Color", "Image", "None"], "What lies behind the chat.", themeDefaults.backgroundType),
              content: textOption("The colour, or the address of the picture.", colors.background),
            },
            { description: "What lies behind the chat." },
          ),
        ),
        progressBar: Type.Optional(
          Type.Object(
            {
              isEnabled: flagOption("Whether the page shows how far the chat has come."),
              color: textOption("Colour of the part that is done."),
              backgroundColor: textOption("Colour of the whole bar."),
              placement: wordOption(["Top", "Bottom"], "Which edge of the page it is at.", "Top"),
              thickness: numberOption("Pixels.", 4),
              position: wordOption(
                ["fixed", "absolute"],
                "Whether it stays in sight when the page scrolls (`fixed`).",
                "absolute",
              ),
            },
            { description: "A bar that shows how far the chat has come." },
          ),
        ),
      },
      { description: "The page." },
    ),
  ),
  chat: Type.Optional(
    Type.Object(
      {
        container: Type.Optional(
          Type.Object(
            {
              maxWidth: textOption("Width of the column that the chat stands in; a length of CSS.", "800px"),
              maxHeight: textOption("Its height; one that is not as high as the page scrolls by itself.", "100%"),
              ...box(),
            },
            { description: "The column that the chat stands in. Its `color` is that of text without a box." },
          ),
        ),
        hostAvatar: avatar("the bot's bubbles", themeDefaults.isHostAvatarShown),
        guestAvatar: avatar("the visitor's answers", themeDefaults.isGuestAvatarShown),
        hostBubbles: Type.Optional(Type.Object(box(colors.hostBubbles), { description: "What the bot says." })),
        guestBubbles: Type.Optional(Type.Object(box(colors.guestBubbles), { description: "What the visitor says." })),
        buttons: Type.Optional(Type.Object(box(colors.buttons), { description: "Buttons." })),
        inputs: Type.Optional(
          Type.Object(
            {
              ...box(colors.inputs),
              placeholderColor: textOption("Colour of what an empty field says.", colors.placeholder),
            },
            { description: "Fields." },
          ),
        ),
        roundness: wordOption(
          ["none", "medium", "large"],
          "How round the corners of boxes are whose `border` does not say; `medium` is 6 px, `large` 20 px.",
          "medium",
        ),
        buttonsInput: Type.Optional(
          Type.Object(
            {
              layout: wordOption(["wrap", "vertical"], "Whether buttons stand beside or below each other.", "wrap"),
            },
            { description: "The buttons of a choice." },
          ),
        ),
        endMessage: textOption(
          "What pages say below a chat that has ended; absent: that it has, in the page's language.",
        ),
      },
      { description: "The chat." },
    ),
  ),
  customCss: textOption("Rules of the author's own, after all others."),
};

/** Every field of a theme. Colours are `#rgb`, `#rrggbb`, `rgb(…)` or another notation of CSS, or a variable that holds one. */
export const ThemeSchema = Type.Object(
  {
    ...look,
    dark: Type.Optional(
      Type.Object(look, {
        description:
          "What is different for visitors who like their screens dark: colours, background, custom CSS. What it leaves open is as in the rest of the theme. Absent: a theme with colours of its own is the same for all.",
      }),
    ),
  },
  { description: "How the chat looks. Unknown keys are kept; null counts as absent." },
);

/** A theme as it is stored. A field with fixed words may hold another word, which counts as absent. */
export type Theme = Static<typeof ThemeSchema>;

type ChatTheme = NonNullable<Theme["chat"]>;

export type BoxName = "hostBubbles" | "guestBubbles" | "inputs" | "buttons";

/** The look of bubbles, buttons, fields, or of the column that holds them. */
export type BoxTheme = NonNullable<ChatTheme["hostBubbles"]>;

export type ContainerTheme = NonNullable<ChatTheme["container"]>;

export type ProgressBarTheme = NonNullable<NonNullable<Theme["general"]>["progressBar"]>;

function box(byDefault?: { readonly backgroundColor: string; readonly color: string }) {
  return {
    backgroundColor: textOption("Colour behind it.", byDefault?.backgroundColor),
    color: textOption(
      "Colour of its text. Where only the background is said, pages choose one that can be read on it.",
      byDefault?.color,
    ),
    blur: numberOption("How much of what is behind it is blurred; pixels.", 0),
    opacity: numberOption("How much of what is behind it is covered, from 0 to 1.", 1),
    shadow: wordOption(["none", "sm", "md", "lg", "xl", "2xl"], "Its shadow.", "none"),
    border: Type.Optional(
      Type.Object(
        {
          thickness: numberOption("Pixels."),
          color: textOption("Colour of the line."),
          // The word is misspelt in every stored theme.
          roundeness: wordOption(
            ["none", "medium", "large", "custom"],
            "How round its corners are; `medium` is 6 px, `large` 20 px.",
            "medium",
          ),
          customRoundeness: numberOption("How round `custom` is; pixels.", themeDefaults.customRoundness),
          opacity: numberOption("How much of what is behind it the line covers, from 0 to 1.", 1),
        },
        { description: "The line around it, and its corners." },
      ),
    ),
  };
}

function avatar(beside: string, isShown: boolean) {
  return Type.Optional(
    Type.Object(
      {
        isEnabled: flagOption(`Whether a picture stands beside ${beside}.`, isShown),
        url: textOption("Address of the picture, an SVG as text, or an emoji; absent: a drawing of ours."),
      },
      { description: `A picture beside ${beside}.` },
    ),
  );
}
