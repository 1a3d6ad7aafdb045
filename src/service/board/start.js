// The board's page: asks for the token, keeps it in a variable of this page, and sends it with each call of the board.
// Then it starts Bull Board's own page, which knows nothing of tokens.
(() => {
  const apiPath = "/admin/queues/api/";
  const refusedKey = "parley-board-refused";
  const sentences = {
    401: "This token is unknown, expired or revoked.",
    403: "This token may not open the job board. It needs the scope admin and an administrator of the instance.",
    429: "Too many tries. Wait a moment, then try again.",
    offline: "The service does not answer. Check the connection, then try again.",
    other: "The service cannot open the board at the moment. Try again later.",
  };

  const gate = document.getElementById("gate");
  const form = document.getElementById("token-form");
  const field = document.getElementById("token");
  const show = document.getElementById("show");
  const problem = document.getElementById("problem");
  const button = document.getElementById("open");
  const notice = document.getElementById("notice");
  const noticeMs = 8_000;
  let noticeTimer;

  // A token that was refused while the board was open: the page began anew and says why it asks again.
  const refused = sessionStorage.getItem(refusedKey);
  sessionStorage.removeItem(refusedKey);
  if (refused) say(sentences[refused] ?? sentences.other);

  gate.hidden = false;
  field.focus();

  show.addEventListener("click", () => {
    const isShown = field.type === "password";
    field.type = isShown ? "text" : "password";
    show.setAttribute("aria-pressed", String(isShown));
    field.focus();
  });

  field.addEventListener("input", () => say(""));

  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    field.value = "";
    say("");
    field.focus();
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const token = field.value.trim();
    if (token === "") return refuse("Enter a token.");
    // What no header can carry is no token.
    if (!/^[\x20-\x7e]+$/.test(token)) return refuse(sentences[401]);
    setBusy(true);
    const sentence = await check(token);
    setBusy(false);
    if (sentence !== undefined) return refuse(sentence);
    field.value = "";
    openBoard(token);
  });

  /** What is wrong with the token, or undefined when it opens the board. */
  async function check(token) {
    try {
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${apiPath}queues`, { headers, credentials: "omit", cache: "no-store" });
      if (response.ok) return undefined;
      return sentences[response.status] ?? sentences.other;
    } catch {
      return sentences.offline;
    }
  }

  function setBusy(isBusy) {
    button.disabled = isBusy;
    button.textContent = isBusy ? "Opening …" : "Open";
    form.setAttribute("aria-busy", String(isBusy));
  }

  function refuse(sentence) {
    say(sentence);
    field.focus();
    field.select();
  }

  function say(sentence) {
    problem.textContent = sentence;
    if (sentence === "") field.removeAttribute("aria-invalid");
    else field.setAttribute("aria-invalid", "true");
  }

  function openBoard(token) {
    sendWithCalls(token);
    gate.remove();
    const { styles, scripts } = JSON.parse(document.getElementById("board-files").textContent);
    for (const href of styles) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    }
    for (const src of scripts) {
      // Scripts that are added run when they arrive, unless they say otherwise; these need their order.
      document.body.append(Object.assign(document.createElement("script"), { src, async: false }));
    }
  }

  /** Bull Board calls by XMLHttpRequest; only its own API is sent the token. */
  function sendWithCalls(token) {
    const open = XMLHttpRequest.prototype.open;
    XMLHttpRequest.prototype.open = function (method, address, ...rest) {
      open.call(this, method, address, ...(rest.length === 0 ? [true] : rest));
      const url = new URL(address, document.baseURI);
      if (url.origin !== location.origin || !url.pathname.startsWith(apiPath)) return;
      this.setRequestHeader("Authorization", `Bearer ${token}`);
      this.addEventListener("load", () => {
        if (this.status === 401 || this.status === 403) askAgain(this.status);
        else if (this.status >= 400) notify(this.responseText);
      });
    };
  }

  /** Shows for a while why something could not be done: Bull Board only looks for another shape of errors. */
  function notify(answer) {
    notice.textContent = messageOf(answer) ?? sentences.other;
    clearTimeout(noticeTimer);
    noticeTimer = setTimeout(() => {
      notice.textContent = "";
    }, noticeMs);
  }

  function messageOf(answer) {
    try {
      return JSON.parse(answer).message;
    } catch {
      return undefined;
    }
  }

  function askAgain(status) {
    sessionStorage.setItem(refusedKey, String(status));
    location.reload();
  }
})();
