import type { HereProps } from "../presence/faces.tsx";
import { later } from "../ui/index.ts";

const Faces = later(async () => (await import("../presence/faces.tsx")).Faces);

/** The avatars of the other people who have this bot open on any screen that edits it. */
export function Here(props: HereProps) {
  return props.bot.live.present.value.length === 0 ? null : <Faces {...props} />;
}
