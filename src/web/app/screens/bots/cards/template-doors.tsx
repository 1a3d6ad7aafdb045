import { useEffect, useState } from "preact/hooks";
import dashboardWords from "../../../words/en/dashboard.json";
import templateWords from "../../../words/en/template.json";
import { useWords } from "../../../words/index.ts";
import { FlowPicture } from "./flow-picture.tsx";
import type { PicturedTemplate } from "./pictured-templates.ts";

/** Shows templates in a workspace with few bots. A template can be previewed or used in the gallery. */
export function TemplateDoors({
  count,
  onChoose,
}: {
  readonly count: number;
  readonly onChoose: (id: string) => void;
}) {
  const words = useWords(dashboardWords);
  const { descriptions } = useWords(templateWords);
  const described: Readonly<Record<string, { readonly name: string; readonly about: string }>> = descriptions;
  const [templates, setTemplates] = useState<readonly PicturedTemplate[]>([]);
  useEffect(() => {
    void import("./pictured-templates.ts").then(({ loadTemplates }) => loadTemplates()).then(setTemplates, () => {});
  }, []);
  if (templates.length === 0) return null;
  return (
    <section class="template-doors">
      <h2>{words.templatesTitle}</h2>
      <ul class="bot-cards">
        {templates.slice(0, count).map(({ template, picture }) => {
          const { name, about } = described[template.id] ?? template;
          return (
            <li key={template.id} class="bot-card is-template">
              <div class="bot-card-picture">
                <FlowPicture picture={picture} />
              </div>
              <button type="button" class="bot-card-link" onClick={() => onChoose(template.id)}>
                <span aria-hidden="true">{template.icon}</span> {words.template({ name })}
              </button>
              <p>{about}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
