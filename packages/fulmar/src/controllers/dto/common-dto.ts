/**
 * `CommonDTO`: schemas that most applications need, with WynkJS's names and bounds.
 */
import { DTO } from './dto.ts';
import type { DtoOptions, TSchema } from './dto-types.ts';

const text =
  (keywords: DtoOptions) =>
  (options: DtoOptions = {}): TSchema<string> =>
    DTO.String({ ...keywords, ...options });

export const CommonDTO = {
  Name: text({ minLength: 2, maxLength: 50 }),
  Email: text({ format: 'email', error: 'Invalid email address' }),
  Password: text({ minLength: 6 }),
  UUID: text({ format: 'uuid' }),
  URL: text({ format: 'uri' }),
  DateString: text({ format: 'date-time' }),
  PhoneIN: text({ pattern: '^[6-9]{1}[0-9]{9}$', error: 'Invalid mobile number' }),
  ID: (options: DtoOptions = {}): TSchema<number> => DTO.Number({ minimum: 1, ...options }),
  Pagination: (): TSchema<{ page?: number; limit?: number }> =>
    DTO.Object({
      page: DTO.Optional(DTO.Number({ minimum: 1, default: 1 })),
      limit: DTO.Optional(DTO.Number({ minimum: 1, maximum: 100, default: 10 })),
    }),
  Sort: <const T extends string>(fields: readonly T[]): TSchema<{ sortBy?: T; sortOrder?: 'asc' | 'desc' }> =>
    DTO.Object({ sortBy: DTO.Optional(DTO.UnionEnum(fields)), sortOrder: DTO.Optional(DTO.UnionEnum(['asc', 'desc'])) }),
} as const;
