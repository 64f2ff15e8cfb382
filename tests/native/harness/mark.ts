/** What begins each line of a child that is meant for its parent, among whatever else programs write. */

export const MARK = '\u0001case ';
