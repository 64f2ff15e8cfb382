/** The committed jar. */
export const jarFile: string;
/** Of the `javac` that it is made with. */
export const JAVAC_MAJOR: number;
/** Undefined: there is no `javac`. */
export function javacMajor(): number | undefined;
/** The jar that the sources give. */
export function makeJar(): Uint8Array;
