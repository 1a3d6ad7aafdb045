import { useComputed } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { OpenBot } from "../../editor/index.ts";
import type { TrialProps } from "../../forms/contract.ts";
import type { BlockType, FormContext } from "../../forms/index.ts";
import { cellsOf } from "../../forms/layout/cells.ts";
import type { RequestTrialProps } from "../../request-trial/index.tsx";
import { later, Skeleton } from "../../ui/index.ts";
import inputCheckWords from "../../words/en/input-check.json";
import requestTrialWords from "../../words/en/request-trial.json";
import { useWords } from "../../words/index.ts";

const load = async () => (await import("../../request-trial/index.tsx")).RequestTrial;
const RequestTrial = later(load, <Skeleton />);
/** In a form, the trial has no placeholder while it is loading, because the author may already be typing. */
const TrialInForm = later(load);

const InputCheck = later(async () => (await import("./input-check.tsx")).InputCheck, <Skeleton />);

/**
 * Returns the trial component of a block for the layout of its form. The component keeps its response while the block
 * is edited.
 */
export function useTrial(bot: OpenBot, blockId: string, context: FormContext): FunctionComponent<TrialProps> {
  const latest = useRef(context);
  latest.current = context;
  return useMemo(
    () =>
      function Trial({ asked, isMail }) {
        const block = useComputed(() => bot.editor.store.block(blockId).value?.block).value;
        const { title } = useWords(requestTrialWords);
        if (!block) return null;
        const trial = <TrialInForm {...{ bot, blockId, block, asked, isMail }} context={latest.current} />;
        // A form with its own send button shows the trial without a title.
        if (asked !== undefined) return trial;
        return (
          <div class="app-form-trial">
            {!isMail && <p>{title}</p>}
            {trial}
          </div>
        );
      },
    [bot, blockId],
  );
}

/**
 * Returns the component that checks a reply to an input, for the layout of the input's form. Its code is loaded when
 * the check is opened.
 */
export function useCheck(bot: OpenBot, blockId: string): FunctionComponent {
  return useMemo(
    () =>
      function Check() {
        const { title } = useWords(inputCheckWords);
        const [isOpen, setOpen] = useState(false);
        return (
          <details class="app-form-more" onToggle={(event) => event.currentTarget.open && setOpen(true)}>
            <summary>{title}</summary>
            {isOpen && <InputCheck bot={bot} blockId={blockId} />}
          </details>
        );
      },
    [bot, blockId],
  );
}

/** Whether the form of a type contains the trial. */
export function hasTrial({ editor }: BlockType): boolean {
  return cellsOf(editor.form ?? []).some(({ widget }) => widget === "trial" || widget === "sendOne");
}

/** The trial of a block's request, below the form of the block. Its code is loaded when the trial is opened. */
export function TrialPart({ type, ...props }: RequestTrialProps & { readonly type: BlockType }) {
  const words = useWords(requestTrialWords);
  const [isOpen, setOpen] = useState(false);
  if (!type.callsOut) return null;
  return (
    <details class="app-form-more" onToggle={(event) => event.currentTarget.open && setOpen(true)}>
      <summary>{words.title}</summary>
      {isOpen && <RequestTrial {...props} />}
    </details>
  );
}
