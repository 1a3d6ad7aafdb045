/**
 * Designs of imported bots in the style of real bots: a style sheet that makes the chat look like a messenger or a
 * brand, and head code that adds a bar above the chat, loads tags, or uses the element of the original page. Each style
 * sheet reserves space for the bar of its head code.
 */
export type MovedLook = {
  readonly name: string;
  readonly css: string;
  readonly headCode: string;
  /** The selector of the bar that the head code adds. Undefined if the head code adds no bar. */
  readonly bar?: string;
};

const next = "document.querySelector('#__next')";
const dots =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='20' height='20'%3E%3Ccircle cx='3' cy='3' r='1' fill='%23c8beb2'/%3E%3C/svg%3E";

/**
 * Returns a script that adds a bar. The script waits for the element around the chat, because the original page also
 * added this element late.
 */
function barOf(className: string, html: string, place = `n.insertBefore(h,n.firstChild)`): string {
  return `<script>
(function () {
  var tries = 0, timer = setInterval(function () {
    var n = ${next};
    if (!n && ++tries < 200) return;
    clearInterval(timer);
    if (!n || document.querySelector('.${className}')) return;
    var h = document.createElement('div');
    h.className = '${className}';
    h.innerHTML = ${JSON.stringify(html)};
    ${place};
  }, 50);
})();
</script>`;
}

const whatsapp = (ground: string, ink: string) => `<style>
.wa-header{position:fixed;top:0;left:0;right:0;height:60px;z-index:1000;display:flex;align-items:center;gap:12px;padding:0 16px;background:${ground};color:${ink};font-family:Segoe UI,Helvetica,Arial,sans-serif}
.wa-header .pic{width:40px;height:40px;border-radius:50%;background:#fff3;display:grid;place-items:center}
.wa-header .name{font-weight:600;font-size:16px;line-height:1.2}.wa-header .on{font-size:13px}
</style>
${barOf("wa-header", '<span class="pic">S</span><div><div class="name">Support</div><div class="on">online</div></div>')}`;

export const movedLooks: readonly MovedLook[] = [
  {
    name: "whatsapp",
    bar: ".wa-header",
    css: `/* WhatsApp */
.typebot-container { background-color: #efeae2; background-image: url("${dots}"); background-size: 20px }
.typebot-chat-view > .flex:first-child { padding-top: 76px !important }
.typebot-host-bubble { color: #111b21 !important; font-size: 14.5px }
.typebot-host-bubble > .bubble-typing { background: #ffffff !important; border: 0 !important; border-radius: 0 8px 8px 8px !important; box-shadow: 0 1px 1px rgba(11, 20, 26, .15) }
.typebot-guest-bubble { background-color: #d9fdd3 !important; color: #111b21 !important; border-radius: 8px 0 8px 8px !important }
.typebot-button { background-color: #00705a !important; color: #fff !important; border-radius: 24px !important; border: none }
.typebot-input { border-radius: 24px !important; background: #fff; color: #111b21 }
.bubble1, .bubble2, .bubble3 { background-color: #667781 !important }
[elementtiming="Bubble image"] { border-radius: 6px !important; max-width: 240px }
.lite-badge { display: none !important }`,
    headCode: whatsapp("#075e54", "#ffffff"),
  },
  {
    name: "whatsapp dark",
    bar: ".wa-header",
    css: `.typebot-container{background:#0b141a!important}
.typebot-chat-view>.flex:first-child{padding-top:80px}
.typebot-host-bubble>.bubble-typing{background-color:#202c33!important;border-radius:8px;border:none}
.typebot-host-bubble{color:#e9edef!important}.typebot-host-bubble a{color:#53bdeb!important}
.typebot-guest-bubble{background:#005c4b!important;color:#e9edef!important}
.typebot-input{background:#2a3942!important;color:#d1d7db!important;border:0!important}.text-input::placeholder{color:#aebac1!important}
.typebot-button{background:#00a884!important;color:#0b141a!important}
.bubble1,.bubble2,.bubble3{background:#8696a0!important;width:7px!important;height:7px!important}`,
    headCode: whatsapp("#202c33", "#e9edef"),
  },
  {
    name: "instagram",
    bar: ".ig-top",
    css: `@import url("https://fonts.example/css2?family=Inter&display=swap");
* { font-family: "Inter", -apple-system, sans-serif !important; }
.typebot-container { background: #ffffff !important; }
.typebot-host-bubble > .bubble-typing { background: #efefef !important; border-radius: 22px !important; border-color: transparent !important; }
.typebot-host-bubble { color: #000 !important; }
.typebot-guest-bubble { background: linear-gradient(135deg, #7638fa, #d3225e) !important; color: #fff !important; border-radius: 22px !important; }
.typebot-avatar-container { width: 28px; height: 28px; }
.typebot-button { background: #fff !important; color: #262626 !important; border: 1px solid #dbdbdb !important; border-radius: 22px !important; }
.typebot-button.secondary-button, .secondary-button { color: #262626 !important; }
.typebot-input { border: 1px solid #8e8e8e !important; border-radius: 22px !important; }`,
    headCode: `<meta name="theme-color" content="#ffffff">
<link rel="preconnect" href="https://fonts.example">
<style>.ig-top{position:sticky;top:0;z-index:20;height:56px;background:#fff;border-bottom:1px solid #dbdbdb;display:flex;align-items:center;justify-content:center;font-weight:700;color:#262626}</style>
${barOf("ig-top", "@studio", `n.insertAdjacentElement('afterbegin',h)`)}`,
  },
  {
    name: "telegram",
    bar: "#tg",
    css: `.typebot-container { background: linear-gradient(160deg, #dbe8c9, #a9cbb4) fixed !important }
.typebot-host-bubble { color: #000 !important; border-radius: 12px }
.typebot-host-bubble > .bubble-typing { background: #fff !important; border: none !important; border-radius: 12px 12px 12px 2px !important }
.typebot-host-bubble::after { content: ""; position: absolute; left: -6px; bottom: 0; border: 6px solid transparent; border-bottom-color: #fff; border-right-color: #fff }
.typebot-guest-bubble { background: #eeffde !important; color: #000 !important }
.guest-container { margin-top: 6px !important }
.typebot-button, .typebot-selectable { background: #3d6b4c !important; color: #fff !important; border-radius: 10px !important }`,
    headCode: `<script>window.addEventListener('load',function(){setTimeout(function(){var d=document.createElement('header');d.id='tg';d.textContent='Channel bot';
d.style.cssText='height:52px;line-height:52px;padding:0 16px;background:#3a6d99;color:#fff;font:600 16px/52px sans-serif;position:sticky;top:0;z-index:9';document.body.insertBefore(d,${next})},100)})</script>`,
  },
  {
    name: "messages",
    css: `.typebot-container { --mine: #0a66c9; background: #fff }
.typebot-host-bubble>.bubble-typing { background: #e9e9eb; border-radius: 18px 18px 18px 4px; border-width: 0 }
.typebot-host-bubble { color: #000!important; font-family: -apple-system, "SF Pro", sans-serif }
.typebot-guest-bubble { background: var(--mine)!important; color: #fff!important; border-radius: 18px 18px 4px 18px!important }
.typebot-avatar-container { display: none !important }
.typebot-input-container { max-width: 100% }
.typebot-button { background: var(--mine)!important; color: #fff!important; border-radius: 99px!important; text-transform: none }
.send-icon { fill: #fff }`,
    headCode: `<!-- Tags --><script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});})(window,document,'script','dataLayer','GTM-XXXX');</script>
<noscript><iframe src="https://tags.example/ns.html?id=GTM-XXXX" height="0" width="0" style="display:none;visibility:hidden"></iframe></noscript>
<script>!function(f){f.fbq=f.fbq||function(){(f.fbq.q=f.fbq.q||[]).push(arguments)}}(window);fbq('init','1');fbq('track','PageView');</script>
<noscript><img height="1" width="1" style="display:none" src="https://pixel.example/tr?id=1"/></noscript>`,
  },
  {
    name: "glass",
    bar: ".brand",
    css: `.typebot-container { background: linear-gradient(180deg, #0f2027, #203a43 60%, #2c5364) fixed !important; color: #fff }
.typebot-chat-view { max-width: 640px !important }
.typebot-chat-view > .flex:first-child { padding-top: 24px !important }
.typebot-host-bubble > .bubble-typing { background: rgba(255, 255, 255, 0.1) !important; backdrop-filter: blur(8px); border: 1px solid rgba(255, 255, 255, .25) !important; border-radius: 16px !important }
.typebot-host-bubble, .typebot-host-bubble * { color: #f5f7fa !important }
.typebot-guest-bubble { background: rgba(0, 180, 160, .95) !important; color: #04201c !important }
.typebot-button { background: #00b4a0 !important; color: #04201c !important; border: 1px solid rgba(255, 255, 255, .3) !important }
.typebot-input { background: rgba(255, 255, 255, .95) !important; color: #0f2027 !important }
.typebot-progress-bar-container { background: #ffffff33 } .typebot-progress-bar { background: #00b4a0 !important }`,
    headCode: `<style>.brand{padding:18px 0 6px;text-align:center;color:#fff;letter-spacing:.2em;font:600 14px sans-serif}</style>
<script>document.addEventListener("DOMContentLoaded",go);if(document.readyState!=="loading")go();
function go(){if(document.querySelector(".brand"))return;var b=document.createElement("div");b.className="brand";b.innerHTML="ACME CLINIC";${next}.prepend(b)}</script>`,
  },
  {
    name: "quiz",
    bar: ".step-bar",
    css: `.typebot-container { background: #fffaf3 !important }
.typebot-host-bubble > .bubble-typing { background: transparent !important; border: none !important; box-shadow: none !important }
.typebot-host-bubble { color: #2b2118 !important; font-size: 1.25rem; font-weight: 600; text-align: center }
.typebot-chat-chunk { justify-content: center }
.typebot-avatar-container { display: none }
.typebot-guest-bubble { background: #2b2118 !important; color: #fffaf3 !important }
.typebot-buttons-input, .typebot-buttons-input > * { width: 100% }
.typebot-button { width: 100% !important; padding: 16px !important; background: #b3401f !important; color: #fff !important; border-radius: 12px !important; box-shadow: 0 4px 0 #7d2a12 !important; font-weight: 700; animation: pulse 2s infinite }
@keyframes pulse { 50% { transform: scale(1.01) } }
@media (max-width: 480px) { .typebot-host-bubble { font-size: 1.1rem } }`,
    headCode: `<style>.step-bar{height:8px;background:#eadfce}.step-bar i{display:block;height:8px;width:30%;background:#b3401f}</style>
${barOf("step-bar", "<i></i>", "document.body.prepend(h)")}`,
  },
  {
    name: "former",
    bar: ".wa-header",
    css: `.typebot-host-bubble { background: #1e293b !important; color: #f1f5f9 !important; border: 1px solid #475569; border-radius: 4px 16px 16px 16px }
.typebot-guest-bubble { background: #fbbf24 !important; color: #1c1917 !important }
.typebot-container { background: #0f172a !important; color: #f1f5f9 }
.typebot-button { background: #fbbf24 !important; color: #1c1917 !important }
.typebot-chat-view > .flex:first-child { padding-top: 72px }`,
    headCode: whatsapp("#1e293b", "#f1f5f9"),
  },
  {
    name: "shop",
    bar: ".offer",
    css: `.typebot-container{background:#f4f1ff}.typebot-container::-webkit-scrollbar{width:0}
.typebot-host-bubble>.bubble-typing{background:#fff!important;border:2px solid #5b21b6!important;border-radius:0!important}
.typebot-host-bubble{color:#2e1065!important}.typebot-host-bubble .slate-bold{color:#9d174d!important}
.typebot-guest-bubble{background:#5b21b6!important;color:#fff!important;border-radius:0!important}
.typebot-selectable,.typebot-picture-button,.typebot-card{border-radius:0!important;border:2px solid #5b21b6!important}
.typebot-button{border-radius:0!important;background:#5b21b6!important;color:#fff!important;text-transform:uppercase}
.typebot-input{border-radius:0!important;border:2px solid #5b21b6!important}
#lite-badge,.lite-badge,a[href*="utm_source=litebadge"]{display:none!important}`,
    headCode: `<style>.offer{position:fixed;top:0;left:0;width:100%;height:40px;background:#9d174d;color:#fff;display:flex;align-items:center;justify-content:center;z-index:99999;font:600 14px sans-serif}#__next{padding-top:40px}</style>
<script>var left=899;setInterval(function(){var o=document.querySelector('.offer');if(!o){o=document.createElement('div');o.className='offer';document.body.appendChild(o)}o.textContent='Offer ends in '+Math.floor(left/60)+' min';left--},300)</script>`,
  },
  {
    name: "root",
    bar: ".verified",
    css: `.typebot-host-bubble > .bubble-typing { background: #ffffff !important; border-radius: 10px !important }
.typebot-host-bubble { color: #14213d !important }
.typebot-chat-view > .flex:first-child { padding-top: 12px }
.typebot-guest-bubble { background: #14213d !important; color: #fff !important }
.typebot-button { background: #14213d !important; color: #fff !important }`,
    headCode: `<script>
(function(){
  function style(){
    var el=document.querySelector('typebot-standard');
    if(!el||!el.shadowRoot)return setTimeout(style,50);
    var s=document.createElement('style');
    s.textContent='.typebot-container{background:#e5ecf6!important}.typebot-input{border:2px solid #14213d!important}';
    el.shadowRoot.appendChild(s);
    var view=el.shadowRoot.querySelector('.typebot-chat-view');
    if(view)view.setAttribute('data-styled','yes');
  }
  style();
  new MutationObserver(function(){
    var n=${next};
    if(!n||document.querySelector('.verified'))return;
    var h=document.createElement('div');h.className='verified';h.innerHTML='<b>Bank of Tea</b> · verified';
    h.style.cssText='background:#14213d;color:#fff;padding:14px 16px;font:15px sans-serif';
    n.insertBefore(h,n.firstChild);
  }).observe(document.documentElement,{childList:true,subtree:true});
})();
</script>`,
  },
];
