/** @jsxImportSource preact */
import { useEffect, useRef, useState } from "preact/hooks";
import { clockTime } from "../../clock.ts";

/** Shows the length and the level of a running recording. */
export function Recording({ stream }: { readonly stream: MediaStream }) {
  const seconds = useSeconds();
  return (
    <div class="recording">
      <span class="recording-dot" aria-hidden="true" />
      <span class="clock" role="timer">
        {clockTime(seconds)}
      </span>
      <Level stream={stream} />
    </div>
  );
}

/** Returns the seconds since this component was first drawn. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const startedAt = performance.now();
    const timer = setInterval(() => setSeconds((performance.now() - startedAt) / 1000), 250);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

/** Shows the loudness of the last seconds as a row of bars, or as a single bar with reduced motion. */
function Level({ stream }: { readonly stream: MediaStream }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const levels: number[] = [];
    const look = (): void => {
      analyser.getFloatTimeDomainData(samples);
      levels.push(loudness(samples));
      if (levels.length > mostLevels) levels.shift();
      if (canvas.current) draw(canvas.current, { levels, isStill });
    };
    const timer = setInterval(look, lookEveryMs);
    return () => {
      clearInterval(timer);
      context.close();
    };
  }, [stream]);
  return (
    <span class="recording-level" aria-hidden="true">
      <canvas ref={canvas} />
    </span>
  );
}

const lookEveryMs = 70;
/** The number of bars that fit into the widest field. */
const mostLevels = 200;

/** Returns a loudness from 0 to 1 on a logarithmic scale, on which silence is at -60 dB. */
function loudness(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return Math.min(1, Math.max(0, 1 + Math.log10(power + 1e-9) / 6));
}

type Drawing = { readonly levels: readonly number[]; readonly isStill: boolean };

function draw(canvas: HTMLCanvasElement, { levels, isStill }: Drawing): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  // Setting the size of a canvas clears it.
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  pen.scale(devicePixelRatio, devicePixelRatio);
  pen.fillStyle = getComputedStyle(canvas).color;
  if (isStill) {
    pen.fillRect(0, height / 2 - 2, width * (levels.at(-1) ?? 0), 4);
    return;
  }
  for (const [age, level] of levels.toReversed().entries()) {
    const barHeight = Math.max(2, level * height);
    pen.fillRect(width - (age + 1) * barStep, (height - barHeight) / 2, barStep - 2, barHeight);
  }
}

const barStep = 5;
