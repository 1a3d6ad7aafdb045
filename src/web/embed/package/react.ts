import { type CSSProperties, createElement, type ReactElement, useEffect, useRef } from "react";
import { configure, loadParley, type ParleyOptions } from "./index.ts";

export type ParleyProps = ParleyOptions & {
  readonly className?: string;
  readonly style?: CSSProperties;
  /** Called if the service's script could not be loaded. */
  readonly onLoadError?: (error: unknown) => void;
};

function component(name: string): (props: ParleyProps) => ReactElement {
  return function Parley(props) {
    const { host, nonce, className, style, onLoadError } = props;
    const element = useRef<HTMLElement>(null);
    useEffect(() => {
      loadParley({ host, nonce }).catch(onLoadError ?? reportError);
    }, [host, nonce]);
    useEffect(() => {
      if (element.current) configure(element.current, props);
    });
    return createElement(name, { ref: element, className, style });
  };
}

/** A chat within the page. */
export const ParleyChat = component("parley-chat");
/** A button in the corner of the page, with a chat above the button. */
export const ParleyBubble = component("parley-bubble");
/** A chat in a dialog over the page. */
export const ParleyPopup = component("parley-popup");
