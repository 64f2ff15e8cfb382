/** Text that people write: any letters of any script, no control characters, and no halves of a character. */
import { applyDecorators } from 'fulmar/controllers';
import { IsString, Length, Matches } from 'class-validator';

/** PostgreSQL takes no NUL, logs no line breaks, and a lone surrogate is no character. */
const CONTROLS_AND_HALVES = /[\p{Cc}\p{Cs}]/gu;

export const IsText = (min: number, max: number): PropertyDecorator =>
  applyDecorators(
    IsString(),
    Length(min, max),
    Matches(/^[^\p{Cc}\p{Cs}]*$/u, { message: '$property must not contain control characters' }),
  );

export const withoutControls = (text: string): string => text.replaceAll(CONTROLS_AND_HALVES, '');
