export type AvatarProps = {
  readonly icon: string | null | undefined;
  readonly name: string;
  readonly size?: "m" | "l";
};

/**
 * The icon of a workspace or a bot: its emoji or picture, or else the first letter of its name. Hidden from screen
 * readers, because the name is shown next to it.
 */
export function Avatar({ icon, name, size = "m" }: AvatarProps) {
  const address = icon && /^(https:|data:image\/|\/)/.test(icon) ? icon : undefined;
  const letter = [...name.trim()][0]?.toUpperCase() ?? "·";
  return (
    <span class={`app-avatar is-${size} ${icon && !address ? "is-emoji" : ""}`} aria-hidden="true">
      {address ? <img src={address} alt="" referrerpolicy="no-referrer" loading="lazy" /> : icon || letter}
    </span>
  );
}
