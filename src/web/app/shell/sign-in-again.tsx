import { useEffect } from "preact/hooks";
import { refresh } from "../api/index.ts";
import { SignInForm } from "../page-parts/sign-in-form.tsx";
import { go } from "../routing/router.ts";
import { instance, loadInstance, noteSignIn } from "../session/session.ts";
import { forgetLeftBehind, leftBehind } from "../session/unsaved.ts";
import { Button, Dialog, toast } from "../ui/index.ts";
import { useWords } from "../words/index.ts";

/**
 * Asks the person to sign in again in a dialog above the page. The page keeps its content, unless a different person
 * signs in.
 */
export function SignInAgain() {
  const words = useWords();
  useEffect(() => {
    if (!instance.value) void loadInstance().catch(() => {});
  }, []);
  const goOn = async () => {
    if (await noteSignIn()) {
      await refresh("");
      return;
    }
    toast(words.otherPerson);
    go("/", { isReplacing: true });
  };
  return (
    <Dialog
      title={words.signInAgainTitle}
      text={words.signInAgainText}
      size="s"
      isDismissable={false}
      onClose={() => {}}
    >
      <SignInForm onSignedIn={goOn} />
    </Dialog>
  );
}

/**
 * Offers the previous person's unsaved work as a download. The work does not belong to the current person and is never
 * sent.
 */
export function LeftBehind() {
  const words = useWords();
  const left = leftBehind.value;
  return (
    <Dialog
      title={words.leftBehindTitle}
      text={words.leftBehindText}
      size="s"
      onClose={forgetLeftBehind}
      actions={<Button label={words.continue} kind="primary" onPress={forgetLeftBehind} />}
    >
      {left.map((unsaved) => (
        <Button
          label={words.downloadUnsaved({ name: unsaved.name })}
          key={unsaved.name}
          icon="download"
          onPress={() => unsaved.download()}
        />
      ))}
    </Dialog>
  );
}
