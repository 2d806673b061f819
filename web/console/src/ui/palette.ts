// Okabe and Ito's colours with Tol's additions, which colour-blind people can distinguish on light and on dark.
const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b8a600', '#7a5ea8'];

/**
 * Returns the colour of a job, the same everywhere. Neighbouring numbers differ. Many jobs share a colour, so the name
 * distinguishes them.
 */
export function jobColour(job: string): string {
  return colours[Number(job.slice(1)) % colours.length] ?? colours[0]!;
}
