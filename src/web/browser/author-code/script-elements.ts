/** Runs code in the page, in a script element with the page's nonce: policies forbid `eval`. */
export function runInline(code: string, nonce: string): void {
  const script = document.createElement("script");
  script.nonce = nonce;
  script.textContent = code;
  document.head.append(script);
  script.remove();
}

/** Loads a script from another server. The chat does not wait for it. */
export function loadScript(source: string, nonce: string): void {
  const script = document.createElement("script");
  script.async = true;
  script.nonce = nonce;
  script.src = source;
  document.head.append(script);
}
