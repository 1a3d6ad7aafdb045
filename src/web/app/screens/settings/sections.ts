import type { Shown } from "../../sample-page/index.tsx";
import type { FormPart } from "../theme/sections.ts";

export const sectionNames = [
  "general",
  "messages",
  "typing",
  "answers",
  "metadata",
  "security",
  "models",
  "availability",
  "messengers",
  "more",
  "danger",
] as const;
export type SectionName = (typeof sectionNames)[number];

/** The fields of each section. Every field of the settings belongs to a section. */
export const sections: Readonly<Record<SectionName, readonly FormPart[]>> = {
  general: [
    {
      at: ["general"],
      only: [
        ...["language", "isBrandingEnabled", "isInputPrefillEnabled", "rememberUser", "isGoBackEnabled"],
        ...["isStartAgainEnabled", "isTranscriptSavingEnabled", "isHideQueryParamsEnabled"],
        "isNewResultOnRefreshEnabled",
      ],
      hasUnknown: true,
    },
  ],
  messages: [{ at: ["general", "systemMessages"] }],
  typing: [{ at: ["typingEmulation"] }, { at: ["general"], only: ["isTypingEmulationEnabled"] }],
  answers: [{ at: ["answers"] }],
  metadata: [{ at: ["metadata"] }],
  security: [{ at: ["security"] }],
  models: [{ at: ["models"] }],
  availability: [{ at: ["publicShare"] }],
  messengers: [{ at: ["messenger"] }],
  more: [{ at: [], only: [], hasUnknown: true }],
  danger: [],
};

export function sectionNamed(name: string | null): SectionName {
  return sectionNames.find((one) => one === name) ?? "general";
}

/** Returns the most suitable preview for a section. */
export function shownFor(section: SectionName): Shown {
  switch (section) {
    case "general":
      return "ended";
    case "messages":
      return "refused";
    case "typing":
      return "typing";
    default:
      return "conversation";
  }
}
