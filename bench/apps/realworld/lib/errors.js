// Errors that the API answers with: a status and the spec's `{ errors: { field: [messages] } }`.
export class ApiError extends Error {
  constructor(status, errors) {
    super(`${status}: ${JSON.stringify(errors)}`);
    this.status = status;
    this.errors = errors;
  }
}

export const unauthorized = (message) => new ApiError(401, { token: [message] });
export const forbidden = (what) => new ApiError(403, { [what]: ['forbidden'] });
export const notFound = (what) => new ApiError(404, { [what]: ['not found'] });
export const invalid = (errors) => new ApiError(422, errors);
/** A value that must be unique and is in use. */
export const taken = (field) => invalid({ [field]: ['has already been taken'] });
