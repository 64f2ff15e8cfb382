/** The interpreter of the environment, where it was made. */
export function pythonOfTests(): string | undefined;
