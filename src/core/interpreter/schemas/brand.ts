import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";

const strict = { additionalProperties: false };

const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: limits.brand.nameCharacters, description }));

/**
 * Defines the URL of a picture. SVG source and data URLs are rejected, so that pages can only display the picture as an
 * image.
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

/** The appearance and voice of a workspace, on which the themes of its bots are based. */
export const BrandSchema = Type.Object(
  {
    name: name("Name of the brand, for the header of chats."),
    logo: Type.Optional(
      Type.Object(
        {
          light: picture("Address of the logo for light pages."),
          dark: picture("Address of the logo for dark pages."),
        },
        { ...strict, description: "The logo." },
      ),
    ),
    avatar: picture("Address of the picture beside the bot's messages; absent: the logo."),
    colors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({
              minLength: 1,
              maxLength: limits.brand.nameCharacters,
              description: "Its name, which no other colour has.",
            }),
            value: Type.String({ pattern: "^#[0-9a-fA-F]{6}$", examples: ["#1f5c4d"], description: "As `#rrggbb`." }),
          },
          strict,
        ),
        { maxItems: limits.brand.colors, description: "Its colours." },
      ),
    ),
    main: name("Name of the main colour; absent: the first one."),
    font: Type.Optional(
      Type.Object(
        {
          type: Type.Union([Type.Literal("Google"), Type.Literal("Custom")], { description: "Source of the font." }),
          family: Type.String({
            minLength: 1,
            maxLength: limits.brand.nameCharacters,
            description: "Name of the family; several are separated by commas.",
          }),
          css: Type.Optional(
            Type.String({
              maxLength: limits.brand.cssCharacters,
              description: "Rules that load it, such as `@font-face`.",
            }),
          ),
          url: picture("Address of a style sheet that loads it."),
        },
        { ...strict, description: "The font, as in a theme." },
      ),
    ),
    roundness: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.brand.roundness,
        description: "Radius of corners in pixels; absent: that of the style.",
      }),
    ),
    tone: Type.Optional(
      Type.String({ maxLength: limits.brand.toneCharacters, description: "How bots speak, in a few sentences." }),
    ),
  },
  { ...strict, description: "The brand of a workspace." },
);

export type Brand = Static<typeof BrandSchema>;
