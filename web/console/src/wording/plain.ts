const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
// Characters that change the direction of writing can make a line look like another.
const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns text that is safe to show: without terminal escapes and without characters that change the look of other
 * text.
 */
export function plain(text: string): string {
  return text.replace(escapes, '').replace(/\r\n/g, '\n').replace(controls, '·').replace(directions, '·');
}
