import { h } from "preact";
import { type IconNode, iconNamed } from "./icons.ts";
import "./icon.css";

export type IconProps = {
  /** The name of a Lucide icon, such as `arrow-right`. */
  readonly name: string;
  readonly size?: number | undefined;
  /** The accessible name of an icon without text. Without a label, screen readers skip the icon. */
  readonly label?: string | undefined;
  readonly class?: string | undefined;
};

/** Icons that are mirrored in right-to-left languages. */
const isDirected = /^arrow-(left|right)$|^log-out$/;

/** An icon in the colour of the surrounding text. */
export function Icon({ name, size = 16, label, class: className = "" }: IconProps) {
  const node = iconNamed(name);
  const named = label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return h(
    "svg",
    {
      class: `app-icon ${isDirected.test(name) ? "is-directed" : ""} ${className}`,
      width: size,
      height: size,
      viewBox: "0 0 24 24",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": size >= 20 ? 1.75 : 2,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      ...named,
    },
    draw(node),
  );
}

function draw(node: IconNode) {
  return node.map(([tag, attributes], index) => h(tag, { key: index, ...attributes }));
}

export type TileProps = {
  readonly icon: string;
  /** The family that determines the colours of the tile. Without a family, the colours are neutral. */
  readonly family?: string | undefined;
  /** Whether the tile has 32 pixels, for the title of a panel, instead of 24 pixels. */
  readonly isLarge?: boolean;
};

/** The icon of a type on a tile in its family's colours. Hidden from screen readers, because the name is next to it. */
export function Tile({ icon, family = "", isLarge = false }: TileProps) {
  return (
    <span class={`app-tile ${familyClass(family)} ${isLarge ? "is-large" : ""}`}>
      <Icon name={icon} size={isLarge ? 18 : 15} />
    </span>
  );
}

/** Returns the class that sets a family's colours as `--family-ink`, `--family-soft` and `--family-solid`. */
export function familyClass(family: string | undefined): string {
  return family ? `is-${family}` : "";
}
