import { useState } from "preact/hooks";
import { type Answer, call, refresh, useQuery } from "../../api/index.ts";
import { Part, Sections } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { useSubmit } from "../../page-parts/submit.ts";
import { Tokens } from "../../page-parts/tokens.tsx";
import type { ScreenProps } from "../../routing/screen.ts";
import { chooseLanguage, scheme, setScheme } from "../../session/preferences.ts";
import { me, setMe } from "../../session/session.ts";
import { allPages } from "../../session/workspaces.ts";
import { announce, Badge, Button, Segments, Select, Table, TextField, toast } from "../../ui/index.ts";
import { isLanguage, language, languageName, languages, timeText, useWords, whenText } from "../../words/index.ts";
import { accountSections } from "./sections.ts";

/** The account of who is signed in: profile, appearance, sign-ins, tokens. */
export default function Account({ params }: ScreenProps) {
  const words = useWords();
  const selected = params["section"] ?? "profile";
  return (
    <Sections title={words.account} sections={accountSections(words)} selected={selected} base="/account">
      {selected === "sign-ins" ? <SignIns /> : selected === "tokens" ? <Tokens workspaceId={undefined} /> : <Profile />}
    </Sections>
  );
}

function Profile() {
  const words = useWords();
  const [name, setName] = useState(me.value?.name ?? "");
  const { isBusy, error, submit } = useSubmit();
  const save = () =>
    submit({ name }, async () => {
      setMe((await call("PATCH /api/v1/users/me", { body: { name: name.trim() } })).user);
      announce(words.saved);
      toast(words.saved);
    });
  return (
    <>
      <Part title={words.profile}>
        <form
          class="app-part-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <TextField
            label={words.yourName}
            value={name}
            onInput={setName}
            error={error}
            attributes={{ autocomplete: "name" }}
          />
          <Button kind="primary" type="submit" busy={isBusy} isDisabled={name.trim() === me.value?.name}>
            {words.save}
          </Button>
        </form>
        <EmailAddress />
      </Part>
      <Part title={words.appearance} text={words.appearanceText}>
        <div class="app-part-form">
          <Segments
            label={words.appearance}
            value={scheme.value}
            options={[
              { value: "system", label: words.schemeSystem },
              { value: "light", label: words.schemeLight },
              { value: "dark", label: words.schemeDark },
            ]}
            onChange={setScheme}
          />
          <Select
            label={words.language}
            value={language.value}
            options={languages.map((value) => ({ value, label: languageName(value) }))}
            onChange={(tag) => {
              if (isLanguage(tag)) void chooseLanguage(tag);
            }}
          />
        </div>
      </Part>
    </>
  );
}

/** A new address counts once the code that was mailed there was entered. */
function EmailAddress() {
  const words = useWords();
  const [email, setEmail] = useState(me.value?.email ?? "");
  const [emailCode, setCode] = useState<string>();
  const { isBusy, error, submit } = useSubmit();
  const save = () =>
    submit({ email, ...(emailCode !== undefined && { emailCode }) }, async () => {
      const body = { email: email.trim(), ...(emailCode !== undefined && { emailCode: emailCode.trim() }) };
      const { user, isCodeSent } = await call("PATCH /api/v1/users/me", { body });
      setMe(user);
      setCode(isCodeSent ? "" : undefined);
      if (!isCodeSent) toast(words.saved);
    });
  return (
    <form
      class="app-part-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={words.email}
        help={words.emailHelp}
        type="email"
        value={email}
        onInput={setEmail}
        error={emailCode === undefined ? error : undefined}
        attributes={{ autocomplete: "email" }}
      />
      {emailCode !== undefined && (
        <TextField
          label={words.code}
          help={words.codeHelp}
          isMono
          value={emailCode}
          onInput={setCode}
          error={error}
          attributes={{ autocomplete: "one-time-code", inputmode: "numeric" }}
        />
      )}
      <Button type="submit" busy={isBusy} isDisabled={email.trim() === (me.value?.email ?? "")}>
        {words.save}
      </Button>
    </form>
  );
}

type SignIn = Answer<"GET /api/v1/users/me/sign-ins">["signIns"][number];

function SignIns() {
  const words = useWords();
  const query = useQuery("sign-ins", () =>
    allPages(async (cursor) => {
      const { signIns, nextCursor } = await call("GET /api/v1/users/me/sign-ins", { query: { limit: 100, cursor } });
      return { entries: signIns, nextCursor };
    }),
  );
  const end = async (signIns: readonly SignIn[]) => {
    for (const { id } of signIns) {
      await call("DELETE /api/v1/users/me/sign-ins/:signInId", { path: { signInId: id } });
    }
    toast(words.signInEnded);
    await refresh("sign-ins");
  };
  return (
    <QueryState query={query} onRetry={() => refresh("sign-ins")}>
      {(signIns) => {
        const others = signIns.filter(({ isCurrent }) => !isCurrent);
        return (
          <Part
            title={words.signIns}
            action={others.length > 1 && <Button onPress={() => void end(others)}>{words.endOthers}</Button>}
          >
            <Table
              label={words.signIns}
              rows={signIns}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: "browser",
                  label: words.name,
                  isMain: true,
                  cell: ({ browser, isCurrent, tokenName }) => (
                    <span class="app-cell">
                      <span class="app-cell-text">{browser}</span>
                      {isCurrent && <Badge tone="good">{words.thisBrowser}</Badge>}
                      {tokenName !== null && <Badge>{tokenName}</Badge>}
                    </span>
                  ),
                },
                {
                  id: "seen",
                  label: words.lastSeen,
                  from: "medium",
                  cell: ({ lastUsedAt }) => <span title={timeText(lastUsedAt)}>{whenText(lastUsedAt)}</span>,
                },
                {
                  id: "end",
                  label: words.endSignIn,
                  isHeadHidden: true,
                  align: "end",
                  cell: (signIn) =>
                    !signIn.isCurrent && (
                      <Button size="s" onPress={() => void end([signIn])}>
                        {words.endSignIn}
                      </Button>
                    ),
                },
              ]}
            />
          </Part>
        );
      }}
    </QueryState>
  );
}
