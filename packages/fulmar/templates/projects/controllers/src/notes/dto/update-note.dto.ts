import { IsNotEmpty, IsString, MaxLength, ValidateIf } from 'class-validator';

export class UpdateNoteDto {
  // What is left out stays as it is. Not `@IsOptional()`, which would let `null` pass.
  @ValidateIf((_given, title) => title !== undefined)
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  readonly title?: string;

  @ValidateIf((_given, text) => text !== undefined)
  @IsString()
  @MaxLength(10_000)
  readonly text?: string;
}
