/** Lists page by page: what comes behind an id, and the id to go on with. Nothing is skipped or told twice while others add. */
import { ApiProperty, ApiPropertyOptional } from 'fulmar/controllers/openapi';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { ID_MAX } from './id.pipe.ts';

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;

export class PageQuery {
  @ApiPropertyOptional({ description: 'The `next` of the page before.', minimum: 0, default: 0 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(ID_MAX)
  after: number = 0;

  @ApiPropertyOptional({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(LIMIT_MAX)
  limit: number = LIMIT_DEFAULT;
}

export abstract class Page<T> {
  abstract items: T[];

  @ApiProperty({ type: 'integer', nullable: true, description: 'Where the next page begins; null: there is none.' })
  next: number | null;
}

/** `found` has one more than was asked for, where there is more. */
export function toPage<T extends { readonly id: number }, Shown>(found: readonly T[], limit: number, show: (one: T) => Shown): Page<Shown> {
  const items = found.slice(0, limit);
  return { items: items.map(show), next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
