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
              "Leave it empty for the title of the page.",
              option.text("Name in the header; absent: the page's title."),
            ),
          ),
          isRestartShown: whenEnabled(
            titled(
              "Offer to start again",
              option.flag("Whether the header has a button that starts the chat again, where the settings allow that."),
            ),
          ),
          isSoundShown: whenEnabled(
            titled(
              "Offer to turn sound off",
              option.flag("Whether the header has a switch for sounds that play by themselves, in chats with sounds."),
            ),
          ),
        },
        {
          description: "A bar that stays above the chat, with the bot's picture and its name.",
          help: "A bar above the chat, with the bot's picture and name.",
        },
      ),
      welcome: section(
        {
          isEnabled: titled("Show it", option.flag("Whether the chat begins with the bot's picture and name.")),
          text: whenEnabled(helped("A line below the name.", option.text("A line below the name."))),
        },
        {
          description: "The bot's picture and name, large, above the first messages.",
          help: "The bot's picture and name, large, above the first messages.",
        },
      ),
      font: Type.Optional(
        Type.Union(
          [
            Type.String({ description: "A family of Google Fonts." }),
            Type.Object({
              type: titled("Source", option.word(["Google", "Custom"], "Source of the font.", lookDefaults.fontType)),
              family: option.text("Name of the family; several are separated by commas."),
              css: shownWhen(
                { type: ["Custom"] },
                helped(
                  "Rules that load the font, such as `@font-face`.",
                  option.markup("css", "Rules that load a custom font, such as `@font-face`."),
                ),
              ),
              url: shownWhen(
                { type: ["Custom"] },
                marked(
                  { title: "Style sheet", help: "The address of one that loads the font." },
                  option.address("Address of a style sheet that loads a custom font."),
                ),
              ),
            }),
          ],
          { description: "The font: the name of a family, or its source.", widget: "font" },
        ),
      ),
      background: section(
        {
          type: option.word(["Color", "Image", "None"], "Background of the chat.", lookDefaults.backgroundType),
          content: marked(
            { title: "Colour or picture", widget: "background" },
            option.text("The colour, or the address of the picture.", colors.background),
          ),
        },
        { description: "Background of the chat." },
      ),
      progressBar: section(
        {
          isEnabled: titled("Show it", option.flag("Whether the page shows the progress of the chat.")),
          color: whenEnabled(titled("Colour", option.color("Colour of the completed part."))),
          backgroundColor: whenEnabled(titled("Colour behind", option.color("Colour of the whole bar."))),
          placement: whenEnabled(option.word(["Top", "Bottom"], "Edge of the page.", bar.placement)),
          thickness: whenEnabled(helped("In pixels.", option.number("Pixels.", bar.thickness))),
          position: whenEnabled(
            option.word(
              ["fixed", "absolute"],
              "Whether it stays in sight when the page scrolls (`fixed`).",
              bar.position,
            ),
          ),
        },
        { description: "A bar that shows the progress of the chat." },
      ),
    },
    { title: "Page", description: "The page." },
  ),
  chat: section(
    {
      container: section(
        {
          maxWidth: titled("Width", option.text("Width of the chat's column, as a CSS length.", lookDefaults.maxWidth)),
          maxHeight: marked(
            { title: "Height", help: "If it is lower than the page, the chat scrolls inside." },
            option.text(
              "Height of the column. If it is less than the page's, the column scrolls.",
              lookDefaults.maxHeight,
            ),
          ),
          ...box(),
        },
        {
          title: "Column",
          description: "The column of the chat. Its `color` is used for text outside of boxes.",
          help: "The part of the page that holds the chat.",
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
        "For bubbles, fields and buttons without corners of their own.",
        option.word(
          ["none", "medium", "large"],
          "Default roundness of corners, for boxes without their own in `border`; `medium` is 6 px, `large` 20 px.",
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
        { title: "After the end", help: "Leave it empty for a sentence in the language of the page." },
        option.longText("Text below an ended chat; absent: a notice in the page's language."),
      ),
    },
    { description: "The chat." },
  ),
  customCss: advanced(
    marked(
      { title: "Own CSS", help: "Applied after all other rules." },
      option.markup("css", "The author's own rules, applied after all others."),
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
        style: helped("The style that it is made in.", option.text("Name of the style that the theme is made in.")),
        follows: helped(
          "When the brand changes, Look offers the new one.",
          option.flag("Whether its author is offered a brand that has changed."),
        ),
        of: helped("The brand as it was then.", option.text("A digest of the brand that the theme was made of.")),
      },
      {
        title: "Brand of the workspace",
        isAdvanced: true,
        description: "The brand that the theme was made of. The values themselves are in the rest of the theme.",
        help: "Kept by Look: the brand that this theme was made of.",
      },
    ),
    dark: section(look, {
      title: "On dark screens",
      isAdvanced: true,
      description:
        "Differences for visitors who prefer dark screens: colours, background, custom CSS. Everything else is as in the rest of the theme. Absent: a theme with its own colours is the same for all visitors.",
      help: "Only what differs for visitors who prefer dark screens.",
    }),
  },
  { description: "Look of the chat. Unknown keys are kept; null counts as absent." },
);

/** A theme as stored. A field with an enumeration may contain another value, which is treated as absent. */
export type Theme = Static<typeof ThemeSchema>;

type ChatTheme = NonNullable<Theme["chat"]>;

export type BoxName = "hostBubbles" | "guestBubbles" | "inputs" | "buttons";

/** The appearance of bubbles, buttons, fields, or of the column that contains them. */
export type BoxTheme = NonNullable<ChatTheme["hostBubbles"]>;

export type ContainerTheme = NonNullable<ChatTheme["container"]>;

export type ProgressBarTheme = NonNullable<NonNullable<Theme["general"]>["progressBar"]>;

/**
 * Defines the fields of a box. `hasShadow`: whether the box has a shadow by default. If so, "none" is a separate
 * choice.
 */
function box(
  byDefault?: { readonly backgroundColor: string; readonly color: string },
  { hasShadow = false }: { readonly hasShadow?: boolean } = {},
) {
  return {
    backgroundColor: titled("Background", option.color("Colour behind it.", byDefault?.backgroundColor)),
    color: marked(
      { title: "Text", help: "Leave it empty for a colour that fits the background." },
      option.color(
        "Colour of its text. If only the background is set, pages choose a legible colour.",
        byDefault?.color,
      ),
    ),
    blur: advanced(helped("In pixels.", option.number("Blur of the background, in pixels.", lookDefaults.blur))),
    opacity: advanced(helped("From 0 to 1.", option.number("Opacity, from 0 to 1.", lookDefaults.opacity))),
    shadow: advanced(
      option.word(["none", "sm", "md", "lg", "xl", "2xl"], "Its shadow.", hasShadow ? undefined : "none"),
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
            "Roundness of its corners; `medium` is 6 px, `large` 20 px.",
          ),
        ),
        customRoundeness: shownWhen(
          { roundeness: ["custom"] },
          marked(
            { title: "Roundness", help: "In pixels." },
            option.number("How round `custom` is; pixels.", lookDefaults.customRoundness),
          ),
        ),
        opacity: helped("From 0 to 1.", option.number("Opacity of the line, from 0 to 1.", lookDefaults.lineOpacity)),
      },
      { description: "The line around it, and its corners.", isAdvanced: true },
    ),
  };
}

function avatar(title: string, beside: string, isShown: boolean) {
  return section(
    {
      isEnabled: titled("Show it", option.flag(`Whether to show a picture beside ${beside}.`, isShown)),
      url: whenEnabled(
        marked(
          { title: "Picture", help: "A picture, an SVG or an emoji." },
          option.media("image", "Address of the picture, an SVG as text, or an emoji; absent: a default drawing."),
        ),
      ),
    },
    { title, description: `A picture beside ${beside}.` },
  );
}
