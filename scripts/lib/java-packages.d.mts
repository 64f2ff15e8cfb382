/** Paths of jars by the names of libraries, where they were fetched. */
export function javaLibrariesOfTests(): Readonly<Record<string, string>> | undefined;
