import { useState } from "preact/hooks";
import { Button } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { newEntryId } from "../fields/entry-ids.ts";
import { useFormRoot } from "../form-root.ts";
import { isObject } from "../values.ts";
import { Text } from "../widgets/text.tsx";

/** Tries the block, where the form is that of one block of a flow. */
export function Trial() {
  const { context, asked, hasSend } = useFormRoot();
  const { Trial: OfBlock } = context;
  return OfBlock ? <OfBlock asked={hasSend ? asked.value : undefined} /> : null;
}

/** Sends the call of the block: the trial of the form shows the answer. */
export function Send() {
  const { context, asked } = useFormRoot();
  const words = useWords(formWords);
  return (
    <Button
      label={words.send}
      icon="send"
      kind="primary"
      isDisabled={context.isReadOnly}
      onPress={() => {
        asked.value++;
      }}
    />
  );
}

/** An address; a curl command that is pasted there fills the whole request, as one act. */
export function CallAddress(props: WidgetProps) {
  const { context, onSet } = useFormRoot();
  const words = useWords(formWords);
  const [isRefused, setRefused] = useState(false);
  const [block] = props.around;
  const fill = async (text: string): Promise<void> => {
    const request = (await import("./read-curl.ts")).readCurl(text);
    setRefused(!request);
    if (!request) return;
    const { body, headers, queryParams, ...rest } = request;
    const options = isObject(block?.value) && isObject(block.value["options"]) ? block.value["options"] : {};
    const { headers: _, queryParams: __, body: ___, ...kept } = isObject(options["webhook"]) ? options["webhook"] : {};
    const named = (pairs: typeof headers) => pairs.map((pair) => ({ id: newEntryId(), ...pair }));
    onSet(["options"], {
      ...options,
      webhook: {
        ...{ ...kept, ...rest },
        ...(headers.length > 0 && { headers: named(headers) }),
        ...(queryParams.length > 0 && { queryParams: named(queryParams) }),
        ...(body !== undefined && { body }),
      },
      isCustomBody: body !== undefined,
    });
  };
  return (
    <div
      onPaste={(event) => {
        const text = event.clipboardData?.getData("text/plain") ?? "";
        if (context.isReadOnly || !/^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text)) return;
        event.preventDefault();
        void fill(text);
      }}
    >
      <Text {...props} />
      {isRefused && <p class="app-field-error">{words.curlWithoutAddress}</p>}
    </div>
  );
}
