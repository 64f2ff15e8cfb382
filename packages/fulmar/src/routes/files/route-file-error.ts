/** What is wrong with files of routes, with their paths: below the folder, or from where the process runs. */
export class RouteFileError extends Error {
  readonly files: readonly string[];
  readonly #problem: string;

  constructor(problem: string, files: readonly string[], options?: ErrorOptions) {
    super(`${files.join(' and ')}: ${problem.replace(/\.$/, '')}.`, options);
    this.name = 'RouteFileError';
    this.files = files;
    this.#problem = problem;
  }

  /** The same, with the folder before the names of files. Virtual routes, whose names begin with a slash, have none. */
  within(folder: string): RouteFileError {
    const files = this.files.map((file) => (file.startsWith('/') ? file : `${folder}/${file}`));
    return new RouteFileError(this.#problem, files, { cause: this.cause });
  }
}
