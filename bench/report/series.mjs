/**
 * How the series of a line chart are told apart: colour (a variable of the page), symbol on the line, and the
 * same symbol in the legend.
 */

const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down', 'triangle-left', 'triangle-right'];
const glyphs = ['●', '■', '▲', '◆', '✚', '▼', '◀', '▶'];

/** More lines than this cannot be told apart. */
export const seriesMax = shapes.length;

/** Vega's name of the symbol of the series at this place. */
export function seriesShape(at) {
  return shapes[at];
}

export function seriesGlyph(at) {
  return glyphs[at];
}

export function seriesColour(at) {
  return `var(--series-${at + 1})`;
}
