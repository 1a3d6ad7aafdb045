import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";

const strict = { additionalProperties: false };

const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: limits.brand.nameCharacters, description }));

/**
 * Defines the URL of a picture or style sheet. SVG source and data URLs are rejected, so that a page can display a
 * picture only as an image.
 */
const picture = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: "^https?://[^\\s\"'<>]+$",
      maxLength: limits.brand.addressCharacters,
      examples: ["https://example.com/logo.svg"],
      description,
    }),
  );

/** The appearance and voice of a workspace, on which the themes of its bots can be based. */
export const BrandSchema = Type.Object(
  {
    name: name("Name of the brand, which is shown in the header of chats."),
    logo: Type.Optional(
      Type.Object(
        {
          light: picture("URL of the logo for light pages."),
          dark: picture("URL of the logo for dark pages."),
        },
        { ...strict, description: "The logo." },
      ),
    ),
    avatar: picture("URL of the bot's avatar. Defaults to the logo."),
    colors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({
              minLength: 1,
              maxLength: limits.brand.nameCharacters,
              description: "Name of the colour, which no other colour has.",
            }),
            value: Type.String({
              pattern: "^#[0-9a-fA-F]{6}$",
              examples: ["#1f5c4d"],
              description: "Value of the colour, as `#rrggbb`.",
            }),
          },
          strict,
        ),
        { maxItems: limits.brand.colors, description: "The colours of the brand." },
      ),
    ),
    main: name("Name of the main colour. Defaults to the first colour."),
    font: Type.Optional(
      Type.Object(
        {
          type: Type.Union([Type.Literal("Google"), Type.Literal("Custom")], { description: "Source of the font." }),
          family: Type.String({
            minLength: 1,
            maxLength: limits.brand.nameCharacters,
            description: "Name of the font family. Separate several names with commas.",
          }),
          css: Type.Optional(
            Type.String({
              maxLength: limits.brand.cssCharacters,
              description: "CSS rules that load the font, such as `@font-face`.",
            }),
          ),
          url: picture("URL of a style sheet that loads the font."),
        },
        { ...strict, description: "The font, as in a theme." },
      ),
    ),
    roundness: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.brand.roundness,
        description: "Radius of corners in pixels. Defaults to the radius of the style.",
      }),
    ),
    tone: Type.Optional(
      Type.String({
        maxLength: limits.brand.toneCharacters,
        description: "The bots' tone of voice, in a few sentences.",
      }),
    ),
  },
  { ...strict, description: "The brand of a workspace." },
);

export type Brand = Static<typeof BrandSchema>;
