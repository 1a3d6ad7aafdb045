import { useRef, useState } from "preact/hooks";
import { IconButton } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { newEntryId } from "../fields/entry-ids.ts";
import { useFormRoot } from "../form-root.ts";
import { isObject } from "../values.ts";
import { Text } from "../widgets/text.tsx";
import type { CurlRefusal, CurlRequest } from "./read-curl.ts";

/** Renders the trial of the block's request, in the form of a single block. */
export function Trial() {
  const { context, asked, hasSend } = useFormRoot();
  const { Trial: OfBlock } = context;
  return OfBlock ? <OfBlock asked={hasSend ? asked.value : undefined} /> : null;
}

/** Renders the button that sends the block's e-mail to the author, in the form of a single block. */
export function SendOne() {
  const { Trial: OfBlock } = useFormRoot().context;
  return OfBlock ? <OfBlock isMail /> : null;
}

/** The button that sends the block's request. The trial of the form shows the response. */
export function Send() {
  const { context, asked } = useFormRoot();
  const words = useWords(formWords);
  return (
    <IconButton
      label={words.send}
      icon="send"
      kind="primary"
      class="app-form-send"
      isDisabled={context.isReadOnly}
      onPress={() => {
        asked.value++;
      }}
    />
  );
}

/** The URL field of a request. Pasting a curl command replaces the whole request in one undo step. */
export function CallAddress(props: WidgetProps) {
  const { context, onSet } = useFormRoot();
  const words = useWords(formWords);
  const [refusal, setRefusal] = useState<CurlRefusal | "offline">();
  const latest = useRef({ props, onSet });
  latest.current = { props, onSet };
  const fill = async (text: string): Promise<void> => {
    const read = await import("./read-curl.ts").then(
      ({ readCurl }) => readCurl(text),
      () => "offline" as const,
    );
    // Other people may have edited the block while the parser was loaded.
    const now = latest.current;
    const isRead = typeof read !== "string";
    setRefusal(isRead ? undefined : read);
    // If the parser cannot be loaded, the command becomes the text of the field.
    if (read === "offline") now.props.set(text.trim());
    if (isRead) now.onSet(["options"], optionsWith(read, now.props.around[0]?.value));
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
      {refusal && <p class="app-field-error">{words.curl[refusal]}</p>}
    </div>
  );
}

/** Returns the options of a block with the request of a curl command. */
function optionsWith({ body, headers, queryParams, ...rest }: CurlRequest, block: unknown): object {
  const options = isObject(block) && isObject(block["options"]) ? block["options"] : {};
  const { headers: _, queryParams: __, body: ___, ...kept } = isObject(options["webhook"]) ? options["webhook"] : {};
  const named = (pairs: typeof headers) => pairs.map((pair) => ({ id: newEntryId(), ...pair }));
  return {
    ...options,
    webhook: {
      ...{ ...kept, ...rest },
      ...(headers.length > 0 && { headers: named(headers) }),
      ...(queryParams.length > 0 && { queryParams: named(queryParams) }),
      ...(body !== undefined && { body }),
    },
    isCustomBody: body !== undefined,
  };
}
