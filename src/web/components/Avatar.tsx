/** @jsxImportSource preact */
import { pictureSource } from "./inputs/parts/picture-source.ts";

/**
 * A round avatar next to bubbles: a picture, an emoji, or the default avatar if the address is neither. The avatar is
 * decorative and hidden from screen readers.
 */
export function Avatar({ address }: { readonly address: string }) {
  const source = /^\s*(<svg|https?:|data:image\/|\/\/)/i.test(address) ? pictureSource(address) : undefined;
  return (
    <div class="avatar" aria-hidden="true">
      {source !== undefined ? (
        <img src={source} alt="" decoding="async" />
      ) : address.trim() !== "" && !address.includes(":") ? (
        <span class="avatar-emoji">{address}</span>
      ) : (
        <svg viewBox="0 0 40 40" class="avatar-default" aria-hidden="true">
          <path d="M12 11h16a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4h-7l-6 5v-5h-3a4 4 0 0 1-4-4v-8a4 4 0 0 1 4-4Zm3 6.3a1.7 1.7 0 1 0 .01 0Zm5 0a1.7 1.7 0 1 0 .01 0Zm5 0a1.7 1.7 0 1 0 .01 0Z" />
        </svg>
      )}
    </div>
  );
}
