import { useEffect, useState } from "preact/hooks";
import type { Template } from "../../../../core/templates/index.ts";
import { call } from "../../api/index.ts";
import { useSubmit } from "../../page-parts/submit.ts";
import { Button, Skeleton } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { templateWords } from "../../words/templates.ts";
import { FlowPicture } from "./flow-picture.tsx";
import type { MakeProps } from "./make-props.ts";
import { TryTemplate } from "./try-template.tsx";

/** Flows of our own: drawn, tried in a click, and taken in another one. */
export function Templates({ place, onMade }: MakeProps) {
  const words = useWords();
  const ofTemplates = useWords(templateWords);
  const [templates, setTemplates] = useState<readonly Template[]>();
  const [chosen, setChosen] = useState<string>();
  const [tried, setTried] = useState<Template>();
  const { isBusy, error, submit } = useSubmit();
  useEffect(() => {
    // They come with the gallery, not with the list of bots.
    void import("../../../../core/templates/index.ts").then((module) => setTemplates(module.templates));
  }, []);
  if (!templates) return <Skeleton />;
  const textsOf = (template: Template) => ofTemplates.told[template.id] ?? template;
  const take = (template: Template) =>
    submit({}, async () => {
      const { id, about: _about, ...bot } = template;
      // The service checks a file's content: here it is any object.
      const file: Readonly<Record<string, unknown>> = { ...bot, name: textsOf(template).name };
      setChosen(id);
      onMade((await call("POST /api/v1/bots/import", { body: { ...place, bot: { ...file } } })).bot);
    });
  const TakeButton = ({ template, isMain = false }: { readonly template: Template; readonly isMain?: boolean }) => (
    <Button
      label={words.useTemplate}
      size={isMain ? "m" : "s"}
      kind={isMain ? "primary" : "plain"}
      busy={isBusy && chosen === template.id}
      onPress={() => void take(template)}
      attributes={{ "aria-label": `${words.useTemplate}: ${textsOf(template).name}` }}
    />
  );
  const problem = error !== undefined && (
    <p class="app-field-error" role="alert">
      {error}
    </p>
  );
  if (tried) {
    return (
      <TryTemplate key={tried.id} template={tried} texts={textsOf(tried)} onBack={() => setTried(undefined)}>
        {problem}
        <TakeButton template={tried} isMain />
      </TryTemplate>
    );
  }
  return (
    <>
      {problem}
      {ofTemplates.inEnglish !== "" && <p class="templates-note">{ofTemplates.inEnglish}</p>}
      <ul class="templates">
        {templates.map((template) => {
          const { name, about } = textsOf(template);
          return (
            <li key={template.id} class="template">
              <div class="template-picture">
                <FlowPicture flow={template} />
              </div>
              <div class="template-words">
                <h3>
                  <span aria-hidden="true">{template.icon}</span> {name}
                </h3>
                <p>{about}</p>
                <div class="template-acts">
                  <TakeButton template={template} />
                  <Button
                    label={ofTemplates.try}
                    size="s"
                    kind="quiet"
                    icon="play"
                    onPress={() => setTried(template)}
                    attributes={{ "aria-label": ofTemplates.tryOne(name) }}
                  />
                </div>
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}
