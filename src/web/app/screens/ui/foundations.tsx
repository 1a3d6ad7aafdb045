import { iconNames } from "../../ui/icons.ts";
import { Icon } from "../../ui/index.ts";
import { Part } from "./part.tsx";

const colors = [
  "bg",
  "surface",
  "raised",
  "sunken",
  "hover",
  "pressed",
  "line",
  "line-strong",
  "text",
  "muted",
  "accent",
  "accent-soft",
  "danger",
  "danger-soft",
  "warning",
  "warning-soft",
  "good",
  "good-soft",
];
const sizes = ["xs", "s", "m", "l", "xl"];
const spaces = [1, 2, 3, 4, 5, 6, 7, 8];

/** Shows colours, typography, spacing, elevation and icons. */
export function Foundations() {
  return (
    <>
      <Part title="Colours">
        <ul class="design-colors">
          {colors.map((name) => (
            <li key={name}>
              <span class="design-swatch" style={{ background: `var(--app-${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Type">
        {sizes.map((name) => (
          <p key={name} style={{ fontSize: `var(--app-text-${name})` }}>
            {name}: A bot that asks well is half an answer
          </p>
        ))}
      </Part>
      <Part title="Spaces">
        {spaces.map((step) => (
          <span key={step} class="design-space" style={{ width: `var(--app-space-${step})` }} title={`space ${step}`} />
        ))}
      </Part>
      <Part title="Elevation">
        <div class="design-row">
          {[1, 2, 3].map((step) => (
            <span key={step} class="design-raised" style={{ boxShadow: `var(--app-shadow-${step})` }}>
              {step}
            </span>
          ))}
        </div>
      </Part>
      <Part title="Icons">
        <div class="design-row">
          {iconNames().map((name) => (
            <span key={name} title={name}>
              <Icon name={name} size={20} />
            </span>
          ))}
          <Icon name="not-known" size={20} label="An icon that is not known" />
        </div>
      </Part>
    </>
  );
}
