/** What a call failed with: told by the server, or what became of the request. Never what a server hides. */

export interface ErrorParts<Type, Data> {
  readonly type: Type;
  /** 0: no reply came. */
  readonly status: number;
  readonly message: string;
  readonly data?: Data;
  /** Stands in the server's log as well. */
  readonly id?: string | undefined;
  readonly issues?: readonly ClientIssue[] | undefined;
  readonly cause?: unknown;
}

/** A parameter that does not fit: the first step of the path is its number. */
export interface ClientIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
}

export class ClientError<Type extends string = string, Data = unknown> extends Error {
  readonly type: Type;
  readonly status: number;
  readonly data: Data;
  readonly id: string | undefined;
  readonly issues: readonly ClientIssue[];

  constructor({ type, status, message, data, id, issues = [], cause }: ErrorParts<Type, Data>) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ClientError';
    this.type = type;
    this.status = status;
    this.data = data as Data;
    this.id = id;
    this.issues = issues;
  }
}
