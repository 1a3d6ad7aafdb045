import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Template } from "../../../../core/templates/index.ts";
import { call } from "../../api/index.ts";
import { useSubmit } from "../../page-parts/submit.ts";
import { PreviewFrame } from "../../preview/frame.tsx";
import { createRun } from "../../preview/run.ts";
import { previewServiceFor } from "../../preview/service.ts";
import { useChatAddress } from "../../session/service-pages.ts";
import { Banner, Button, FieldError, Skeleton } from "../../ui/index.ts";
import templateWords from "../../words/en/template.json";
import { useWords } from "../../words/index.ts";
import { FlowPicture } from "./cards/flow-picture.tsx";
import type { PicturedTemplate } from "./cards/pictured-templates.ts";
import type { MakeProps } from "./make-props.ts";

type Described = Pick<Template, "name" | "about">;

/** The gallery of templates with pictures. A template can be previewed and copied. `first` is previewed immediately. */
export function Templates({ place, onMade, first }: MakeProps & { readonly first?: string | undefined }) {
  const words = useWords();
  const ofTemplates = useWords(templateWords);
  const [templates, setTemplates] = useState<readonly PicturedTemplate[]>();
  const [chosen, setChosen] = useState<string>();
  const [tried, setTried] = useState<Template>();
  const { isBusy, error, submit } = useSubmit();
  useEffect(() => {
    void import("./cards/pictured-templates.ts")
      .then(({ loadTemplates }) => loadTemplates())
      .then((loaded) => {
        setTemplates(loaded);
        setTried(loaded.find(({ template }) => template.id === first)?.template);
      });
  }, []);
  if (!templates) return <Skeleton />;
  // The templates themselves contain their English texts.
  const described: Readonly<Record<string, Described>> = ofTemplates.descriptions;
  const textsOf = (template: Template) => described[template.id] ?? template;
  const take = (template: Template) =>
    submit({}, async () => {
      const { id, about: _about, ...bot } = template;
      // The service validates the flow, so this type accepts any object.
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
  const problem = <FieldError error={error} />;
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
        {templates.map(({ template, picture }) => {
          const { name, about } = textsOf(template);
          return (
            <li key={template.id} class="template">
              <div class="template-picture">
                <FlowPicture picture={picture} />
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
                    attributes={{ "aria-label": ofTemplates.tryOne({ name }) }}
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

type TryTemplateProps = {
  readonly template: Template;
  readonly texts: { readonly name: string; readonly about: string };
  readonly onBack: () => void;
  /** The buttons that use the template. */
  readonly children: ComponentChildren;
};

/** Previews a template as visitors would see it, without creating a bot. */
function TryTemplate({ template, texts, onBack, children }: TryTemplateProps) {
  const words = useWords(templateWords);
  const chatAddress = useChatAddress();
  const run = useMemo(() => createRun(serviceFor(template)), [template]);
  useEffect(() => {
    void run.start({ startFrom: undefined, variables: {} });
  }, [run]);
  const shown = run.shown.value;
  const failure = run.failures.value.at(-1);
  return (
    <div class="template-tried">
      <div class="template-tried-words">
        <Button label={words.back} size="s" kind="quiet" icon="arrow-left" onPress={onBack} />
        <h3>
          <span aria-hidden="true">{template.icon}</span> {texts.name}
        </h3>
        <p>{texts.about}</p>
        {children}
      </div>
      <div class="template-tried-chat">
        {failure && <Banner text={failure.message} tone="danger" isAlert />}
        {shown && chatAddress !== undefined ? (
          <PreviewFrame shown={shown} hear={run.hear} chatAddress={chatAddress} title={words.frame} />
        ) : (
          !failure && <Skeleton rows={6} />
        )}
      </div>
    </div>
  );
}

/** Returns the preview service for a flow that belongs to no bot and is not stored. */
function serviceFor({ id, about: _about, icon: _icon, ...flow }: Template) {
  const ofBots = previewServiceFor(id);
  // The service validates the contents of a flow and accepts any id.
  const supplied: Readonly<Record<string, unknown>> = { ...flow, id, theme: {} };
  return {
    ...ofBots,
    start: (_: unknown, signal: AbortSignal) =>
      call("POST /api/v1/bots/:botId/preview/startChat", {
        path: { botId: id },
        body: { bot: { ...supplied } },
        signal,
      }),
    trace: async () => [],
  };
}
