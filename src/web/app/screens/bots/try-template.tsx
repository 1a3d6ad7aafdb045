import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Template } from "../../../../core/templates/index.ts";
import { call } from "../../api/index.ts";
import { PreviewFrame } from "../../preview/frame.tsx";
import { createRun } from "../../preview/run.ts";
import { previewServiceFor } from "../../preview/service.ts";
import { useChatAddress } from "../../session/service-pages.ts";
import { Banner, Button, Skeleton } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { templateWords } from "../../words/templates.ts";

export type TryTemplateProps = {
  readonly template: Template;
  readonly texts: { readonly name: string; readonly about: string };
  readonly onBack: () => void;
  /** How it is taken. */
  readonly children: ComponentChildren;
};

/** A template as visitors would meet it: nothing is made or kept, and nothing is called. */
export function TryTemplate({ template, texts, onBack, children }: TryTemplateProps) {
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

/** A flow that belongs to no bot yet, and leaves no trace. */
function serviceFor({ id, about: _about, icon: _icon, ...flow }: Template) {
  const ofBots = previewServiceFor(id);
  // The service checks what a flow says, and takes any id where it is given one.
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
