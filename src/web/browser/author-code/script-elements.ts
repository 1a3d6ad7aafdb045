/** Runs code in the page. Policies forbid `eval`, so the code runs in a script element with the page's nonce. */
export function runInline(code: string, nonce: string): void {
  const script = document.createElement("script");
  script.nonce = nonce;
  script.textContent = code;
  document.head.append(script);
  script.remove();
}

/** Loads a script from another server, without waiting for it. */
export function loadScript(source: string, nonce: string): void {
  const script = document.createElement("script");
  script.async = true;
  script.nonce = nonce;
  script.src = source;
  document.head.append(script);
}
