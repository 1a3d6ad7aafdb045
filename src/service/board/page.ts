import template from "@bull-board/ui/dist/index.ejs" with { type: "text" };

/** The settings of Bull Board's page. They contain no secrets, because the page itself requires no token. */
const config = {
  boardTitle: "Parley job board",
  favIcon: { default: "static/images/logo.svg", alternative: "static/favicon-32x32.png" },
  hideRedisDetails: true,
  miscLinks: [
    { text: "API documentation", url: "/docs" },
    { text: "Forget the token", url: "/admin/queues" },
  ],
};

/**
 * The board's page. It first asks for the token, and then loads Bull Board's own files. Bull Board's template provides
 * only the names of these files, because it also links an external font.
 */
export const boardPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<base href="/admin/queues/">
<title>${config.boardTitle}</title>
<link rel="icon" type="image/svg+xml" id="fav-logo" href="${config.favIcon.default}">
<link rel="stylesheet" href="/assets/board/style.css">
</head>
<body>
<noscript>The job board needs JavaScript.</noscript>
<main id="gate" hidden>
<form id="token-form" novalidate autocomplete="off">
<h1>Job board</h1>
<p>Queues and jobs of this instance.</p>
<label for="token">Administrator's API token</label>
<div class="field">
<input id="token" name="token" type="password" autocomplete="off" autocapitalize="none" spellcheck="false"
  aria-describedby="problem hint">
<button type="button" id="show" aria-pressed="false" aria-controls="token">Show</button>
</div>
<p id="problem" role="alert"></p>
<p id="hint">It is kept in this page only: nothing is stored, and a reload asks for it again.</p>
<button type="submit" id="open">Open</button>
</form>
</main>
<div id="root"></div>
<div id="notice" role="alert"></div>
<script id="__UI_CONFIG__" type="application/json">${inScript(config)}</script>
<script id="board-files" type="application/json">${inScript({
  styles: listFiles(/<link href="(static\/css\/[\w.-]+)"/g),
  scripts: listFiles(/<script [^>]*src="(static\/js\/[\w.-]+)"/g),
})}</script>
<script src="/assets/board/start.js" defer></script>
</body>
</html>
`;

function listFiles(pattern: RegExp): string[] {
  return [...template.matchAll(pattern)].map(([, path = ""]) => path);
}

/** Serializes a value as JSON that cannot close the surrounding script element. */
function inScript(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
