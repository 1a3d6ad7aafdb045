/** @jsxImportSource preact */
import { useRef, useState } from "preact/hooks";
import { Button } from "../../ui/index.ts";
import { formWords } from "../../words/forms.ts";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFormRoot } from "../form-root.ts";
import { textOf } from "../values.ts";
import { Written } from "./text.tsx";

/** The address of a picture, a film or a sound, written or uploaded; pictures are shown. */
export function Media(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const file = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { upload } = context;
  const { holds = "image" } = props.schema;
  const address = textOf(props.value);
  const send = async (chosen: File | undefined) => {
    if (!chosen || !upload) return;
    setBusy(true);
    setFailure(undefined);
    try {
      props.set(await upload(chosen));
    } catch (cause) {
      setFailure(words.uploadFailed(cause instanceof Error ? cause.message : String(cause)));
    } finally {
      setBusy(false);
    }
  };
  const below = (
    <>
      {holds === "image" && isAddress(address) && <img class="app-form-picture" src={address} alt="" loading="lazy" />}
      {upload && !context.isReadOnly && (
        <div>
          <input
            ref={file}
            class="visually-hidden"
            type="file"
            tabIndex={-1}
            aria-hidden="true"
            accept={`${holds}/*`}
            onChange={(event) => {
              void send(event.currentTarget.files?.[0]);
              event.currentTarget.value = "";
            }}
          />
          <Button icon="upload" size="s" busy={isBusy} onPress={() => file.current?.click()}>
            {words.upload}
          </Button>
        </div>
      )}
    </>
  );
  return <Written {...props} kind="line" below={below} error={failure} />;
}

/** An address as it is: one with variables leads nowhere yet. */
function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s{}]+$/.test(text);
}
