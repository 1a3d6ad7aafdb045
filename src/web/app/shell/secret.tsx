/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { announce, Banner, Button, TextField } from "../ui/index.ts";
import { useWords } from "../words/index.ts";

/** Something that is shown once, such as a token: to be copied now. */
export function Secret({ text, value }: { readonly text: string; readonly value: string }) {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    announce(words.copied);
  };
  return (
    <>
      <Banner tone="warning">{text}</Banner>
      <div class="app-secret">
        <TextField name={text} value={value} isReadOnly isMono />
        <Button icon={isCopied ? "check" : "copy"} onPress={() => void copy()}>
          {isCopied ? words.copied : words.copy}
        </Button>
      </div>
    </>
  );
}
