import { useEffect, useRef } from "preact/hooks";
import { frameAttributes, useFramePort } from "../../preview/frame-port.ts";
import type { Hear } from "./talk.ts";

export type SiteFrameProps = {
  /** The text that is copied, exactly. */
  readonly snippet: string;
  readonly hear: Hear;
  readonly chatAddress: string;
  readonly title: string;
};

/** A page of somebody's with the snippet in it: the elements that every site gets from this service, in a sandbox. Their chats are answered here. */
export function SiteFrame({ snippet, hear, chatAddress, title }: SiteFrameProps) {
  const element = useRef<HTMLIFrameElement>(null);
  const tell = useFramePort(element, {
    address: `${chatAddress}/assets/preview/site`,
    number: 0,
    onOpen: (speak) => speak({ kind: "embed", snippet, isOpen: true }),
    hear,
  });
  useEffect(() => tell.current?.({ kind: "embed", snippet, isOpen: false }), [snippet]);
  return <iframe ref={element} class="preview-frame" title={title} {...frameAttributes} />;
}
