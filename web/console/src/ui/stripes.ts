/** Draws upright stripes over a rectangle by one stroke, however wide it is; so wide is a stripe, and so far apart they are. */
export function stripes(to: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, colour: string, dashes: [stripe: number, gap: number]) {
  to.strokeStyle = colour;
  to.lineWidth = height;
  to.setLineDash(dashes);
  to.beginPath();
  to.moveTo(x, y + height / 2);
  to.lineTo(x + width, y + height / 2);
  to.stroke();
  to.setLineDash([]);
}
