/** @jsxImportSource preact */
import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { BlockType } from "../../forms/index.ts";
import type { RequestTrialProps } from "../../request-trial/index.tsx";
import { Skeleton } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { requestTrialWords } from "../../words/request-trial.ts";

let known: ComponentType<RequestTrialProps> | undefined;

/** Below the form of a block that sends a request: it can be tried. What that takes is loaded when it is opened. */
export function TrialPart({ type, ...props }: RequestTrialProps & { readonly type: BlockType }) {
  const words = useWords(requestTrialWords);
  const [Trial, setTrial] = useState<ComponentType<RequestTrialProps> | undefined>(() => known);
  const [isOpen, setOpen] = useState(false);
  if (!type.schema.properties?.["options"]?.properties?.["webhook"]) return null;
  const open = async (): Promise<void> => {
    setOpen(true);
    const { RequestTrial } = await import("../../request-trial/index.tsx");
    known = RequestTrial;
    setTrial(() => RequestTrial);
  };
  return (
    <details class="app-form-more" onToggle={(event) => event.currentTarget.open && void open()}>
      <summary>{words.title}</summary>
      {isOpen && (Trial ? <Trial {...props} /> : <Skeleton />)}
    </details>
  );
}
