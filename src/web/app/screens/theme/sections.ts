import type { PagePart } from "../../../conversation/preview-protocol.ts";
import type { Path } from "../../forms/index.ts";
import type { Shown } from "../../sample-page/index.tsx";

/**
 * A form of a section, with the path of its object and the shown fields. The unknown keys of an object are shown in
 * only one section.
 */
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

/** The fields of each section. Every field of a theme belongs to a section. */
export const sections: Readonly<Record<SectionName, readonly FormPart[]>> = {
  // The section for the complete style. Its fields belong to the other sections.
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
 * The fields that people often change first, in addition to style, colour and font. They are also shown in their own
 * section.
 */
export const lookParts: readonly FormPart[] = [{ at: ["chat"], only: ["hostAvatar"] }];

export function sectionNamed(name: string | null): SectionName {
  return sectionNames.find((one) => one === name) ?? "look";
}

/** Returns the section that edits a part of the page. */
export function sectionOfPart(part: PagePart): SectionName {
  return part === "header" ? "page" : part;
}

/** Returns the current preview, or a more suitable one if the current preview does not show the section. */
export function shownFor(section: SectionName, shown: Shown): Shown {
  return section === "buttons" && shown === "conversation" ? "choice" : shown;
}
