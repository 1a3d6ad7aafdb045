import type { ComponentChildren } from "preact";
import { useWords } from "../words/index.ts";
import { Icon } from "./icon.tsx";
import "./states.css";

/** Shows grey bars instead of the content, after 300 milliseconds, because most content is loaded sooner. */
export function Skeleton({ rows = 4, label }: { readonly rows?: number; readonly label?: string | undefined }) {
  const words = useWords();
  return (
    <div class="app-skeleton" role="status">
      <span class="visually-hidden">{label ?? words.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="app-skeleton-row" style={{ width: `${92 - ((index * 17) % 38)}%` }} />
      ))}
    </div>
  );
}

export type EmptyStateProps = {
  readonly icon?: string | undefined;
  /** Shown instead of an icon. */
  readonly drawing?: ComponentChildren;
  readonly title: string;
  readonly text?: ComponentChildren;
  /** The button for the first action. */
  readonly children?: ComponentChildren;
};

/** Shown instead of content that is empty or cannot be shown: an explanation, and the first action. */
export function EmptyState({ icon, drawing, title, text, children }: EmptyStateProps) {
  return (
    <div class="app-empty">
      {drawing}
      {icon !== undefined && (
        <span class="app-empty-icon">
          <Icon name={icon} size={22} />
        </span>
      )}
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children !== undefined && <div class="app-empty-actions">{children}</div>}
    </div>
  );
}

export type Tone = "neutral" | "accent" | "good" | "warning" | "danger";

type BadgeProps = { readonly tone?: Tone; readonly icon?: string | undefined; readonly label: ComponentChildren };

/** A text or a number that shows a state without relying on the colour. */
export function Badge({ tone = "neutral", icon, label }: BadgeProps) {
  return (
    <span class={`app-badge is-${tone}`}>
      {icon !== undefined && <Icon name={icon} size={12} />}
      {label}
    </span>
  );
}

export type BannerProps = {
  readonly tone?: Exclude<Tone, "accent">;
  readonly title?: string | undefined;
  readonly text: ComponentChildren;
  readonly action?: ComponentChildren;
  /** Whether screen readers announce the text immediately. */
  readonly isAlert?: boolean | undefined;
};

const bannerIcons = {
  neutral: "info",
  good: "circle-check",
  warning: "triangle-alert",
  danger: "circle-alert",
} as const;

/** A highlighted message, for example at the top of a screen or a panel. */
export function Banner({ tone = "neutral", title, text, action, isAlert = false }: BannerProps) {
  return (
    <div class={`app-banner is-${tone}`} role={isAlert ? "alert" : undefined}>
      <Icon name={bannerIcons[tone]} size={18} />
      <div class="app-banner-words">
        {title !== undefined && <strong>{title}</strong>}
        <div>{text}</div>
      </div>
      {action}
    </div>
  );
}
