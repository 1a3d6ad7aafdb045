import { type Static, Type } from "@sinclair/typebox";
import { defaultColors } from "./default-colors.ts";
import { lookDefaults } from "./default-look.ts";
import { themeDefaults } from "./defaults.ts";
import { advanced, helped, marked, option, section, shownWhen, titled, whenEnabled } from "./fields.ts";

const colors = defaultColors["6.1"];
const { progressBar: bar } = lookDefaults;

const look = {
  general: section(
    {
      header: section(
        {
          isEnabled: titled("Show it", option.flag("Whether the chat has a header.")),
          name: whenEnabled(
            helped(
              "Leave it empty to use the title of the page.",
              option.text("Name in the header. Defaults to the page's title."),
            ),
          ),
          isRestartShown: whenEnabled(
            titled(
              "Show a restart button",
              option.flag("Whether the header has a button that restarts the chat, if the settings allow that."),
            ),
          ),
          isSoundShown: whenEnabled(
            titled(
              "Show a sound switch",
              option.flag("Whether the header has a switch for sounds that play automatically, in chats with sounds."),
            ),
          ),
        },
        {
          description: "A bar above the chat with the bot's picture and name, which stays visible.",
          help: "A bar above the chat with the bot's picture and name.",
        },
      ),
      welcome: section(
        {
          isEnabled: titled("Show it", option.flag("Whether the chat begins with the bot's picture and name.")),
          text: whenEnabled(helped("A line below the name.", option.text("A line below the name."))),
        },
        {
          description: "The bot's picture and name in large size, above the first messages.",
          help: "The bot's picture and name in large size, above the first messages.",
        },
      ),
      font: Type.Optional(
        Type.Union(
          [
            Type.String({ description: "Name of a font family in Google Fonts." }),
            Type.Object({
              type: titled("Source", option.word(["Google", "Custom"], "Source of the font.", lookDefaults.fontType)),
              family: option.text("Name of the font family. Separate several names with commas."),
              css: shownWhen(
                { type: ["Custom"] },
                helped(
                  "CSS rules that load the font, such as `@font-face`.",
                  option.markup("css", "CSS rules that load a custom font, such as `@font-face`."),
                ),
              ),
              url: shownWhen(
                { type: ["Custom"] },
                marked(
                  { title: "Style sheet", help: "The URL of a style sheet that loads the font." },
                  option.address("URL of a style sheet that loads a custom font."),
                ),
              ),
            }),
          ],
          { description: "The font: the name of a font family, or its source.", widget: "font" },
        ),
      ),
      background: section(
        {
          type: option.word(["Color", "Image", "None"], "Kind of background.", lookDefaults.backgroundType),
          content: marked(
            { title: "Colour or picture", widget: "background" },
            option.text("The colour, or the URL of the picture.", colors.background),
          ),
        },
        { description: "Background of the chat." },
      ),
      progressBar: section(
        {
          isEnabled: titled("Show it", option.flag("Whether the page shows the progress of the chat.")),
          color: whenEnabled(titled("Colour", option.color("Colour of the completed part."))),
          backgroundColor: whenEnabled(titled("Background colour", option.color("Colour of the whole bar."))),
          placement: whenEnabled(option.word(["Top", "Bottom"], "Edge of the page.", bar.placement)),
          thickness: whenEnabled(helped("In pixels.", option.number("Pixels.", bar.thickness))),
          position: whenEnabled(
            option.word(
              ["fixed", "absolute"],
              "Whether the bar stays visible when the page scrolls (`fixed`).",
              bar.position,
            ),
          ),
        },
        { description: "A bar that shows the progress of the chat." },
      ),
    },
    { title: "Page", description: "Settings of the whole page." },
  ),
  chat: section(
    {
      container: section(
        {
          maxWidth: titled("Width", option.text("Width of the chat's column, as a CSS length.", lookDefaults.maxWidth)),
          maxHeight: marked(
            { title: "Height", help: "If it is lower than the page, the chat scrolls inside it." },
            option.text(
              "Height of the chat's column. If it is less than the height of the page, the column scrolls.",
              lookDefaults.maxHeight,
            ),
          ),
          ...box(),
        },
        {
          title: "Column",
          description: "The column of the chat. Its `color` is used for text outside of boxes.",
          help: "The part of the page that contains the chat.",
          isAdvanced: true,
        },
      ),
      hostAvatar: avatar("Picture of the bot", "the bot's bubbles", themeDefaults.isHostAvatarShown),
      guestAvatar: avatar("Picture of the visitor", "the visitor's answers", themeDefaults.isGuestAvatarShown),
      hostBubbles: section(box(colors.hostBubbles), { title: "Bot's bubbles", description: "The bot's messages." }),
      guestBubbles: section(box(colors.guestBubbles), {
        title: "Visitor's bubbles",
        description: "The visitor's messages.",
      }),
      buttons: section(box(colors.buttons), { description: "Buttons." }),
      inputs: section(
        {
          ...box(colors.inputs, { hasShadow: true }),
          placeholderColor: titled(
            "Colour of the placeholder",
            option.color("Colour of the text in an empty field.", colors.placeholder),
          ),
        },
        { title: "Fields", description: "Text fields for visitors." },
      ),
      roundness: helped(
        "For bubbles, fields and buttons without their own roundness.",
        option.word(
          ["none", "medium", "large"],
          "Default roundness of corners, for boxes without their own value in `border`: `medium` is 6 px, `large` 20 px.",
        ),
      ),
      buttonsInput: section(
        {
          layout: option.word(
            ["wrap", "vertical"],
            "Arrangement of the buttons: side by side or stacked.",
            lookDefaults.buttonsLayout,
          ),
        },
        { title: "Buttons of a choice", description: "The buttons of a choice." },
      ),
      endMessage: marked(
        { title: "Text after the end", help: "Leave it empty to show a standard text in the language of the page." },
        option.longText("Text below a chat that has ended. Defaults to a notice in the page's language."),
      ),
    },
    { description: "Appearance of the chat." },
  ),
  customCss: advanced(
    marked(
      { title: "Custom CSS", help: "Applied after all other rules." },
      option.markup("css", "The author's CSS, which is applied after all other rules."),
    ),
  ),
};

/**
 * All fields of a theme. Colours are `#rgb`, `#rrggbb`, `rgb(…)` or any other CSS notation, or a variable that contains
 * a colour.
 */
export const ThemeSchema = Type.Object(
  {
    ...look,
    brand: section(
      {
        style: helped(
          "The style on which the theme is based.",
          option.text("Name of the style on which the theme is based."),
        ),
        follows: helped(
          "When the brand changes, the builder offers the new brand under Look.",
          option.flag("Whether the builder offers the author a changed brand."),
        ),
        of: helped(
          "Identifies the state of the brand from which this theme was made.",
          option.text("A digest of the brand from which the theme was made."),
        ),
      },
      {
        title: "Brand of the workspace",
        isAdvanced: true,
        description: "The brand from which the theme was made. The values themselves are in the rest of the theme.",
        help: "Managed by the builder under Look: the brand from which this theme was made.",
      },
    ),
    dark: section(look, {
      title: "On dark screens",
      isAdvanced: true,
      description:
        "Differences for visitors who prefer dark screens: colours, background, custom CSS. Everything else is as in the rest of the theme. Without it, a theme with its own colours is the same for all visitors.",
      help: "Only what differs for visitors who prefer dark screens.",
    }),
  },
  { description: "Appearance of the chat. Unknown keys are kept, and null is treated as absent." },
);

/** A theme as stored. A field with an enumeration may contain another value, which is treated as absent. */
export type Theme = Static<typeof ThemeSchema>;

type ChatTheme = NonNullable<Theme["chat"]>;

export type BoxName = "hostBubbles" | "guestBubbles" | "inputs" | "buttons";

/** The appearance of bubbles, buttons, fields or the chat's column. */
export type BoxTheme = NonNullable<ChatTheme["hostBubbles"]>;

export type ContainerTheme = NonNullable<ChatTheme["container"]>;

export type ProgressBarTheme = NonNullable<NonNullable<Theme["general"]>["progressBar"]>;

/**
 * Defines the fields of a box. `hasShadow`: whether the box has a shadow by default. If so, an absent `shadow` differs
 * from "none".
 */
function box(
  byDefault?: { readonly backgroundColor: string; readonly color: string },
  { hasShadow = false }: { readonly hasShadow?: boolean } = {},
) {
  return {
    backgroundColor: titled("Background", option.color("Background colour of the box.", byDefault?.backgroundColor)),
    color: marked(
      { title: "Text", help: "Leave it empty to use a colour that fits the background." },
      option.color(
        "Colour of the box's text. If only the background is set, pages choose a legible colour.",
        byDefault?.color,
      ),
    ),
    blur: advanced(helped("In pixels.", option.number("Blur of the background, in pixels.", lookDefaults.blur))),
    opacity: advanced(helped("From 0 to 1.", option.number("Opacity, from 0 to 1.", lookDefaults.opacity))),
    shadow: advanced(
      option.word(["none", "sm", "md", "lg", "xl", "2xl"], "Shadow of the box.", hasShadow ? undefined : "none"),
    ),
    border: section(
      {
        thickness: helped("In pixels.", option.number("Pixels.")),
        color: titled("Colour", option.color("Colour of the line.")),
        // The key is misspelt in every stored theme.
        roundeness: titled(
          "Corners",
          option.word(
            ["none", "medium", "large", "custom"],
            "Roundness of the corners: `medium` is 6 px, `large` 20 px.",
          ),
        ),
        customRoundeness: shownWhen(
          { roundeness: ["custom"] },
          marked(
            { title: "Roundness", help: "In pixels." },
            option.number("Radius of `custom` corners, in pixels.", lookDefaults.customRoundness),
          ),
        ),
        opacity: helped("From 0 to 1.", option.number("Opacity of the line, from 0 to 1.", lookDefaults.lineOpacity)),
      },
      { description: "The border of the box, and its corners.", isAdvanced: true },
    ),
  };
}

function avatar(title: string, beside: string, isShown: boolean) {
  return section(
    {
      isEnabled: titled("Show it", option.flag(`Whether to show a picture next to ${beside}.`, isShown)),
      url: whenEnabled(
        marked(
          { title: "Picture", help: "A picture, an SVG or an emoji." },
          option.media("image", "URL of the picture, an SVG as text, or an emoji. Defaults to a standard picture."),
        ),
      ),
    },
    { title, description: `A picture next to ${beside}.` },
  );
}
