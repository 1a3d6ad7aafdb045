import type { PagePart } from "../../../conversation/preview-protocol.ts";
import type { Path } from "../../forms/index.ts";
import type { Shown } from "../../sample-page/index.tsx";

/** A form of a section: its object, and the object's fields; unknown members of an object are in one section only. */
export type FormPart = { readonly at: Path; readonly only?: readonly string[]; readonly hasUnknown?: boolean };

export const sectionNames = [
  "look",
  "page",
  "avatars",
  "hostBubbles",
  "guestBubbles",
  "inputs",
  "buttons",
  "progress",
  "code",
] as const;
export type SectionName = (typeof sectionNames)[number];

/** Every field of a theme belongs to one of these sections. */
export const sections: Readonly<Record<SectionName, readonly FormPart[]>> = {
  // The look as a whole; its fields belong to the other sections.
  look: [],
  page: [
    { at: ["general"], only: ["background", "font", "header", "welcome"], hasUnknown: true },
    { at: ["chat"], only: ["roundness", "endMessage", "container"], hasUnknown: true },
  ],
  avatars: [{ at: ["chat"], only: ["hostAvatar", "guestAvatar"] }],
  hostBubbles: [{ at: ["chat", "hostBubbles"] }],
  guestBubbles: [{ at: ["chat", "guestBubbles"] }],
  inputs: [{ at: ["chat", "inputs"] }],
  buttons: [{ at: ["chat", "buttons"] }, { at: ["chat"], only: ["buttonsInput"] }],
  progress: [{ at: ["general", "progressBar"] }],
  code: [{ at: [], only: ["customCss", "brand"], hasUnknown: true }],
};

/**
 * The fields that people change first, besides style, colour and font. They are shown with these, and in their own
 * section.
 */
export const lookParts: readonly FormPart[] = [{ at: ["chat"], only: ["hostAvatar"] }];

export function sectionNamed(name: string | null): SectionName {
  return sectionNames.find((one) => one === name) ?? "look";
}

/** The section in which a part of the page is changed. */
export function sectionOfPart(part: PagePart): SectionName {
  return part === "header" ? "page" : part;
}

/** The most suitable preview for a section, if the current one does not show it. */
export function shownFor(section: SectionName, shown: Shown): Shown {
  return section === "buttons" && shown === "conversation" ? "choice" : shown;
}
