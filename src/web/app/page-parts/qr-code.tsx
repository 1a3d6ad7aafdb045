import { encode } from "uqr";
import { Button } from "../ui/index.ts";
import shareWords from "../words/en/share.json";
import { useWords } from "../words/index.ts";
import { saveFile } from "./save-and-copy.ts";
import "./qr-code.css";

/** A QR code, dark on light in both colour schemes, because cameras require this. */
export function QrCode({ text, fileName }: { readonly text: string; readonly fileName: string }) {
  const words = useWords(shareWords);
  const { data, size } = encode(text, { border: 3 });
  const path = pathOf(data);
  const save = () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
    saveFile(new Blob([svg], { type: "image/svg+xml" }), fileName);
  };
  return (
    <div class="qr-code">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`${words.qr}: ${text}`} shape-rendering="crispEdges">
        <path class="qr-code-ground" d={`M0 0h${size}v${size}H0z`} />
        <path class="qr-code-ink" d={path} />
      </svg>
      <div>
        <p>{words.qrText}</p>
        <Button label={words.saveQr} size="s" icon="download" onPress={save} />
      </div>
    </div>
  );
}

/** Returns an SVG path with a square for each dark cell. Adjacent cells in a row are joined. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((cells, y) =>
      cells.flatMap((isDark, x) => {
        if (!isDark || cells[x - 1]) return [];
        const end = cells.indexOf(false, x);
        const width = (end < 0 ? cells.length : end) - x;
        return [`M${x} ${y}h${width}v1h-${width}z`];
      }),
    )
    .join("");
}
