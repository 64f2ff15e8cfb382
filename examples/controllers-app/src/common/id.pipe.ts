/** An id in a path: a whole number that the database can have. */
import { BadRequestException, type PipeTransform } from 'fulmar/controllers';

/** Of PostgreSQL's `integer`. */
export const ID_MAX = 2_147_483_647;

export class IdPipe implements PipeTransform<unknown, number> {
  /** Of the text the application's `ValidationPipe`, which comes first, has made a number: that is the parameter's type. */
  transform(given: unknown): number {
    const id = Number(given);
    if (!Number.isInteger(id) || id < 1 || id > ID_MAX) throw new BadRequestException(`An id is a whole number from 1 to ${ID_MAX}`);
    return id;
  }
}
