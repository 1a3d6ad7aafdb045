import { ConfigSchema } from "../../src/config.ts";
import { credentialsKinds } from "../../src/core/credentials/index.ts";
import { rules } from "../../src/core/lint/rules.ts";
import { errorCatalogue } from "../../src/errors.ts";
import { readText } from "./tidy/project.ts";

/** Returns the generated pages of `docs/` by their paths in the checkout. */
export function referenceDocs(): Record<string, string> {
  return {
    "docs/settings.md": settingsPage(),
    "docs/errors.md": errorsPage(),
    "docs/lint.md": lintPage(),
    "docs/credentials.md": withTable(readText("docs/credentials.md"), credentialsTable()),
  };
}

/** Replaces the generated table of a page. */
function withTable(page: string, table: string): string {
  const written = page.replace(
    /(<!-- `npm run docs` writes [^\n]*-->\n).*?(\n<!-- The end of the table. -->)/s,
    (_, begin, end) => [begin, table, end].join("\n"),
  );
  if (!written.includes(table)) throw new Error("The page has no place for the table");
  return written;
}

function credentialsTable(): string {
  const rows = [...credentialsKinds.values()].map(({ type, name, summary, page }) => {
    const more = page === "credentials.md" ? "below" : `[${page.replace(".md", "")}](${page})`;
    return `| ${cell(name)} | \`${type}\` | ${cell(summary)} | ${more} |`;
  });
  return `| Service | \`type\` | For | More |\n| --- | --- | --- | --- |\n${rows.join("\n")}`;
}

function settingsPage(): string {
  const rows = Object.entries(ConfigSchema.properties).map(([name, schema]) => {
    const byDefault = schema["default"] === undefined || schema["default"] === "" ? "" : `\`${schema["default"]}\``;
    return `| \`${name}\` | ${byDefault} | ${cell(String(schema["description"]))} | ${cell(String(schema["expected"]))} |`;
  });
  return `# Settings

Every setting is an environment variable, and all are optional. If a value is wrong, the service does not start, and prints a sentence with the variable's name,
without its value. An empty variable counts as absent. \`parley doctor\` tests the settings. \`npm run docs\` writes this page from \`src/config.ts\`.

| Variable | Default | Meaning | Takes |
|---|---|---|---|
${rows.join("\n")}

[Rate limits](rate-limits.md) describes \`RATE_LIMITS\`. [Scaling](scaling.md#many-nodes) lists the settings that several nodes share.
`;
}

function errorsPage(): string {
  const rows = Object.entries(errorCatalogue).map(([code, error]) => {
    const after = "retryAfterSeconds" in error ? `${error.retryAfterSeconds} s` : "";
    return `| \`${code}\` | ${error.status} | ${cell(error.message)} | ${after} |`;
  });
  return `# Error codes

Every error of every endpoint has one shape:

\`\`\`json
{ "code": "bot.not_found", "status": 404, "message": "Bot not found.", "requestId": "…" }
\`\`\`

\`code\` never changes. \`message\` is for people and can change; authors of bots write some of these messages. Some errors have \`data\`, such as \`issues\` for an invalid request. \`requestId\` is the header \`X-Request-Id\`: use it to find the
request in the log. \`/docs\` lists the errors of each operation. \`npm run docs\` writes this page from \`src/errors.json\`.

If the last column has a time, the response has the header \`Retry-After\` (sometimes with a more exact time), and you can retry the same request,
with the same \`Idempotency-Key\`. If the last column is empty, a retry of the same request usually returns the same error.

A reply to a chat that has ended gets \`session.ended\`. If an existing client started the chat at \`/api/v1/typebots\`, a request with \`Origin\` gets a last
message instead of this error. A request without \`Origin\`, which comes from a relay, gets \`session.not_found\`; the relay then starts a new chat
([moving](moving.md#keep-your-clients)).

| Code | Status | Message | Again after |
|---|---|---|---|
${rows.join("\n")}
`;
}

function lintPage(): string {
  const sections = rules.map(
    ({ name, severity, about, advice, fix }) =>
      `## ${name}\n\n*${severity}* · ${about}\n\n**What to do.** ${advice}${fix ? `\n\n**Fix.** ${fix.about}` : ""}`,
  );
  return `# The linter

The linter reads a flow without running it, and reports faults and probable mistakes. When you publish a bot, the response contains the
findings as \`warnings\`. A finding contains the name of its rule (a heading below), a severity, the ids of the objects that it is about, a
sentence that describes the problem, and a sentence with the next step. \`isFixable\` is true if the builder can fix the problem without asking
you to choose; you can undo the fix.

- **error**: every chat fails immediately, because the flow has no start, its start leads to no block, or an endless loop precedes its first question.
- **warning**: a probable mistake, such as an edge that leads nowhere. With \`all_blocks_skipped\` and \`always_breaks_off\`, no chat can succeed.
- **info**: a note about something that the author may have intended. If no chat can reach a block, warnings about the block become infos.

The rules judge a flow as the interpreter would run it. If a rule cannot decide (for example because a variable names the group, or a linked
bot writes the variable), it reports nothing. The linter can therefore miss a fault.

## Run it

\`POST /api/v1/bots/{botId}/lint\` checks a bot's draft, a publication (\`number\`) or a flow that you send (\`bot\`). \`parley lint\` checks a
bot or, without a service, a file. Its exit code is 1 if there are errors or, with \`--strict\`, warnings:

\`\`\`sh
PARLEY=\${PARLEY:-http://localhost:3000}; TOKEN=\${TOKEN:-$(cat .data/admin-token)}
BOT=\${BOT:?Set BOT to the id of a bot}
api() { curl -sS -H "Authorization: Bearer $TOKEN" "$@"; }
api "$PARLEY/api/v1/bots/$BOT/lint" --json '{}'
parley lint test/flows/nps.json --strict
parley lint "$BOT" --number 1 --json
\`\`\`

Parley refuses to publish a draft with errors (\`flow.broken\`) unless \`force\` is true; \`overruledRules\` then lists the overruled rules. You can
publish an earlier publication again, and promote a canary, even if the flow has errors.

## Ignore a rule

To ignore rules in a block, name the rules in the key \`lint\` next to the block's \`options\`. Only the linter reads this key. Exports and imports
contain the key; visitors never get it:

\`\`\`json
{ "id": "…", "type": "Condition", "lint": { "ignore": ["dead_end"] }, "items": [ … ] }
\`\`\`

\`npm run docs\` writes this page from \`src/core/lint/rules/\`.

${sections.join("\n\n")}
`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
