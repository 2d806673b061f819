// Okabe and Ito's colours with Tol's additions, which colour-blind people can distinguish on light and on dark.
const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b8a600', '#7a5ea8', '#44aa99', '#a2385f', '#8c6d46', '#6f8197'];

/** Hatch is a pattern over the colour of a job, so that more jobs look different. */
export type Hatch = 'plain' | 'lines' | 'dots';

const hatches: Hatch[] = ['plain', 'lines', 'dots'];

/**
 * Returns the colour of a job, the same everywhere. Neighbouring numbers differ. Many jobs share a colour, so the hatch
 * and the name distinguish them.
 */
export function jobColour(job: string): string {
  return colours[Number(job.slice(1)) % colours.length] ?? colours[0]!;
}

/** Returns the hatch of a job. Jobs of one colour have three in turn. */
export function jobHatch(job: string): Hatch {
  return hatches[Math.floor(Number(job.slice(1)) / colours.length) % hatches.length] ?? 'plain';
}

/** Returns black or white, whichever can be read on the colour. */
export function inkOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.18 ? '#000000' : '#ffffff';
}
