// Okabe and Ito's colours with Tol's additions: told apart by the colour-blind, on light and on dark.
const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b8a600', '#7a5ea8'];

/** The colour of a job, the same wherever it is shown. Neighbouring numbers differ; many jobs share a colour, so the name tells. */
export function jobColour(job: string): string {
  return colours[Number(job.slice(1)) % colours.length] ?? colours[0]!;
}
