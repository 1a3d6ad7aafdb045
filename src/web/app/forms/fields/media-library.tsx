import { useEffect, useState } from "preact/hooks";
import { toast } from "../../ui/index.ts";
import { Picker } from "../../ui/picker.tsx";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { LibraryFile } from "../contract.ts";

export type MediaLibraryProps = {
  readonly holds: "image" | "video" | "audio";
  readonly load: () => Promise<readonly LibraryFile[]>;
  readonly onPick: (address: string) => void;
  readonly onClose: () => void;
};

const icons = { image: "image", video: "film", audio: "music" } as const;

/** Lists the workspace's files of a kind, from which the author chooses one. */
export function MediaLibrary({ holds, load, onPick, onClose }: MediaLibraryProps) {
  const { library: words } = useWords(formWords);
  const [files, setFiles] = useState<readonly LibraryFile[]>();
  useEffect(() => {
    let isLeft = false;
    load().then(
      (found) => !isLeft && setFiles(found.filter(({ type }) => type.startsWith(`${holds}/`))),
      (error: unknown) => {
        if (isLeft) return;
        toast(error instanceof Error ? error.message : String(error));
        onClose();
      },
    );
    return () => {
      isLeft = true;
    };
  }, []);
  if (!files) return null;
  return (
    <Picker
      title={words[holds]}
      label={words.search}
      choices={files.map(({ id, name, url }) => ({
        value: id,
        label: name,
        ...(holds === "image" ? { picture: url } : { icon: icons[holds] }),
      }))}
      onPick={(id) => {
        const picked = files.find((file) => file.id === id);
        if (picked) onPick(picked.url);
      }}
      onClose={onClose}
    />
  );
}
