import { h } from "preact";
import { type IconNode, iconNamed } from "./icons.ts";
import "./icon.css";

export type IconProps = {
  /** A name in lucide, such as `arrow-right`. */
  readonly name: string;
  readonly size?: number | undefined;
  /** The meaning of an icon without text; without a meaning, it is an ornament that screen readers skip. */
  readonly label?: string | undefined;
  readonly class?: string | undefined;
};

/** Icons that point in the direction of writing. */
const isDirected = /^arrow-(left|right)$|^log-out$/;

/** An icon in the colour of the text around it. */
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
  /** The family that gives the tile its colour; without a family the tile is neutral. */
  readonly family?: string | undefined;
  /** 24 pixels in lists, 32 at the head of a panel. */
  readonly isLarge?: boolean;
};

/** The icon of a type in its family's colour. Its name is beside it. */
export function Tile({ icon, family = "", isLarge = false }: TileProps) {
  return (
    <span class={`app-tile ${familyClass(family)} ${isLarge ? "is-large" : ""}`}>
      <Icon name={icon} size={isLarge ? 18 : 15} />
    </span>
  );
}

/** The class that has a family's colours as `--family-ink`, `--family-soft` and `--family-solid`. */
export function familyClass(family: string | undefined): string {
  return family ? `is-${family}` : "";
}
