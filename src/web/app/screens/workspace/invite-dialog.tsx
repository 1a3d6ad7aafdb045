import { useState } from "preact/hooks";
import { NameDialog, type NameDialogProps } from "../../page-parts/form-dialog.tsx";
import { invitationLink, SecretDialog } from "../../page-parts/secret.tsx";
import { Select, type SelectOption, toast } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";

type InviteDialogProps<Right extends string> = Pick<NameDialogProps, "title" | "text" | "action" | "onClose"> & {
  /** The label of the select field, its options, and the initial option. */
  readonly label: string;
  readonly rights: readonly SelectOption<Right>[];
  readonly first: Right;
  readonly helpOf?: (right: Right) => string;
  /**
   * Invites a person. If the instance has no mail server, resolves to the code for the link. Otherwise, `said`
   * describes the outcome.
   */
  readonly invite: (email: string, right: Right) => Promise<{ readonly code: string | null; readonly said: string }>;
};

/** Invites a person by e-mail address. If the link could not be sent by e-mail, it is shown once. */
export function InviteDialog<Right extends string>({
  label,
  rights,
  first,
  helpOf,
  invite,
  ...rest
}: InviteDialogProps<Right>) {
  const words = useWords();
  const [right, setRight] = useState(first);
  const [link, setLink] = useState<string>();
  const send = async (email: string) => {
    const { code, said } = await invite(email, right);
    if (code !== null) return setLink(invitationLink(code));
    toast(said);
    rest.onClose();
  };
  if (link !== undefined) {
    return <SecretDialog title={rest.title} text={words.inviteCode} value={link} onClose={rest.onClose} />;
  }
  return (
    <NameDialog {...rest} label={words.email} type="email" send={send}>
      <Select label={label} help={helpOf?.(right)} value={right} options={rights} onChange={setRight} />
    </NameDialog>
  );
}
