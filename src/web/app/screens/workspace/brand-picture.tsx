import { useRef, useState } from "preact/hooks";
import { ApiFailure } from "../../api/index.ts";
import { upload } from "../../api/upload.ts";
import { sentenceOf } from "../../page-parts/submit.ts";
import { Button, Icon, TextField } from "../../ui/index.ts";
import brandWords from "../../words/en/brand.json";
import { useWords } from "../../words/index.ts";

type BrandPictureProps = {
  readonly workspaceId: string;
  readonly label: string;
  /** The background on which the picture is shown. */
  readonly ground: "light" | "dark";
  readonly value: string;
  readonly onChange: (address: string) => void;
};

/** A field for the URL of a picture, which is typed or comes from an upload. */
export function BrandPicture({ workspaceId, label, ground, value, onChange }: BrandPictureProps) {
  const words = useWords(brandWords);
  const shared = useWords();
  const chooser = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  // The other fields may be edited during an upload, so the latest callback is used.
  const take = useRef(onChange);
  take.current = onChange;
  const send = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    setError(undefined);
    try {
      const { workspaceFile } = await upload("POST /api/v1/workspaces/:workspaceId/files", {
        path: { workspaceId },
        query: { name: file.name.slice(-255) },
        file,
      });
      take.current(workspaceFile.url);
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setError(sentenceOf(cause, shared.tooManyTries));
    }
    setBusy(false);
  };
  const isAddress = /^https?:\/\//.test(value);
  return (
    <div class="brand-picture">
      <span class={`brand-picture-shown is-${ground}`} aria-hidden="true">
        <Icon name="image" size={20} />
        {isAddress && (
          <img
            key={value}
            src={value}
            alt=""
            referrerpolicy="no-referrer"
            onError={({ currentTarget }) => (currentTarget.hidden = true)}
          />
        )}
      </span>
      <TextField
        label={label}
        type="url"
        placeholder="https://"
        value={value}
        error={error ?? (value !== "" && !isAddress ? words.addressNeeded : undefined)}
        onInput={onChange}
      />
      <input
        ref={chooser}
        type="file"
        accept="image/*"
        hidden
        aria-hidden="true"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          void send(currentTarget.files?.[0]);
          currentTarget.value = "";
        }}
      />
      <Button
        label={words.upload}
        size="s"
        icon="upload"
        busy={isBusy}
        onPress={() => chooser.current?.click()}
        attributes={{ "aria-label": words.uploadFor({ name: label }) }}
      />
    </div>
  );
}
