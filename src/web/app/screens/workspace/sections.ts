import type { Section } from "../../page-parts/sections.tsx";
import { erasureWords } from "../../words/erasures.ts";
import type { Words, WordsOf } from "../../words/index.ts";
import type { workspaceWords } from "../../words/workspace.ts";

/**
 * The parts of a workspace's settings, the first at their own address: the screen and the palette have them from here.
 */
export function workspaceSections(words: Words, own: WordsOf<typeof workspaceWords>): readonly Section[] {
  return [
    { id: "general", label: words.general },
    { id: "members", label: words.members },
    { id: "guests", label: own.guests },
    { id: "tokens", label: words.tokens },
    { id: "events", label: words.events },
    { id: "credentials", label: words.credentials },
    { id: "files", label: own.files },
    { id: "erasures", label: erasureWords.value.title },
  ];
}
