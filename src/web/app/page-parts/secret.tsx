import { useState } from "preact/hooks";
import { addressOf } from "../routing/router.ts";
import { announce, Banner, Button, Dialog, TextField } from "../ui/index.ts";
import { useWords } from "../words/index.ts";

/** A value that is shown only once, such as a token, with a copy button. */
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
      <Banner text={text} tone="warning" />
      <div class="app-secret">
        <TextField name={text} value={value} isReadOnly isMono />
        <Button
          label={isCopied ? words.copied : words.copy}
          icon={isCopied ? "check" : "copy"}
          onPress={() => void copy()}
        />
      </div>
    </>
  );
}

/** Returns the link that accepts an invitation. The code is in the fragment, which browsers do not send to servers. */
export function invitationLink(code: string): string {
  return `${location.origin}${addressOf("/invitations")}#${code}`;
}

type SecretDialogProps = {
  readonly title: string;
  readonly text: string;
  readonly value: string;
  readonly onClose: () => void;
};

/** Shows a new secret in a dialog that a click outside does not close. */
export function SecretDialog({ title, text, value, onClose }: SecretDialogProps) {
  const words = useWords();
  return (
    <Dialog
      title={title}
      isDismissable={false}
      onClose={onClose}
      actions={<Button label={words.done} kind="primary" onPress={onClose} />}
    >
      <Secret text={text} value={value} />
    </Dialog>
  );
}
