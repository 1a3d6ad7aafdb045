import { Sections } from "../../page-parts/sections.tsx";
import type { ScreenProps } from "../../routing/screen.ts";
import { me } from "../../session/session.ts";
import { EmptyState } from "../../ui/index.ts";
import instanceWords from "../../words/en/instance.json";
import { useWords } from "../../words/index.ts";
import { Health } from "./health.tsx";
import { instanceSections } from "./sections.ts";
import { Users } from "./users.tsx";
import { Workspaces } from "./workspaces.tsx";

/** The screen for administrators of the instance, with its users, suspended workspaces and state. */
export default function Instance({ params }: ScreenProps) {
  const words = useWords(instanceWords);
  const shared = useWords();
  const selected = params["section"] ?? "users";
  return (
    <Sections title={words.title} sections={instanceSections(words)} selected={selected} base="/instance">
      {me.value?.isAdministrator ? (
        <Section name={selected} />
      ) : (
        <EmptyState icon="lock" title={shared.forbiddenTitle} text={words.noRight} />
      )}
    </Sections>
  );
}

function Section({ name }: { readonly name: string }) {
  switch (name) {
    case "workspaces":
      return <Workspaces />;
    case "health":
      return <Health />;
    default:
      return <Users />;
  }
}
