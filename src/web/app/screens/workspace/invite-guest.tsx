import { useState } from "preact/hooks";
import { call } from "../../api/index.ts";
import { NameDialog } from "../../page-parts/form-dialog.tsx";
import { invitationLink, SecretDialog } from "../../page-parts/secret.tsx";
import { Select, toast } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { workspaceWords } from "../../words/workspace.ts";

type InviteProps = {
  readonly bot: { readonly id: string; readonly name: string };
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
};

/** Lets somebody see one bot; who has no account yet gets a link. */
export function InviteGuest({ bot, onDone, onClose }: InviteProps) {
  const words = useWords(workspaceWords);
  const [type, setType] = useState<"READ" | "WRITE">("READ");
  const [code, setCode] = useState<string>();
  const invite = async (email: string) => {
    const body = { email, type };
    const { invitation } = await call("PUT /api/v1/bots/:botId/collaborators", { path: { botId: bot.id }, body });
    await onDone();
    if (invitation && invitation.code !== null) {
      setCode(invitation.code);
      return;
    }
    toast(invitation ? words.inviteMailed(email) : words.guestAdded(email));
    onClose();
  };
  if (code !== undefined) {
    return (
      <SecretDialog title={words.inviteGuest} text={words.inviteLink} value={invitationLink(code)} onClose={onClose} />
    );
  }
  return (
    <NameDialog
      title={words.inviteGuest}
      text={words.inviteText(bot.name)}
      label={words.email}
      type="email"
      action={words.inviteGuest}
      send={invite}
      onClose={onClose}
    >
      <Select
        label={words.may}
        value={type}
        options={[
          { value: "READ", label: words.mayRead },
          { value: "WRITE", label: words.mayWrite },
        ]}
        onChange={(value) => setType(value === "WRITE" ? "WRITE" : "READ")}
      />
    </NameDialog>
  );
}
