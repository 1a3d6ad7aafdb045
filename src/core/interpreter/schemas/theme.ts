import { type Static, Type } from "@sinclair/typebox";
import { defaultColors } from "./default-colors.ts";
import { themeDefaults } from "./defaults.ts";
import { advanced, marked, option, section, shownWhen, titled, whenEnabled } from "./fields.ts";

const colors = defaultColors["6.1"];

const look = {
  general: section(
    {
      header: section(
        {
          isEnabled: titled("Show it", option.flag("Whether the chat has one.")),
          name: whenEnabled(option.text("Who is talking; absent: the page's title.")),
        },
        { description: "A bar that stays above the chat, with the bot's picture and its name." },
      ),
      font: Type.Optional(
        Type.Union(
          [
            Type.String({ description: "A family of Google Fonts." }),
            Type.Object({
              type: titled("Source", option.word(["Google", "Custom"], "Where the font comes from.", "Google")),
              family: option.text("Name of the family; several are separated by commas."),
              css: shownWhen(
                { type: ["Custom"] },
                option.markup("css", "Rules that load a custom font, such as `@font-face`."),
              ),
              url: shownWhen(
                { type: ["Custom"] },
                titled("Style sheet", option.address("Address of a style sheet that loads a custom font.")),
              ),
            }),
          ],
          { description: "What letters look like: a family's name, or where it comes from.", widget: "font" },
        ),
      ),
      background: section(
        {
          type: option.word(["Color", "Image", "None"], "What lies behind the chat.", themeDefaults.backgroundType),
          content: marked(
            { title: "Colour or picture", widget: "background" },
            option.text("The colour, or the address of the picture.", colors.background),
          ),
        },
        { description: "What lies behind the chat." },
      ),
      progressBar: section(
        {
          isEnabled: titled("Show it", option.flag("Whether the page shows how far the chat has come.")),
          color: whenEnabled(titled("Colour", option.color("Colour of the part that is done."))),
          backgroundColor: whenEnabled(titled("Colour behind", option.color("Colour of the whole bar."))),
          placement: whenEnabled(option.word(["Top", "Bottom"], "Which edge of the page it is at.", "Top")),
          thickness: whenEnabled(option.number("Pixels.", 4)),
          position: whenEnabled(
            option.word(
              ["fixed", "absolute"],
              "Whether it stays in sight when the page scrolls (`fixed`).",
              "absolute",
            ),
          ),
        },
        { description: "A bar that shows how far the chat has come." },
      ),
    },
    { title: "Page", description: "The page." },
  ),
  chat: section(
    {
      container: section(
        {
          maxWidth: titled(
            "Width",
            option.text("Width of the column that the chat stands in; a length of CSS.", "800px"),
          ),
          maxHeight: titled(
            "Height",
            option.text("Its height; one that is not as high as the page scrolls by itself.", "100%"),
          ),
          ...box(),
        },
        {
          title: "Column",
          description: "The column that the chat stands in. Its `color` is that of text without a box.",
          isAdvanced: true,
        },
      ),
      hostAvatar: avatar("Picture of the bot", "the bot's bubbles", themeDefaults.isHostAvatarShown),
      guestAvatar: avatar("Picture of the visitor", "the visitor's answers", themeDefaults.isGuestAvatarShown),
      hostBubbles: section(box(colors.hostBubbles), { title: "Bot's bubbles", description: "What the bot says." }),
      guestBubbles: section(box(colors.guestBubbles), {
        title: "Visitor's bubbles",
        description: "What the visitor says.",
      }),
      buttons: section(box(colors.buttons), { description: "Buttons." }),
      inputs: section(
        {
          ...box(colors.inputs),
          placeholderColor: titled(
            "Colour of the placeholder",
            option.color("Colour of what an empty field says.", colors.placeholder),
          ),
        },
        { title: "Fields", description: "Fields that visitors write in." },
      ),
      roundness: option.word(
        ["none", "medium", "large"],
        "How round the corners of boxes are whose `border` does not say; `medium` is 6 px, `large` 20 px.",
        "medium",
      ),
      buttonsInput: section(
        {
          layout: option.word(["wrap", "vertical"], "Whether buttons stand beside or below each other.", "wrap"),
        },
        { title: "Buttons of a choice", description: "The buttons of a choice." },
      ),
      endMessage: titled(
        "When it has ended",
        option.longText("What pages say below a chat that has ended; absent: that it has, in the page's language."),
      ),
    },
    { description: "The chat." },
  ),
  customCss: advanced(titled("Own CSS", option.markup("css", "Rules of the author's own, after all others."))),
};

/** Every field of a theme. Colours are `#rgb`, `#rrggbb`, `rgb(…)` or another notation of CSS, or a variable that holds one. */
export const ThemeSchema = Type.Object(
  {
    ...look,
    dark: section(look, {
      title: "On dark screens",
      isAdvanced: true,
      description:
        "What is different for visitors who like their screens dark: colours, background, custom CSS. What it leaves open is as in the rest of the theme. Absent: a theme with colours of its own is the same for all.",
    }),
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
    backgroundColor: titled("Background", option.color("Colour behind it.", byDefault?.backgroundColor)),
    color: titled(
      "Text",
      option.color(
        "Colour of its text. Where only the background is said, pages choose one that can be read on it.",
        byDefault?.color,
      ),
    ),
    blur: advanced(option.number("How much of what is behind it is blurred; pixels.", 0)),
    opacity: advanced(option.number("How much of what is behind it is covered, from 0 to 1.", 1)),
    shadow: advanced(option.word(["none", "sm", "md", "lg", "xl", "2xl"], "Its shadow.", "none")),
    border: section(
      {
        thickness: option.number("Pixels."),
        color: titled("Colour", option.color("Colour of the line.")),
        // The word is misspelt in every stored theme.
        roundeness: titled(
          "Corners",
          option.word(
            ["none", "medium", "large", "custom"],
            "How round its corners are; `medium` is 6 px, `large` 20 px.",
            "medium",
          ),
        ),
        customRoundeness: shownWhen(
          { roundeness: ["custom"] },
          titled("Roundness", option.number("How round `custom` is; pixels.", themeDefaults.customRoundness)),
        ),
        opacity: option.number("How much of what is behind it the line covers, from 0 to 1.", 1),
      },
      { description: "The line around it, and its corners.", isAdvanced: true },
    ),
  };
}

function avatar(title: string, beside: string, isShown: boolean) {
  return section(
    {
      isEnabled: titled("Show it", option.flag(`Whether a picture stands beside ${beside}.`, isShown)),
      url: whenEnabled(
        titled(
          "Picture",
          option.media("image", "Address of the picture, an SVG as text, or an emoji; absent: a drawing of ours."),
        ),
      ),
    },
    { title, description: `A picture beside ${beside}.` },
  );
}
