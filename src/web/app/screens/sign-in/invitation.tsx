import { useEffect, useState } from "preact/hooks";
import { ApiFailure, call } from "../../api/index.ts";
import { sentenceOf } from "../../page-parts/submit.ts";
import { loadMe, me } from "../../session/session.ts";
import { Banner, Button, Form, Skeleton, TextField } from "../../ui/index.ts";
import { useWords, type Words } from "../../words/index.ts";

export type InvitationProps = {
  /** The one-time code from the URL fragment. */
  readonly code: string;
  readonly onSignedIn: (answer: { readonly isNew: boolean }) => Promise<void>;
};

/** Accepts an invitation, either for the signed-in person or for a new person with the invited e-mail address. */
export function Invitation({ code, onSignedIn }: InvitationProps) {
  const words = useWords();
  const [isKnown, setKnown] = useState<boolean>();
  const [name, setName] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => {
    loadMe().then(setKnown, () => setKnown(false));
  }, []);
  if (isKnown === undefined) return <Skeleton rows={2} />;
  const accept = async () => {
    const given = isKnown ? (me.value?.name ?? "") : name.trim();
    if (given === "") {
      setError(words.required);
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      const { apiToken } = await call("POST /api/v1/invitations/accept", { body: { code, name: given } });
      // The service may already have set the session cookie in its response.
      if (apiToken && !(await loadMe())) await call("POST /api/v1/sign-in/token", { body: { token: apiToken.token } });
      await onSignedIn({ isNew: false });
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setError(refusalOf(cause, words));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form class="app-sign-in-fields" onSubmit={accept}>
      <p>{words.invitationText}</p>
      {!isKnown && (
        <TextField
          label={words.yourName}
          value={name}
          onInput={setName}
          attributes={{ autocomplete: "name", autofocus: true }}
        />
      )}
      {error !== undefined && <Banner text={error} tone="warning" isAlert />}
      <Button label={words.acceptInvitation} kind="primary" type="submit" busy={isBusy} />
    </Form>
  );
}

function refusalOf(failure: ApiFailure, words: Words): string {
  switch (failure.code) {
    case "invitation.not_found":
      return words.invitationGone;
    case "invitation.other_address":
      return words.invitationOther;
    default:
      return failure.status === 401 ? words.invitationOther : sentenceOf(failure, words.tooManyTries);
  }
}
