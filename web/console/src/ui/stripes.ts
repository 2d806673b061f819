/**
 * Draws upright stripes over a rectangle by one stroke, whatever its width. dashes are the widths of a stripe and of
 * the gap after it.
 */
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
