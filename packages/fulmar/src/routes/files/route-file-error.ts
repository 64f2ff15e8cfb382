/** What is wrong with files of routes, with their paths below the folder. */
export class RouteFileError extends Error {
  readonly files: readonly string[];

  constructor(problem: string, files: readonly string[], options?: ErrorOptions) {
    super(`${files.join(' and ')}: ${problem.replace(/\.$/, '')}.`, options);
    this.name = 'RouteFileError';
    this.files = files;
  }
}
