import { useState } from "preact/hooks";
import { ApiFailure, call } from "../api/index.ts";
import { instance } from "../session/session.ts";
import { Button, Form, TextField } from "../ui/index.ts";
import { useWords, type Words } from "../words/index.ts";
import { FieldProblem, sentenceOf, useSubmit } from "./submit.ts";
import "./sign-in-form.css";

export type SignInFormProps = {
  /** Called after the session cookie is set. `isNew` is true if the person has signed in for the first time. */
  readonly onSignedIn: (answer: { readonly isNew: boolean }) => Promise<void> | void;
};

/** The sign-in methods of this instance, the most likely one first. */
export function SignInForm({ onSignedIn }: SignInFormProps) {
  const words = useWords();
  const methods = instance.value?.signIn.methods ?? [];
  const hasEmail = methods.includes("email");
  const hasToken = methods.includes("token");
  const [isOther, setOther] = useState(false);
  if (instance.value && !hasEmail && !hasToken) return <p>{words.noMethods}</p>;
  return (
    <div class="app-sign-in-form">
      {hasEmail && !isOther ? <EmailForm onSignedIn={onSignedIn} /> : hasToken && <TokenForm onSignedIn={onSignedIn} />}
      {hasEmail && hasToken && (
        <Button
          label={isOther ? words.emailCodeText : words.otherWays}
          kind="quiet"
          onPress={() => setOther(!isOther)}
        />
      )}
    </div>
  );
}

function TokenForm({ onSignedIn }: SignInFormProps) {
  const words = useWords();
  const [token, setToken] = useState("");
  const { isBusy, error, send } = useAttempt();
  const submit = () =>
    send(token, words.tokenWrong, async () => {
      await call("POST /api/v1/sign-in/token", { body: { token: token.trim() } });
      setToken("");
      // A person with a token already has an account and is not asked for a name.
      await onSignedIn({ isNew: false });
    });
  return (
    <Form class="app-sign-in-fields" onSubmit={submit}>
      <TextField
        label={words.token}
        help={words.tokenHelp}
        error={error}
        type="password"
        isMono
        value={token}
        onInput={setToken}
        attributes={{ autocomplete: "off", spellcheck: false, name: "token" }}
      />
      <Button label={words.signIn} kind="primary" type="submit" busy={isBusy} />
    </Form>
  );
}

function EmailForm({ onSignedIn }: SignInFormProps) {
  const words = useWords();
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [isSent, setSent] = useState(false);
  const { isBusy, error, send, clear } = useAttempt();
  const ask = () =>
    send(email, undefined, async () => {
      await call("POST /api/v1/sign-in/email", { body: { email: email.trim() } });
      setSent(true);
    });
  const enter = () =>
    send(code, words.codeWrong, async () => {
      await onSignedIn(
        await call("POST /api/v1/sign-in/email-code", {
          body: { email: email.trim(), code: code.replaceAll(/\s/g, "") },
        }),
      );
    });
  if (!isSent) {
    return (
      <Form class="app-sign-in-fields" onSubmit={ask}>
        <TextField
          label={words.email}
          help={words.emailCodeText}
          error={error}
          type="email"
          value={email}
          onInput={setEmail}
          attributes={{ autocomplete: "email", autofocus: true, name: "email" }}
        />
        <Button label={words.sendCode} kind="primary" type="submit" busy={isBusy} />
      </Form>
    );
  }
  return (
    <Form class="app-sign-in-fields" onSubmit={enter}>
      <p role="status">{words.codeSent({ email: email.trim() })}</p>
      <TextField
        label={words.code}
        help={words.codeHelp}
        error={error}
        isMono
        value={code}
        onInput={setCode}
        attributes={{ autocomplete: "one-time-code", inputmode: "numeric", autofocus: true, name: "code" }}
      />
      <Button label={words.signIn} kind="primary" type="submit" busy={isBusy} />
      <Button
        label={words.otherEmail}
        kind="quiet"
        onPress={() => {
          clear();
          setCode("");
          setSent(false);
        }}
      />
    </Form>
  );
}

/** Returns a function that attempts to sign in, and the state of the attempt. A failure is shown at the field. */
function useAttempt() {
  const words = useWords();
  const { submit, ...state } = useSubmit();
  const send = (given: string, refusal: string | undefined, attempt: () => Promise<void>) =>
    submit({ given }, async () => {
      try {
        await attempt();
      } catch (cause) {
        if (!(cause instanceof ApiFailure)) throw cause;
        throw new FieldProblem("given", attemptSentence(cause, refusal, words));
      }
    });
  return { ...state, send };
}

function attemptSentence(failure: ApiFailure, refusal: string | undefined, words: Words): string {
  if (failure.status === 0) return words.offlineText;
  const isRefused = [400, 401, 403, 404, 410].includes(failure.status);
  return isRefused && refusal !== undefined ? refusal : sentenceOf(failure, words.tooManyTries);
}
