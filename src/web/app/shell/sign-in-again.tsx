/** @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { refresh } from "../api/index.ts";
import { Dialog, toast } from "../ui/index.ts";
import { useWords } from "../words/index.ts";
import { go } from "./router.ts";
import { instance, loadInstance, noteSignIn } from "./session.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Asks above the page to sign in again. What is on the page stays as it is, unless somebody else signs in. */
export function SignInAgain() {
  const words = useWords();
  useEffect(() => {
    if (!instance.peek()) void loadInstance().catch(() => {});
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
