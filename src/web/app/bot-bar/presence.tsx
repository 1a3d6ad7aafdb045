import type { HereProps } from "../presence/faces.tsx";
import { later } from "../ui/index.ts";

const Faces = later(async () => (await import("../presence/faces.tsx")).Faces);

/** The other people who have this bot open, on any of the screens that edit it. Mostly empty. */
export function Here(props: HereProps) {
  return props.bot.live.present.value.length === 0 ? null : <Faces {...props} />;
}
