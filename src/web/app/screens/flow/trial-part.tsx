import { useState } from "preact/hooks";
import type { BlockType } from "../../forms/index.ts";
import type { RequestTrialProps } from "../../request-trial/index.tsx";
import { later, Skeleton } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { requestTrialWords } from "../../words/request-trial.ts";

const RequestTrial = later(async () => (await import("../../request-trial/index.tsx")).RequestTrial, <Skeleton />);

/** Below the form of a block that sends a request: it can be tried. The code for that loads when it is opened. */
export function TrialPart({ type, ...props }: RequestTrialProps & { readonly type: BlockType }) {
  const words = useWords(requestTrialWords);
  const [isOpen, setOpen] = useState(false);
  if (!type.schema.properties?.["options"]?.properties?.["webhook"]) return null;
  return (
    <details class="app-form-more" onToggle={(event) => event.currentTarget.open && setOpen(true)}>
      <summary>{words.title}</summary>
      {isOpen && <RequestTrial {...props} />}
    </details>
  );
}
